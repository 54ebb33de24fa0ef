//! Work on what came over NATS: how long it took, by where it came from, and a span that links to who sent it.

use std::time::Duration;

use async_nats::HeaderMap;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{family::Family, histogram::Histogram},
    registry::Registry,
};
use tracing::Span;

use super::propagation::{self, Links};
use crate::metrics::seconds;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    messaging_destination_template: &'static str,
    error_type: &'static str,
}

/// The metric, one for all services of a process.
#[derive(Clone)]
pub struct Messages {
    seconds: Family<Labels, Histogram, fn() -> Histogram>,
}

impl Default for Messages {
    fn default() -> Self {
        Self { seconds: Family::new_with_constructor(seconds) }
    }
}

impl Messages {
    /// Shows it in `/metrics`.
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Time to work on what came over NATS, by its subject's template and kind of error";
        registry.register("messaging_process_duration_seconds", help, self.seconds.clone());
    }

    /// Something that came from `template`, e.g. `positions.{partition}`, was worked on.
    pub fn processed(&self, template: &'static str, took: Duration) {
        self.observe(template, "", took);
    }

    /// The same, and it failed with an error of this kind.
    pub fn failed(&self, template: &'static str, error: &'static str, took: Duration) {
        self.observe(template, error, took);
    }

    fn observe(&self, messaging_destination_template: &'static str, error_type: &'static str, took: Duration) {
        let labels = Labels { messaging_destination_template, error_type };
        self.seconds.get_or_create(&labels).observe(took.as_secs_f64());
    }
}

/// A span of work on a message, linked to the trace that it came with; none when it came with none.
pub fn following(template: &'static str, headers: Option<&HeaderMap>) -> Span {
    let Some(traceparent) = propagation::traceparent(headers) else { return Span::none() };
    let span = tracing::info_span!(
        parent: None,
        "process",
        otel.name = format!("process {template}"),
        otel.kind = "consumer",
        messaging.system = "nats",
        messaging.operation.type = "process",
        messaging.destination.template = template,
    );
    Links::default().add(&span, Some(traceparent));
    span
}
