//! What the server says of a connection by itself: what may not be published on it, and what was read too slowly.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::{Event, ServerError};
use tokio::sync::watch;

/// Subjects that are remembered.
const SUBJECTS: usize = 256;
/// What is dropped is dropped many thousand times: it is told once in so long.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// What the server has said of a connection. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Notices(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The subjects that may not be published on, and when that was said last.
    denied: Mutex<BTreeMap<String, Instant>>,
    changed: watch::Sender<()>,
    dropped: AtomicU64,
    told: Mutex<Option<Instant>>,
    /// Since when the connection is lost.
    lost: Mutex<Option<Instant>>,
}

impl Default for Notices {
    fn default() -> Self {
        let changed = watch::channel(()).0;
        Self(Arc::new(Inner {
            denied: Mutex::default(),
            changed,
            dropped: AtomicU64::new(0),
            told: Mutex::default(),
            lost: Mutex::default(),
        }))
    }
}

impl Notices {
    /// Takes in an event of the connection of `name`.
    pub(super) fn take(&self, name: &str, event: &Event) {
        match event {
            Event::ServerError(ServerError::Other(error)) => match denied_subject(error) {
                Some(subject) => {
                    tracing::error!(connection = name, subject, "NATS does not let this user publish here");
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

/// Of `Permissions Violation for Publish to "dlq.malformed"`.
fn denied_subject(error: &str) -> Option<&str> {
    const WORDS: &str = "permissions violation for publish to ";
    let rest =
        error.get(..WORDS.len()).filter(|words| words.eq_ignore_ascii_case(WORDS)).and(error.get(WORDS.len()..))?;
    Some(rest.trim_matches(['"', '\'', ' ']))
}

#[cfg(test)]
mod tests {
    use super::denied_subject;

    #[test]
    fn subject_of_a_violation() {
        assert_eq!(denied_subject("Permissions Violation for Publish to \"dlq.malformed\""), Some("dlq.malformed"));
        assert_eq!(denied_subject("permissions violation for publish to \"raw.1\""), Some("raw.1"));
        assert_eq!(denied_subject("Permissions Violation for Subscription to \"in.1\""), None);
        assert_eq!(denied_subject("Stale Connection"), None);
    }
}
