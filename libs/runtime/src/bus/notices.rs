//! What the server says of a connection by itself: what may not be published or heard on it, and what was read too slowly.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::{Event, ServerError};
use tokio::sync::watch;

use crate::error::{Error, Result};

/// Subjects that are remembered.
const SUBJECTS: usize = 256;
/// What is dropped is dropped many thousand times: it is told once in so long.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// What the server has said of a connection. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Notices(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Of the connection.
    name: String,
    /// The subjects that may not be published on, and when that was said last.
    denied: Mutex<BTreeMap<String, Instant>>,
    changed: watch::Sender<()>,
    /// The subjects that may not be subscribed to, since the connection was made last.
    unheard: Mutex<BTreeSet<String>>,
    dropped: AtomicU64,
    told: Mutex<Option<Instant>>,
    /// Since when the connection is lost.
    lost: Mutex<Option<Instant>>,
}

impl Notices {
    /// Of a connection of this name, of which nothing was said yet.
    pub(super) fn of(name: &str) -> Self {
        let changed = watch::channel(()).0;
        Self(Arc::new(Inner {
            name: name.to_owned(),
            denied: Mutex::default(),
            changed,
            unheard: Mutex::default(),
            dropped: AtomicU64::new(0),
            told: Mutex::default(),
            lost: Mutex::default(),
        }))
    }

    /// Takes in an event of the connection.
    pub(super) fn take(&self, event: &Event) {
        let name = self.0.name.as_str();
        match event {
            Event::ServerError(ServerError::Other(error)) => match Violation::of(error) {
                Some(Violation::Publish(subject)) => self.deny(subject),
                Some(Violation::Subscribe(subject)) => self.deny_hearing(subject),
                None => tracing::warn!(connection = name, error, "NATS reports an error"),
            },
            Event::SlowConsumer(_) | Event::ServerError(ServerError::SlowConsumer(_)) => {
                let dropped = self.0.dropped.fetch_add(1, Ordering::Relaxed) + 1;
                let mut told = self.0.told.lock().expect("no panic while held");
                if told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
                    *told = Some(Instant::now());
                    tracing::error!(
                        connection = name,
                        dropped,
                        "messages of NATS are dropped: they are read too slowly"
                    );
                }
            }
            Event::Disconnected => *self.0.lost.lock().expect("no panic while held") = Some(Instant::now()),
            // Not before: a connection that ends with its process is no wonder.
            Event::Connected => {
                // What was subscribed to is subscribed to anew, and refused anew.
                self.0.unheard.lock().expect("no panic while held").clear();
                if let Some(lost) = self.0.lost.lock().expect("no panic while held").take() {
                    tracing::warn!(
                        connection = name,
                        seconds = lost.elapsed().as_secs_f64(),
                        "NATS was away, or had cut the connection"
                    );
                }
            }
            _ => {}
        }
    }

    fn deny(&self, subject: &str) {
        tracing::error!(connection = self.0.name, subject, "NATS does not let this user publish here");
        let mut denied = self.0.denied.lock().expect("no panic while held");
        if denied.len() >= SUBJECTS && !denied.contains_key(subject) {
            // Whoever published there has heard of it long ago.
            let oldest = denied.iter().min_by_key(|(_, said)| **said).map(|(subject, _)| subject.clone());
            oldest.and_then(|oldest| denied.remove(&oldest));
        }
        denied.insert(subject.to_owned(), Instant::now());
        drop(denied);
        self.0.changed.send_replace(());
    }

    fn deny_hearing(&self, subject: &str) {
        let mut unheard = self.0.unheard.lock().expect("no panic while held");
        if unheard.len() < SUBJECTS && unheard.insert(subject.to_owned()) {
            tracing::error!(connection = self.0.name, subject, "NATS does not let this user subscribe here");
        }
    }

    /// Whether everything that was subscribed to is heard, in words for `/readyz`.
    pub(super) fn check_hearing(&self) -> Result<String> {
        let unheard = self.0.unheard.lock().expect("no panic while held");
        let Some(first) = unheard.first() else { return Ok("every subscription is accepted".to_owned()) };
        let more = match unheard.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let name = &self.0.name;
        Err(Error::unavailable(format!("the NATS user of {name} may not subscribe to {first}{more}")))
    }

    /// Of the connection.
    pub(super) fn name(&self) -> &str {
        &self.0.name
    }

    /// Messages that were dropped since they were read too slowly.
    pub(super) fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    /// Waits until it is said that a subject may not be published on, since `begun`.
    pub(super) async fn denied(&self, subject: &str, begun: Instant) {
        let mut changed = self.0.changed.subscribe();
        loop {
            let said = self.0.denied.lock().expect("no panic while held").get(subject).copied();
            if said.is_some_and(|said| said >= begun) || changed.changed().await.is_err() {
                return;
            }
        }
    }
}

/// What a user may not do, with the subject.
#[derive(Debug, PartialEq, Eq)]
enum Violation<'a> {
    Publish(&'a str),
    Subscribe(&'a str),
}

impl<'a> Violation<'a> {
    /// Of `Permissions Violation for Publish to "dlq.malformed"`, or of
    /// `Permissions Violation for Subscription to "command.reply.*.*" using queue "fleet"`.
    fn of(error: &'a str) -> Option<Self> {
        let after = |words: &str| {
            let rest = error.get(..words.len()).filter(|begin| begin.eq_ignore_ascii_case(words));
            let rest = rest.and(error.get(words.len()..))?.trim_start_matches(['"', '\'']);
            rest.split(['"', '\'', ' ']).next()
        };
        let publish = after("permissions violation for publish to ").map(Self::Publish);
        publish.or_else(|| after("permissions violation for subscription to ").map(Self::Subscribe))
    }
}

#[cfg(test)]
mod tests {
    use async_nats::{Event, ServerError};

    use super::{Notices, Violation};

    #[test]
    fn subject_of_a_violation() {
        let publish = Violation::of("Permissions Violation for Publish to \"dlq.malformed\"");
        assert_eq!(publish, Some(Violation::Publish("dlq.malformed")));
        assert_eq!(Violation::of("permissions violation for publish to \"raw.1\""), Some(Violation::Publish("raw.1")));
        let subscribe = Violation::of("Permissions Violation for Subscription to \"in.1.*.*\"");
        assert_eq!(subscribe, Some(Violation::Subscribe("in.1.*.*")));
        let in_queue = Violation::of("permissions violation for subscription to \"reply.*\" using queue \"fleet\"");
        assert_eq!(in_queue, Some(Violation::Subscribe("reply.*")));
        assert_eq!(Violation::of("Stale Connection"), None);
    }

    #[test]
    fn what_may_not_be_heard_is_told_until_the_connection_is_made_anew() {
        let notices = Notices::of("armada receiver-gateways");
        let refused = |subject: &str| {
            let error = format!("Permissions Violation for Subscription to \"{subject}\"");
            notices.take(&Event::ServerError(ServerError::Other(error)));
        };
        notices.check_hearing().expect("nothing was refused");
        refused("in.1.*.*");
        refused("in.0.*.*");
        let told = notices.check_hearing().expect_err("two were refused").message;
        assert_eq!(told, "the NATS user of armada receiver-gateways may not subscribe to in.0.*.*, and 1 more");
        notices.take(&Event::Connected);
        notices.check_hearing().expect("nothing was refused since");
    }
}
