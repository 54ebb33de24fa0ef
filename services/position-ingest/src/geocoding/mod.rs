//! What is at a place, from the geocoder that the operator has named.
//!
//! Way in: the service `Addresses`; addresses are asked for by who looks at them and by nobody else: nothing of the way of
//! a fix knows of them. Way out: what a geocoder said of a place, 1e-4 degrees wide, kept in the table `address`, which is
//! of no tenant: it has neither who was there nor who asked.
//!
//! What is not there goes into a queue, each place once ([`queue`]), out of which one task asks no faster than configured
//! ([`fetcher`]); a call waits for two seconds, and what comes later is in the table for the next one. An answer is stored
//! before it is told.
//!
//! *Test: `tests/it/addresses.rs`.*

mod cache;
mod fetcher;
mod formats;
mod geocoder;
mod metrics;
mod place;
mod queue;

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use armada_proto::{
    Validate, Violations,
    v1::{Address, AddressList, AddressPointInput, Locale, LookupAddressesRequest, addresses_server::Addresses},
};
use armada_runtime::{Database, Result, breaker::CircuitBreaker, health::Health};
use tokio::{sync::mpsc, time::Instant};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use self::{
    cache::Cache,
    fetcher::Fetcher,
    geocoder::Geocoder,
    metrics::{Metrics, Outcome},
    place::Place,
    queue::{GeocodingRequest, Lookup, Queue},
};
use crate::{
    config::{GeocoderConfig, GeocoderKind},
    storage::write_gate::WriteGate,
};

/// How long a call waits for the geocoder.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a geocoder is left alone that has failed again and again.
const REST: Duration = Duration::from_secs(60);

/// Says what is at a place. Without a geocoder it knows nothing.
pub struct AddressesService(Option<Geocoding>);

/// What a call needs.
struct Geocoding {
    kind: GeocoderKind,
    cache: Cache,
    queue: Queue,
    metrics: Metrics,
}

/// What goes on behind the calls.
pub struct GeocodingWork(Option<Work>);

struct Work {
    fetcher: Fetcher,
    requests: mpsc::Receiver<GeocodingRequest>,
    cache: Cache,
}

/// The service, and the work behind it.
pub fn open(
    config: Option<&GeocoderConfig>,
    db: &Database,
    gate: &WriteGate,
    health: &Health,
) -> Result<(AddressesService, GeocodingWork)> {
    let metrics = Metrics::new(health);
    let Some(config) = config else { return Ok((AddressesService(None), GeocodingWork(None))) };
    let breaker = CircuitBreaker::new(REST);
    let cache = Cache { db: db.clone(), gate: gate.clone(), kept: config.kept() };
    let (queue, requests) = Queue::new(breaker.clone(), metrics.clone());
    let fetcher = Fetcher {
        geocoder: Geocoder::new(config.clone())?,
        cache: cache.clone(),
        breaker,
        metrics: metrics.clone(),
        rate: config.requests_per_second,
    };
    let work = Work { fetcher, requests, cache: cache.clone() };
    let geocoding = Geocoding { kind: config.kind, cache, queue, metrics };
    Ok((AddressesService(Some(geocoding)), GeocodingWork(Some(work))))
}

impl GeocodingWork {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        if let Some(Work { fetcher, requests, cache }) = self.0 {
            let work = async { tokio::join!(fetcher.run(requests), cache.sweep()) };
            shutdown.run_until_cancelled(work).await;
        }
        shutdown.cancelled().await;
        Ok(())
    }
}

impl Addresses for AddressesService {
    async fn lookup(&self, request: Request<LookupAddressesRequest>) -> Result<Response<AddressList>, Status> {
        // The guard has asked whether the caller may see positions. What is at a place is nobody's own.
        Ok(Response::new(self.lookup(request.into_inner()).await?))
    }
}

impl AddressesService {
    async fn lookup(&self, request: LookupAddressesRequest) -> Result<AddressList> {
        let deadline = Instant::now() + LOOKUP_TIMEOUT;
        let (points, locale) = checked(request)?;
        let Some(geocoding) = &self.0 else {
            let unknown = |&(lat, lng): &(f64, f64)| Address { lat, lng, address: None, pending: false };
            return Ok(AddressList { items: points.iter().map(unknown).collect(), configured: false });
        };
        let language = geocoding.kind.language(locale);
        let places: Vec<_> = points.iter().map(|&(lat, lng)| Place::new(lat, lng, language)).collect();
        let known = geocoding.resolve(language, &places, deadline).await?;
        let items = points.iter().zip(&places).map(|(&(lat, lng), place)| {
            let found = known.get(place);
            Address { lat, lng, address: found.cloned().flatten(), pending: found.is_none() }
        });
        Ok(AddressList { items: items.collect(), configured: true })
    }
}

impl Geocoding {
    /// What is known of places by then. What is not is asked for all the same.
    async fn resolve(
        &self,
        language: &str,
        places: &[Place],
        deadline: Instant,
    ) -> Result<HashMap<Place, Option<String>>> {
        let mut seen = BTreeSet::new();
        let places: Vec<_> = places.iter().copied().filter(|place| seen.insert((place.lat_e4, place.lng_e4))).collect();
        let mut known = self.cache.find(language, &places).await?;
        self.metrics.count(Outcome::Cached, known.len());
        let unknown = places.into_iter().filter(|place| !known.contains_key(place));
        let requested: Vec<_> = unknown.filter_map(|place| Some((place, self.queue.request(place)?))).collect();
        for (place, answer) in requested {
            if let Lookup::Resolved(text) = answer.wait_until(deadline).await {
                known.insert(place, text);
            }
        }
        Ok(known)
    }
}

/// The points and the language of a request, or what is wrong with it.
fn checked(mut request: LookupAddressesRequest) -> Result<(Vec<(f64, f64)>, Locale)> {
    let mut violations = request.validate();
    let locale = request.language();
    if locale == Locale::Unspecified {
        violations.add("language", "required");
    }
    violations.check()?;
    let mut violations = Violations::default();
    let points = request.points.into_iter().enumerate();
    let points = points.map(|(index, point)| degrees(index, point, &mut violations)).collect();
    violations.check()?;
    Ok((points, locale))
}

/// Degrees north and east of a point; what is wrong with it is added.
fn degrees(index: usize, mut point: AddressPointInput, violations: &mut Violations) -> (f64, f64) {
    let mut add = |name: &str, code| violations.add(&format!("points[{index}].{name}"), code);
    point.validate().iter().for_each(|(name, code)| add(name, code));
    let mut required = |name: &str, degrees: Option<f64>| {
        degrees.unwrap_or_else(|| {
            add(name, "required");
            0.0
        })
    };
    (required("lat", point.lat), required("lng", point.lng))
}
