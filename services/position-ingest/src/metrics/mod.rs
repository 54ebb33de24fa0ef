//! What ingest counts, how far behind it is, and whether it moves.
//!
//! Way in: whoever does something says so here: counts ([`Metrics`]), how far an owner is ([`progress`]), how what is tried
//! again goes ([`retry_health`]), whether a step moves ([`standstill`]). Way out: `/metrics` and `/readyz`.
//!
//! **Standing still is seen** ([`standstill`]). Receiver, owner, publisher and sealer of a partition say when they move. A
//! step that has work and did not move for 30 s, while NATS and the database answer, is named by `/readyz` and counted, and
//! its partition is given up.
//!
//! *Test: `tests/it/standstill.rs`, which holds each step.*

pub(crate) mod progress;
pub(crate) mod retry_health;
pub mod standstill;

use std::{sync::atomic::AtomicU64, time::Duration};

use armada_proto::{Choice, v1::FixMark};
use armada_runtime::{
    health::{self, Health},
    telemetry::messaging::Messages,
};
use armada_track::MergeCounts;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
};

use self::{progress::AllProgress, standstill::Step};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Mark {
    mark: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct StepLabel {
    step: &'static str,
}

/// Counters of one instance. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    refused: Family<Reason, Counter<u64, AtomicU64>>,
    marked: Family<Mark, Counter<u64, AtomicU64>>,
    stored: Counter<u64, AtomicU64>,
    frames: Counter<u64, AtomicU64>,
    repeats: Counter<u64, AtomicU64>,
    united: Counter<u64, AtomicU64>,
    expired: Counter<u64, AtomicU64>,
    owned: Gauge,
    standstills: Family<StepLabel, Counter<u64, AtomicU64>>,
    commits: Histogram,
    /// How long messages took, from RAW and from POSITIONS.
    pub messages: Messages,
    /// How far the owners of partitions are.
    pub progress: AllProgress,
}

impl Metrics {
    /// Registers them.
    pub fn new(health: &Health) -> Self {
        let metrics = Self {
            refused: Family::default(),
            marked: Family::default(),
            stored: Counter::default(),
            frames: Counter::default(),
            repeats: Counter::default(),
            united: Counter::default(),
            expired: Counter::default(),
            owned: Gauge::default(),
            standstills: Family::default(),
            commits: health::seconds(),
            messages: health.messages(),
            progress: AllProgress::default(),
        };
        // So that each is there before the first one of it.
        for &(_, mark) in &FixMark::ALL[1..] {
            drop(metrics.marked.get_or_create(&Mark { mark }));
        }
        for step in Step::ALL {
            drop(metrics.standstills.get_or_create(&StepLabel { step: step.as_str() }));
        }
        health.metrics(|registry| {
            let registry = registry.sub_registry_with_prefix("armada_ingest");
            registry.register("positions_stored", "Positions committed to history", metrics.stored.clone());
            registry.register("frames_stored", "Frames committed to history", metrics.frames.clone());
            registry.register("positions_refused", "Positions not taken in, by reason", metrics.refused.clone());
            registry.register("fixes_marked", "Fixes stored that cannot be believed, by why", metrics.marked.clone());
            registry.register("seal_repeats", "Repeats dropped while sealing", metrics.repeats.clone());
            registry.register(
                "seal_united",
                "Fixes united with others of their instant while sealing",
                metrics.united.clone(),
            );
            registry.register("blocks_expired", "Blocks older than their tenant keeps them", metrics.expired.clone());
            registry.register("partitions_owned", "Partitions that this instance owns", metrics.owned.clone());
            let standstills = "Partitions that were given up since a step of theirs stood still";
            registry.register("standstills", standstills, metrics.standstills.clone());
            registry.register("commit_seconds", "Time of a commit of rounds", metrics.commits.clone());
            registry.register_collector(Box::new(metrics.progress.clone()));
        });
        metrics
    }

    /// A frame of so many positions is on disk.
    pub fn stored(&self, positions: usize) {
        self.stored.inc_by(positions as u64);
        self.frames.inc();
    }

    /// So many positions were not taken in for a reason, or were with the mark of that name.
    pub fn counted(&self, reason: &'static str, positions: i64) {
        let counter = match FixMark::named(reason) {
            Some(_) => self.marked.get_or_create(&Mark { mark: reason }),
            None => self.refused.get_or_create(&Reason { reason }),
        };
        counter.inc_by(positions.unsigned_abs());
    }

    /// What sealing or merging made one.
    pub fn merged(&self, counts: MergeCounts) {
        self.repeats.inc_by(counts.repeats);
        self.united.inc_by(counts.united);
    }

    /// So many blocks were removed because they were too old.
    pub fn expired(&self, blocks: u64) {
        self.expired.inc_by(blocks);
    }

    /// So many partitions are owned here.
    pub fn owned(&self, partitions: usize) {
        self.owned.set(partitions as i64);
    }

    /// A partition is given up since a step of it stood still.
    pub fn stood_still(&self, step: Step) {
        self.standstills.get_or_create(&StepLabel { step: step.as_str() }).inc();
    }

    /// A transaction with commit batches took so long.
    pub fn committed(&self, took: Duration) {
        self.commits.observe(took.as_secs_f64());
    }
}
