//! The service's name, and what can be configured of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The service's name.
pub const NAME: &str = "position-ingest";

/// Settings of ingest.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How many partitions there are. Fixed with the first start: the stream remembers, and another number is refused.
    pub partitions: u32,
    /// Bytes that RAW may take.
    pub raw_max_bytes: i64,
    /// Bytes that POSITIONS may take.
    pub positions_max_bytes: i64,
    /// Bytes that the dead letters may take; beyond, the oldest go.
    pub dead_letters_max_bytes: i64,
    /// Bytes that fixes of IMEIs may take which nobody has; beyond, the oldest go.
    pub held_max_bytes: i64,
    /// Bytes that refused messages may take which are kept for who sees their devices; beyond, the oldest go.
    pub refused_max_bytes: i64,
    /// Replicas of each stream: 1, or 3 on a cluster.
    pub stream_replicas: usize,
    /// How long positions are gathered before they are committed, in milliseconds; four times as long in a flood (more
    /// than 1,000 positions of a partition within this time). The live map does not wait for it.
    pub commit_linger_ms: u64,
    /// How often hot frames are sealed, in seconds.
    pub seal_seconds: u64,
    /// Positions of one partition after which they are sealed sooner.
    pub seal_positions: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            partitions: 8,
            raw_max_bytes: 4 << 30,
            positions_max_bytes: 2 << 30,
            dead_letters_max_bytes: 256 << 20,
            held_max_bytes: 512 << 20,
            refused_max_bytes: 128 << 20,
            stream_replicas: 1,
            commit_linger_ms: 25,
            seal_seconds: 60,
            seal_positions: 1_000_000,
        }
    }
}

impl Config {
    /// How long positions are gathered.
    pub(crate) fn commit_linger(&self) -> Duration {
        Duration::from_millis(self.commit_linger_ms)
    }

    /// How often hot frames are sealed.
    pub(crate) fn seal_every(&self) -> Duration {
        Duration::from_secs(self.seal_seconds.max(1))
    }
}
