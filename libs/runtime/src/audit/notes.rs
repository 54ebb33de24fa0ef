//! What is entered without a transaction: refusals, and what else changes no rows. A note never holds up who makes it,
//! and a flood of the same note is one entry a minute that says how many they were.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use armada_proto::{TenantId, v1::AuditEvent};
use prometheus_client::metrics::counter::Counter;
use prost::Message as _;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Act, Actor};
use crate::{
    auth::ServiceSecrets,
    bus::{Bus, Publication},
    error::{Error, Result},
    health::Health,
    stream_outbox::Message,
    telemetry::propagation,
};

/// Notes that may wait for the bus.
const WAITING: usize = 1024;
/// Actors with their acts that are counted at a time.
const COUNTED: usize = 10_000;
/// In which the same is one entry.
const WINDOW: Duration = Duration::from_secs(60);
/// How often to look for windows that are over, and when to try again what failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the last notes may take at shutdown.
const LAST_NOTES: Duration = Duration::from_secs(2);

/// Takes notes. Cheap to clone; one per process.
#[derive(Clone)]
pub struct Audit(Arc<Inner>);

struct Inner {
    bus: Bus,
    /// The connections of services; the process's own serves the others.
    services: Arc<HashMap<&'static str, Bus>>,
    /// With which each signs.
    secrets: ServiceSecrets,
    notes: mpsc::Sender<Note>,
    taken: Mutex<Option<mpsc::Receiver<Note>>>,
    floods: Mutex<HashMap<Source, Flood>>,
    dropped: Counter,
}

/// Who does what to whose: a tenant's chain tells of what was done to it, whatever else the same one does.
type Source = (Actor, &'static str, Option<TenantId>);

struct Note {
    service: &'static str,
    event: AuditEvent,
    traceparent: Option<String>,
}

/// What came after the first note of a window.
struct Flood {
    begun: Instant,
    count: u64,
    last: Option<(&'static str, Act)>,
}

impl Audit {
    /// For the process that speaks through this bus, and for each of its services through its own.
    pub(crate) fn new(bus: Bus, services: Arc<HashMap<&'static str, Bus>>, secrets: ServiceSecrets) -> Self {
        let (notes, taken) = mpsc::channel(WAITING);
        let taken = Mutex::new(Some(taken));
        let (floods, dropped) = (Mutex::default(), Counter::default());
        Self(Arc::new(Inner { bus, services, secrets, notes, taken, floods, dropped }))
    }

    /// Shows what was dropped in `/metrics`.
    pub(crate) fn register(&self, health: &Health) {
        let help = "Notes for the audit that were dropped because too many waited for the bus";
        health.metrics(|registry| registry.register("armada_audit_dropped", help, self.0.dropped.clone()));
    }

    /// Enters an act that `service` did or refused. Returns at once. The first one of an actor within a minute, in the
    /// chain of one tenant, is entered
    /// as it is; the others are one entry at the end of it, the last of them with their `count`.
    pub fn note(&self, service: &'static str, actor: impl Into<Actor>, act: Act) {
        let actor = actor.into();
        {
            let mut floods = self.0.floods.lock().expect("no panic while held");
            let full = floods.len() >= COUNTED;
            let source = (actor.clone(), act.act, act.tenant);
            match floods.get_mut(&source) {
                Some(flood) => {
                    flood.count += 1;
                    flood.last = Some((service, act));
                    return;
                }
                None if full => {
                    self.0.dropped.inc();
                    return;
                }
                None => {
                    let first = Flood { begun: Instant::now(), count: 0, last: None };
                    floods.insert(source, first);
                }
            }
        }
        self.send(service, actor, act);
    }

    fn send(&self, service: &'static str, actor: Actor, act: Act) {
        let note = Note { service, event: super::event(actor, act), traceparent: propagation::current() };
        if self.0.notes.try_send(note).is_err() {
            self.0.dropped.inc();
        }
    }

    /// Publishes notes until shutdown.
    pub(crate) async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let taken = self.0.taken.lock().expect("no panic while held").take();
        let Some(mut notes) = taken else { return Ok(()) };
        let (mut pause, mut left) = (tokio::time::interval(PAUSE), None);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = pause.tick() => self.end_windows(WINDOW),
                Some(note) = notes.recv() => {
                    if shutdown.run_until_cancelled(self.publish(&note)).await.is_none() {
                        left = Some(note);
                    }
                }
            }
        }
        self.end_windows(Duration::ZERO);
        let last = async {
            while let Some(note) = left.take().or_else(|| notes.try_recv().ok()) {
                self.publish(&note).await;
            }
        };
        if tokio::time::timeout(LAST_NOTES, last).await.is_err() {
            tracing::warn!("the last notes for the audit did not reach it");
        }
        Ok(())
    }

    /// Enters how often something came again in windows of this age. Where it did, another window begins.
    fn end_windows(&self, age: Duration) {
        let mut ended = Vec::new();
        self.0.floods.lock().expect("no panic while held").retain(|(actor, _, _), flood| {
            if flood.begun.elapsed() < age {
                return true;
            }
            let Some((service, act)) = flood.last.take() else { return false };
            ended.push((service, actor.clone(), counted(act, flood.count)));
            *flood = Flood { begun: Instant::now(), count: 0, last: None };
            true
        });
        ended.into_iter().for_each(|(service, actor, act)| self.send(service, actor, act));
    }

    /// Tries until it has arrived.
    async fn publish(&self, note: &Note) {
        let mut failing = false;
        loop {
            let Err(error) = self.try_publish(note).await else { return };
            if !std::mem::replace(&mut failing, true) {
                tracing::warn!(%error, "a note does not reach the audit; will try again");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn try_publish(&self, note: &Note) -> Result<()> {
        let bus = self.0.services.get(note.service).unwrap_or(&self.0.bus);
        bus.publish(note.signed(&self.0.secrets)?).await.map(drop).map_err(Error::unavailable)
    }
}

impl Note {
    fn signed(&self, secrets: &ServiceSecrets) -> Result<Publication> {
        let message = Message {
            subject: super::subject(self.service),
            id: self.event.id.clone(),
            body: self.event.encode_to_vec(),
            traceparent: self.traceparent.clone(),
        };
        message.into_publication(Some(&super::signer(secrets, self.service)?))
    }
}

fn counted(mut act: Act, count: u64) -> Act {
    let mut fields = match act.change.after.take() {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.insert("count".to_owned(), count.into());
    act.change.after = Some(Value::Object(fields));
    act
}
