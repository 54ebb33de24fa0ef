//! What the live sockets count.

use armada_runtime::{health::Health, telemetry::messaging::Messages};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};

/// Numbers of the live sockets.
#[derive(Clone, Default)]
pub(super) struct Metrics {
    /// Sockets that are open.
    pub(super) open: Gauge,
    /// Messages about devices that were sent.
    pub(super) sent: Counter,
    /// Bytes of all messages that were sent.
    pub(super) sent_bytes: Counter,
    /// Positions that gave way to a newer one before they were sent.
    pub(super) conflated: Counter,
    /// Sockets that were closed, by the close code; 0 where the connection just ended.
    pub(super) closed: Family<ClosedLabels, Counter>,
    /// How long frames of live positions took.
    pub(super) messages: Messages,
}

/// Why a socket was closed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ClosedLabels {
    /// The close code.
    pub(super) code: u16,
}

impl Metrics {
    pub(super) fn new(health: &Health) -> Self {
        let new = Self { messages: health.messages(), ..Self::default() };
        health.metrics(|registry| {
            let registry = registry.sub_registry_with_prefix("armada_live");
            registry.register("sockets_open", "Live sockets that are open", new.open.clone());
            registry.register("messages_sent", "Messages about devices sent on live sockets", new.sent.clone());
            let help = "Positions that gave way to newer ones before they were sent";
            registry.register("positions_conflated", help, new.conflated.clone());
            registry.register("sent_bytes", "Bytes of messages sent on live sockets", new.sent_bytes.clone());
            registry.register("sockets_closed", "Live sockets closed, by close code", new.closed.clone());
        });
        new
    }
}
