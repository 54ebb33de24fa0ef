//! The span of a commit batch: from its first message until it is stored. It is no part of the traces of those who
//! published, and links to them.

use std::time::{Duration, Instant};

use armada_runtime::telemetry::propagation::{self, Links};
use tracing::{Span, field::Empty};

use super::names;

/// Of a commit batch that is gathered, or waits to be stored. It ends when this is dropped.
pub struct BatchSpan {
    span: Span,
    links: Links,
    since: Instant,
    messages: u64,
    /// The line that leads here, if somebody collects it.
    pub traceparent: Option<String>,
}

impl BatchSpan {
    /// Begins with the first message.
    pub fn begin(partition: u32) -> Self {
        let span = tracing::info_span!(
            parent: None,
            "process positions",
            otel.kind = "consumer",
            otel.status_code = Empty,
            messaging.system = "nats",
            messaging.operation.type = "process",
            messaging.destination.template = names::RAW_TEMPLATE,
            messaging.destination.partition.id = partition,
            messaging.batch.message_count = Empty,
            armada.positions = Empty,
        );
        Self::of(span)
    }

    /// The span of a batch that the receiver gathers: begins with a message that is traced.
    pub fn receiving(partition: u32) -> Self {
        Self::of(tracing::info_span!(
            parent: None,
            "receive positions",
            otel.kind = "consumer",
            otel.status_code = Empty,
            messaging.system = "nats",
            messaging.operation.type = "receive",
            messaging.destination.template = names::IN_TEMPLATE,
            messaging.destination.partition.id = partition,
            messaging.batch.message_count = Empty,
            armada.positions = Empty,
        ))
    }

    fn of(span: Span) -> Self {
        let traceparent = propagation::of(&span);
        Self { span, links: Links::default(), since: Instant::now(), messages: 0, traceparent }
    }

    /// How long it has been gathered.
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// A message belongs to it, which came with this trace.
    pub fn message(&mut self, traceparent: Option<&str>) {
        self.messages += 1;
        if self.traceparent.is_some() {
            self.links.add(&self.span, traceparent);
        }
    }

    /// It is stored.
    pub fn stored(self, positions: usize) -> Duration {
        self.span.record("messaging.batch.message_count", self.messages);
        self.span.record("armada.positions", positions);
        self.age()
    }

    /// It was not stored: somebody else owns the partition.
    pub fn void(self) -> Duration {
        self.span.record("otel.status_code", "ERROR");
        self.age()
    }
}
