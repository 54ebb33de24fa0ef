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
    queue::GeocodingRequest,
};

/// Requests under way at a time, whatever the rate is.
const AT_ONCE_MAX: u32 = 16;

/// Sends the requests.
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
    pub async fn run(self, mut requests: mpsc::Receiver<GeocodingRequest>) {
        let turns = Arc::new(Semaphore::new(self.rate.min(AT_ONCE_MAX) as usize));
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / self.rate);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let fetcher = Arc::new(self);
        let mut fetching = JoinSet::new();
        while let Some(request) = requests.recv().await {
            while fetching.try_join_next().is_some() {}
            if fetcher.breaker.is_open() {
                continue;
            }
            let Some(request) = fetcher.unless_cached(request).await else { continue };
            let Ok(turn) = turns.clone().acquire_owned().await else { return };
            ticks.tick().await;
            let fetcher = fetcher.clone();
            fetching.spawn(async move {
                fetcher.fetch(request).await;
                drop(turn);
            });
        }
    }

    /// The request, unless its address was kept after somebody had looked for it in vain, here or in another process.
    async fn unless_cached(&self, request: GeocodingRequest) -> Option<GeocodingRequest> {
        let mut known = self.cache.find(request.place.language, &[request.place]).await.unwrap_or_default();
        match known.remove(&request.place) {
            Some(text) => {
                request.resolve(text);
                None
            }
            None => Some(request),
        }
    }

    async fn fetch(&self, request: GeocodingRequest) {
        match self.geocoder.reverse(request.place).await {
            Ok(text) => {
                self.breaker.succeeded();
                self.metrics.count(Outcome::Fetched, 1);
                // Before it is told: who asks again is to find it.
                if let Err(error) = self.cache.store(request.place, text.clone()).await {
                    tracing::warn!(%error, "an address cannot be kept; it will be asked for again");
                }
                request.resolve(text);
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
