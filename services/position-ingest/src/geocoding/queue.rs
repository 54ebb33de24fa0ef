//! Places that the geocoder is to be asked for, each of them once, however many wait for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use armada_runtime::breaker::CircuitBreaker;
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, timeout_at},
};

use super::{metrics::Metrics, place::Place};

/// Places that may wait. The geocoder would take a quarter of an hour for more at the usual rate, and nobody looks at a
/// screen for so long.
const WAITING_MAX: usize = 1_000;

/// What is known of a place that is asked for.
#[derive(Clone)]
pub enum Lookup {
    /// Nothing yet.
    Pending,
    /// Its address; none where there is nothing.
    Resolved(Option<String>),
}

type Waiting = Arc<Mutex<HashMap<Place, watch::Receiver<Lookup>>>>;

/// Where places are handed in. Cheap to clone.
#[derive(Clone)]
pub struct Queue {
    requests: mpsc::Sender<GeocodingRequest>,
    waiting: Waiting,
    breaker: CircuitBreaker,
    metrics: Metrics,
}

impl Queue {
    /// A queue, and where places come out of it.
    pub fn new(breaker: CircuitBreaker, metrics: Metrics) -> (Self, mpsc::Receiver<GeocodingRequest>) {
        let (requests, queued) = mpsc::channel(WAITING_MAX);
        (Self { requests, waiting: Waiting::default(), breaker, metrics }, queued)
    }

    /// Has a place asked for, unless somebody does that already. None when it cannot be: too many wait, or the geocoder is
    /// left alone.
    pub fn request(&self, place: Place) -> Option<PendingAddress> {
        let mut waiting = self.waiting.lock().expect("no panic while held");
        if let Some(answer) = waiting.get(&place) {
            return Some(PendingAddress(answer.clone()));
        }
        if self.breaker.is_open() {
            return None;
        }
        let slot = self.requests.try_reserve().ok()?;
        let (lookup, answer) = watch::channel(Lookup::Pending);
        waiting.insert(place, answer.clone());
        self.metrics.waiting.inc();
        slot.send(GeocodingRequest { place, lookup, waiting: self.waiting.clone(), metrics: self.metrics.clone() });
        Some(PendingAddress(answer))
    }
}

/// What will be known of a place.
pub struct PendingAddress(watch::Receiver<Lookup>);

impl PendingAddress {
    /// What is known by then; nothing as well when the geocoder has failed.
    pub async fn wait_until(mut self, deadline: Instant) -> Lookup {
        let known = self.0.wait_for(|lookup| matches!(lookup, Lookup::Resolved(_)));
        match timeout_at(deadline, known).await {
            Ok(Ok(lookup)) => lookup.clone(),
            _ => Lookup::Pending,
        }
    }
}

/// A place on its way to the geocoder. When it is dropped, those who wait for it hear that nothing is known, and it may
/// be asked for again.
pub struct GeocodingRequest {
    /// The place.
    pub place: Place,
    lookup: watch::Sender<Lookup>,
    waiting: Waiting,
    metrics: Metrics,
}

impl GeocodingRequest {
    /// Answers those who wait with what is there.
    pub fn resolve(self, text: Option<String>) {
        self.lookup.send_replace(Lookup::Resolved(text));
    }
}

impl Drop for GeocodingRequest {
    fn drop(&mut self) {
        self.metrics.waiting.dec();
        self.waiting.lock().expect("no panic while held").remove(&self.place);
    }
}
