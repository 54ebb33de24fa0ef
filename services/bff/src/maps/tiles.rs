//! Tiles of configured sources, out of the cache or fetched. Those who ask for the same tile at the same time get the
//! answer to one question.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use armada_runtime::{Error, Result, health::Health};
use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use futures::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use tokio_util::sync::CancellationToken;

use super::{
    cache::{CachedTile, TileCache},
    metrics::{Metrics, Outcome},
    signature::Signatures,
    sources::{Source, TileClient, TileError},
    tile::{Place, Tile},
};
use crate::{
    config::{MapSourceConfig, MapsConfig},
    http::{
        failure::{Answer, Failure},
        query::Query,
    },
};

/// The folder of the cache within that of the data.
const CACHE: &str = "map-cache";
const DAY: Duration = Duration::from_secs(24 * 3600);

type TileResult = Result<Tile, TileError>;
type Flight = BoxFuture<'static, TileResult>;

/// All sources. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Tiles(Arc<Inner>);

struct Inner {
    sources: Vec<Arc<Source>>,
    cache: Option<TileCache>,
    metrics: Metrics,
    /// What is being got, by the number of its source. It ends when nobody waits for it any more.
    flights: Mutex<HashMap<(usize, Place), WeakShared<Flight>>>,
}

impl Tiles {
    pub(crate) fn new(config: &MapsConfig, health: &Health) -> Result<Self> {
        let client = TileClient::new()?;
        let source = |source: &MapSourceConfig| Arc::new(Source::new(source.clone(), client.clone()));
        let folder = config.data_dir.as_ref().filter(|_| config.cache_mb > 0);
        let max_age = DAY * u32::try_from(config.cache_days).unwrap_or(u32::MAX);
        Ok(Self(Arc::new(Inner {
            sources: config.sources.iter().map(source).collect(),
            cache: folder.map(|folder| TileCache::new(folder.join(CACHE), config.cache_mb << 20, max_age)),
            metrics: Metrics::new(health),
            flights: Mutex::default(),
        })))
    }

    /// The sources as they are configured.
    pub(super) fn sources(&self) -> impl Iterator<Item = &MapSourceConfig> {
        self.0.sources.iter().map(|source| &source.config)
    }

    /// Keeps the cache as small as it shall be, until shutdown.
    pub(crate) async fn tidy(self, shutdown: CancellationToken) -> Result<()> {
        match &self.0.cache {
            Some(cache) => cache.tidy(&shutdown).await,
            None => shutdown.cancelled().await,
        }
        Ok(())
    }

    /// What is under way for a place, or begins now.
    fn flight(&self, number: usize, place: Place) -> Shared<Flight> {
        let mut flights = self.0.flights.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = flights.get(&(number, place)).and_then(WeakShared::upgrade) {
            return flight;
        }
        flights.retain(|_, flight| flight.upgrade().is_some());
        let (inner, source) = (self.0.clone(), self.0.sources[number].clone());
        let flight = async move { inner.get(&source, place).await }.boxed().shared();
        flights.extend(flight.downgrade().map(|flight| ((number, place), flight)));
        flight
    }
}

impl Inner {
    /// Out of the cache while it is young there, else from the source; when that does not answer, however old it is.
    async fn get(&self, source: &Source, place: Place) -> TileResult {
        let cached = match &self.cache {
            Some(cache) => cache.get(&source.config.id, place).await,
            None => None,
        };
        let stale = match cached {
            Some(CachedTile { tile, is_fresh: true }) => {
                self.metrics.count(Outcome::Cached);
                return Ok(tile);
            }
            stale => stale.map(|cached| cached.tile),
        };
        let got = source.fetch(place).await;
        let (outcome, got) = match (got, stale) {
            (Ok(tile), _) => {
                if let Some(cache) = &self.cache {
                    cache.put(&source.config.id, place, tile.clone()).await;
                }
                (Outcome::Fetched, Ok(tile))
            }
            (Err(TileError::Unavailable), Some(tile)) => (Outcome::Stale, Ok(tile)),
            (Err(TileError::Unavailable), None) => (Outcome::Failed, Err(TileError::Unavailable)),
            (Err(TileError::Absent), _) => (Outcome::Absent, Err(TileError::Absent)),
        };
        self.metrics.count(outcome);
        got
    }
}

/// A tile of a source.
pub(crate) async fn tile(
    State(tiles): State<Tiles>,
    State(signatures): State<Signatures>,
    Path((id, z, x, y)): Path<(String, String, String, String)>,
    query: Query,
) -> Answer<Response> {
    signatures.check(&id, query.text("until"), query.text("signature"))?;
    let found = tiles.sources().enumerate().find(|(_, source)| source.id == id);
    let (number, source) = found.ok_or_else(Error::not_found)?;
    let place = Place::read(&z, &x, &y, source.max_zoom).ok_or_else(Error::not_found)?;
    match tiles.flight(number, place).await {
        Ok(tile) => {
            let head = [(CONTENT_TYPE, tile.kind), (CACHE_CONTROL, "private, max-age=86400")];
            Ok((head, tile.content).into_response())
        }
        Err(TileError::Absent) => Err(Error::not_found().into()),
        Err(TileError::Unavailable) => Err(Failure::new(StatusCode::BAD_GATEWAY, "map_source_unavailable")),
    }
}
