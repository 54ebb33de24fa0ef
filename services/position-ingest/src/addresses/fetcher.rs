//! Asks the geocoder for one place after the other, no faster than it permits, and keeps what it says.

use std::{sync::Arc, time::Duration};

use armada_runtime::breaker::CircuitBreaker;
use tokio::{
    sync::{Semaphore, mpsc},
    task::JoinSet,
    time::MissedTickBehavior,
};

use super::{
    cache::Cache,
    geocoder::Geocoder,
    metrics::{Metrics, Outcome},
    queue::Errand,
};

/// Requests under way at a time, whatever the rate is.
const AT_ONCE_MAX: u32 = 16;

/// The one who asks.
pub struct Fetcher {
    pub geocoder: Geocoder,
    pub cache: Cache,
    pub breaker: CircuitBreaker,
    pub metrics: Metrics,
    /// Requests in a second, and at a time: a geocoder that is slow is not asked for more meanwhile.
    pub rate: u32,
}

impl Fetcher {
    /// Asks for what comes, until nobody can send any more.
    pub async fn run(self, mut places: mpsc::Receiver<Errand>) {
        let turns = Arc::new(Semaphore::new(self.rate.min(AT_ONCE_MAX) as usize));
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / self.rate);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let fetcher = Arc::new(self);
        let mut fetching = JoinSet::new();
        while let Some(errand) = places.recv().await {
            while fetching.try_join_next().is_some() {}
            if fetcher.breaker.is_open() {
                continue;
            }
            let Some(errand) = fetcher.still_unknown(errand).await else { continue };
            let Ok(turn) = turns.clone().acquire_owned().await else { return };
            ticks.tick().await;
            let fetcher = fetcher.clone();
            fetching.spawn(async move {
                fetcher.fetch(errand).await;
                drop(turn);
            });
        }
    }

    /// The errand, unless its address was kept after somebody had looked for it in vain, here or in another process.
    async fn still_unknown(&self, errand: Errand) -> Option<Errand> {
        let mut known = self.cache.find(errand.place.language, &[errand.place]).await.unwrap_or_default();
        match known.remove(&errand.place) {
            Some(text) => {
                errand.tell(text);
                None
            }
            None => Some(errand),
        }
    }

    async fn fetch(&self, errand: Errand) {
        match self.geocoder.reverse(errand.place).await {
            Ok(text) => {
                self.breaker.succeeded();
                self.metrics.count(Outcome::Fetched, 1);
                // Before it is told: who asks again is to find it.
                if let Err(error) = self.cache.store(errand.place, text.clone()).await {
                    tracing::warn!(%error, "an address cannot be kept; it will be asked for again");
                }
                errand.tell(text);
            }
            Err(error) => {
                self.metrics.count(Outcome::Failed, 1);
                match self.breaker.failed() {
                    Some(rest) => tracing::warn!(
                        %error, seconds = rest.as_secs(),
                        "the geocoder does not answer as it should: it is left alone for a while"
                    ),
                    None => tracing::debug!(%error, "an address was not fetched"),
                }
            }
        }
    }
}
