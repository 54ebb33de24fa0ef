//! What ingest counts, and how far behind it is.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use armada_proto::{Choice, Timestamp, v1::FixMark};
use armada_runtime::{
    health::{self, Health},
    telemetry::messaging::Messages,
};
use armada_track::MergeCounts;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric},
    metrics::{
        MetricType,
        counter::Counter,
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
};

use crate::standstill::Step;

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

    /// A transaction with rounds took so long.
    pub fn committed(&self, took: Duration) {
        self.commits.observe(took.as_secs_f64());
    }
}

/// How far the owner of a partition is.
#[derive(Debug, Default)]
pub struct Progress {
    /// The next sequence of RAW that is not stored.
    pub next_seq: AtomicI64,
    /// The last frame stored, and the last one that is in POSITIONS.
    pub frame_seq: AtomicI64,
    pub published_seq: AtomicI64,
    /// Bytes of rounds that are not stored yet.
    pub waiting_bytes: AtomicI64,
    /// Messages of RAW that are not stored yet, and when RAW took the oldest of them in (0 when there is none).
    lag: AtomicI64,
    oldest: AtomicI64,
}

impl Progress {
    /// What a look at RAW found: so many messages, the oldest of them taken in then.
    pub fn set_lag(&self, messages: i64, oldest: i64) {
        self.lag.store(messages, Ordering::Relaxed);
        self.oldest.store(oldest, Ordering::Relaxed);
    }

    /// Whether RAW had something at the last look that was not stored.
    pub fn waits(&self) -> bool {
        self.lag.load(Ordering::Relaxed) > 0
    }

    fn oldest_seconds(&self) -> f64 {
        match self.oldest.load(Ordering::Relaxed) {
            0 => 0.0,
            oldest => (Timestamp::now().millis() - oldest).max(0) as f64 / 1000.0,
        }
    }
}

/// The progress of the partitions that are owned here. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct AllProgress(Arc<Mutex<BTreeMap<u32, Arc<Progress>>>>);

/// A partition that is shown until this is dropped.
pub struct Shown {
    all: AllProgress,
    partition: u32,
    /// Its numbers.
    pub progress: Arc<Progress>,
}

impl AllProgress {
    /// Shows a partition.
    pub fn show(&self, partition: u32) -> Shown {
        let progress = Arc::<Progress>::default();
        self.partitions().insert(partition, progress.clone());
        Shown { all: self.clone(), partition, progress }
    }

    /// Those that are shown.
    pub fn all(&self) -> Vec<(u32, Arc<Progress>)> {
        self.partitions().iter().map(|(partition, progress)| (*partition, progress.clone())).collect()
    }

    fn partitions(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<Progress>>> {
        self.0.lock().expect("no panic while held")
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        let mut partitions = self.all.partitions();
        // A new owner in this process may have taken its place.
        if partitions.get(&self.partition).is_some_and(|shown| Arc::ptr_eq(shown, &self.progress)) {
            partitions.remove(&self.partition);
        }
    }
}

type Read = fn(&Progress) -> f64;

const GAUGES: [(&str, &str, Read); 4] = [
    ("lag_messages", "Messages of RAW that are not stored yet, at most: sequences are shared by all partitions", |p| {
        p.lag.load(Ordering::Relaxed) as f64
    }),
    ("oldest_unstored_seconds", "Age of the oldest of them", Progress::oldest_seconds),
    ("unpublished_frames", "Frames that are stored and not in POSITIONS yet", |p| {
        (p.frame_seq.load(Ordering::Relaxed) - p.published_seq.load(Ordering::Relaxed)).max(0) as f64
    }),
    ("waiting_bytes", "Bytes of rounds that wait for the database", |p| p.waiting_bytes.load(Ordering::Relaxed) as f64),
];

impl Collector for AllProgress {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        for (name, help, read) in GAUGES {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (partition, progress) in self.all() {
                ConstGauge::new(read(&progress)).encode(family.encode_family(&[("partition", partition)])?)?;
            }
        }
        Ok(())
    }
}
