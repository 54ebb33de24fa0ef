//! How far the owners of partitions are.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicI64, Ordering},
    },
};

use armada_proto::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
};

/// How far the owner of a partition is.
#[derive(Debug, Default)]
pub struct Progress {
    /// The next sequence of RAW that is not stored.
    pub next_seq: AtomicI64,
    /// The last frame stored, and the last one that is in POSITIONS.
    pub frame_seq: AtomicI64,
    pub published_seq: AtomicI64,
    /// Bytes of commit batches that are not stored yet.
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
