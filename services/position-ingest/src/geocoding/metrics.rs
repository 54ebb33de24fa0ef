//! What became of the addresses that were asked for.

use std::sync::atomic::AtomicU64;

use armada_runtime::health::Health;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Labels {
    outcome: &'static str,
}

/// From where an address came, or why there is none.
#[derive(Clone, Copy)]
pub enum Outcome {
    /// From the table.
    Cached,
    /// From the geocoder, which may have said that there is none.
    Fetched,
    /// The geocoder did not answer as it should.
    Failed,
}

impl Outcome {
    const ALL: [Self; 3] = [Self::Cached, Self::Fetched, Self::Failed];

    fn labels(self) -> Labels {
        let outcome = match self {
            Self::Cached => "cached",
            Self::Fetched => "fetched",
            Self::Failed => "failed",
        };
        Labels { outcome }
    }
}

/// Counters of one process. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    addresses: Family<Labels, Counter<u64, AtomicU64>>,
    /// Places that the geocoder is to be asked for, those among them for which it is being asked.
    pub waiting: Gauge,
}

impl Metrics {
    /// Registers them.
    pub fn new(health: &Health) -> Self {
        let metrics = Self { addresses: Family::default(), waiting: Gauge::default() };
        for outcome in Outcome::ALL {
            drop(metrics.addresses.get_or_create(&outcome.labels()));
        }
        health.metrics(|registry| {
            let help = "Addresses of places that were asked for, by where they came from";
            registry.register("armada_addresses", help, metrics.addresses.clone());
            let help = "Places that the geocoder is still to be asked for";
            registry.register("armada_addresses_waiting", help, metrics.waiting.clone());
        });
        metrics
    }

    /// So many addresses came to this.
    pub fn count(&self, outcome: Outcome, addresses: usize) {
        self.addresses.get_or_create(&outcome.labels()).inc_by(addresses as u64);
    }
}
