//! What ingest counts.

use std::sync::atomic::AtomicU64;

use armada_runtime::health::Health;
use armada_track::MergeCounts;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

/// Counters of one instance. Cheap to clone.
#[derive(Clone, Default)]
pub struct Metrics {
    refused: Family<Reason, Counter<u64, AtomicU64>>,
    stored: Counter<u64, AtomicU64>,
    frames: Counter<u64, AtomicU64>,
    repeats: Counter<u64, AtomicU64>,
    conflicts: Counter<u64, AtomicU64>,
    owned: Gauge,
}

impl Metrics {
    /// Registers them.
    pub fn new(health: &Health) -> Self {
        let metrics = Self::default();
        health.metrics(|registry| {
            let registry = registry.sub_registry_with_prefix("armada_ingest");
            registry.register("positions_stored", "Positions committed to history", metrics.stored.clone());
            registry.register("frames_stored", "Frames committed to history", metrics.frames.clone());
            registry.register("positions_refused", "Positions not taken in, by reason", metrics.refused.clone());
            registry.register("seal_repeats", "Repeats dropped while sealing", metrics.repeats.clone());
            registry.register("seal_conflicts", "Conflicting fixes dropped while sealing", metrics.conflicts.clone());
            registry.register("partitions_owned", "Partitions that this instance owns", metrics.owned.clone());
        });
        metrics
    }

    /// A frame of so many positions is on disk.
    pub fn stored(&self, positions: usize) {
        self.stored.inc_by(positions as u64);
        self.frames.inc();
    }

    /// So many positions were not taken in.
    pub fn refused(&self, reason: &'static str, positions: i64) {
        self.refused.get_or_create(&Reason { reason }).inc_by(positions.unsigned_abs());
    }

    /// What sealing or merging left out.
    pub fn merged(&self, counts: MergeCounts) {
        self.repeats.inc_by(counts.repeats);
        self.conflicts.inc_by(counts.conflicts);
    }

    /// So many partitions are owned here.
    pub fn owned(&self, partitions: usize) {
        self.owned.set(partitions as i64);
    }
}
