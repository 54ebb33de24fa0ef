use armada_runtime::health::Health;
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
    /// Positions that gave way to a newer one before they were sent.
    pub(super) conflated: Counter,
    /// Sockets that were closed, by the close code; 0 where the connection just ended.
    pub(super) closed: Family<ClosedLabels, Counter>,
}

/// Why a socket was closed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ClosedLabels {
    /// The close code.
    pub(super) code: u16,
}

impl Metrics {
    pub(super) fn new(health: &Health) -> Self {
        let new = Self::default();
        health.metrics(|registry| {
            registry.register("live_sockets_open", "Live sockets that are open", new.open.clone());
            registry.register("live_messages_sent", "Messages about devices sent on live sockets", new.sent.clone());
            let help = "Positions that gave way to newer ones before they were sent";
            registry.register("live_positions_conflated", help, new.conflated.clone());
            registry.register("live_sockets_closed", "Live sockets closed, by close code", new.closed.clone());
        });
        new
    }
}
