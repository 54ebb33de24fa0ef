//! What became of the tiles that were asked for.

use armada_runtime::health::Health;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    outcome: &'static str,
}

/// From where a tile came, or why there is none.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    /// From the source.
    Fetched,
    /// From the cache.
    Cached,
    /// From the cache, although it was old: the source did not answer.
    Stale,
    /// The source has no such tile.
    Absent,
    /// The source did not answer, and the cache has none.
    Failed,
}

impl Outcome {
    const ALL: [Self; 5] = [Self::Fetched, Self::Cached, Self::Stale, Self::Absent, Self::Failed];

    fn labels(self) -> Labels {
        let outcome = match self {
            Self::Fetched => "fetched",
            Self::Cached => "cached",
            Self::Stale => "stale",
            Self::Absent => "absent",
            Self::Failed => "failed",
        };
        Labels { outcome }
    }
}

/// Counts them. Those who ask for the same tile at the same time count as one.
#[derive(Clone)]
pub(super) struct Metrics(Family<Labels, Counter>);

impl Metrics {
    pub(super) fn new(health: &Health) -> Self {
        let tiles = Family::<Labels, Counter>::default();
        for outcome in Outcome::ALL {
            let _ = tiles.get_or_create(&outcome.labels());
        }
        let help = "Tiles of street maps that were asked for, by where they came from";
        health.metrics(|registry| registry.register("armada_map_tiles", help, tiles.clone()));
        Self(tiles)
    }

    pub(super) fn count(&self, outcome: Outcome) {
        self.0.get_or_create(&outcome.labels()).inc();
    }
}
