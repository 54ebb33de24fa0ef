//! How recorded events reach the stream. One that comes there twice has the same id, and is in the stream once.

use tokio_util::sync::CancellationToken;
use tracing::Span;

use super::entity::{Column, Model};
use crate::{
    bus::Bus,
    db::{Database, metrics::Metrics},
    error::Result,
    stream_outbox::{self, Message, Recorded},
};

/// Carries the events of one service to the stream.
pub struct Relay {
    /// Where they are recorded.
    pub db: Database,
    /// Where the stream is.
    pub bus: Bus,
}

impl Relay {
    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        stream_outbox::relay::<Model>(&self.db, &self.bus, None, shutdown).await
    }
}

impl Recorded for Model {
    const NAME: &str = "events";
    const ID: Column = Column::Id;

    fn id(&self) -> i64 {
        self.id
    }

    fn recorded_at(&self) -> i64 {
        self.recorded_at
    }

    fn span() -> Span {
        tracing::info_span!(parent: None, "relay event", otel.kind = "producer", messaging.system = "nats")
    }

    fn note_waiting(metrics: &Metrics, count: u64, oldest: Option<i64>) {
        metrics.events.waits(count, oldest);
    }

    fn into_message(self, _: &str) -> Result<Message> {
        Ok(Message { subject: self.subject, id: self.event_id, body: self.event, traceparent: self.traceparent })
    }
}
