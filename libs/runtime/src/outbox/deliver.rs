//! Many keys at a time into a bucket. Each is written by compare-and-set, and none waits for another that fails.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use async_nats::jetstream::kv::Operation;
use bytes::Bytes;
use futures::{StreamExt, future::BoxFuture, stream};
use tracing::{Instrument, Span};

use super::{
    Relay, States,
    outcome::{Outcome, unanswered},
};
use crate::{bus::Bucket, error::Result};

/// Keys that are asked for or written at a time.
const AT_ONCE: usize = 64;
/// How long one answer may take. What was asked of a server that then died is never answered; it is asked anew.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// A key as the bucket has it.
struct CurrentEntry {
    key: String,
    revision: u64,
    value: Option<Bytes>,
}

impl<S: States> Relay<S> {
    /// Brings keys of the bucket to their present states, all that can be. The first failure is the error.
    pub async fn put(&self, keys: Vec<String>) -> Result<()> {
        let outcomes = self.deliver(keys.into_iter().map(|key| (key, Span::none())).collect()).await;
        let errors = outcomes.into_values().find_map(|outcome| match outcome {
            Outcome::Failed(error) | Outcome::Unanswered(error) => Some(error),
            Outcome::Arrived | Outcome::Untried => None,
        });
        errors.map_or(Ok(()), Err)
    }

    /// Brings keys of the bucket to their present states. The revisions in the bucket are read before the states: if
    /// anybody writes a key in between, the conditional write fails and both are read again.
    pub(super) async fn deliver(&self, mut spans: HashMap<String, Span>) -> HashMap<String, Outcome> {
        let mut outcomes = HashMap::with_capacity(spans.len());
        let away = AtomicBool::new(false);
        while !spans.is_empty() {
            let (current, failed) = self.read_entries(spans.keys().cloned().collect(), &away).await;
            outcomes.extend(failed);
            let states = self.read(current.iter().map(|current| current.key.clone()).collect()).await;
            let writes: Vec<_> = current
                .into_iter()
                .map(|current| {
                    let state = states.get(&current.key).cloned().unwrap_or(Ok(None));
                    let span = spans.get(&current.key).cloned().unwrap_or_else(Span::none);
                    self.write(current, state, &away).instrument(span)
                })
                .collect();
            let written: Vec<_> = stream::iter(writes).buffer_unordered(AT_ONCE).collect().await;
            let again: Vec<String> =
                written.iter().filter(|(_, it)| it.is_none()).map(|(key, _)| key.clone()).collect();
            outcomes.extend(written.into_iter().filter_map(|(key, outcome)| Some((key, outcome?))));
            spans.retain(|key, _| again.contains(key));
        }
        outcomes
    }

    /// What the bucket has of these keys.
    async fn read_entries(&self, keys: Vec<String>, away: &AtomicBool) -> (Vec<CurrentEntry>, Vec<(String, Outcome)>) {
        let reads: Vec<_> = keys.into_iter().map(|key| self.read_entry(key, away)).collect();
        let (mut current, mut failed) = (Vec::new(), Vec::new());
        let mut entries = stream::iter(reads).buffer_unordered(AT_ONCE);
        while let Some(entry) = entries.next().await {
            match entry {
                Ok(found) => current.push(found),
                Err(outcome) => failed.push(outcome),
            }
        }
        (current, failed)
    }

    async fn read_entry(&self, key: String, away: &AtomicBool) -> std::result::Result<CurrentEntry, (String, Outcome)> {
        if away.load(Ordering::Relaxed) {
            return Err((key, Outcome::Untried));
        }
        match tokio::time::timeout(ANSWER_TIMEOUT, self.bucket.entry(&key)).await {
            Ok(Ok(entry)) => {
                let revision = entry.as_ref().map_or(0, |entry| entry.revision);
                let value = entry.filter(|entry| entry.operation == Operation::Put).map(|entry| entry.value);
                Ok(CurrentEntry { key, revision, value })
            }
            Ok(Err(error)) => Err((key, Outcome::Failed(error))),
            Err(_) => Err((key, unanswered(away))),
        }
    }

    /// The states of keys; when they cannot be read together, each by itself, so that one alone fails.
    async fn read(&self, keys: Vec<String>) -> HashMap<String, Result<Option<Bytes>>> {
        if keys.is_empty() {
            return HashMap::new();
        }
        if let Ok(states) = self.present(keys.clone()).await {
            return states.into_iter().map(|(key, state)| (key, Ok(Some(state)))).collect();
        }
        let reads: Vec<_> = keys.into_iter().map(|key| self.read_one(key)).collect();
        stream::iter(reads).buffer_unordered(AT_ONCE).collect().await
    }

    async fn read_one(&self, key: String) -> (String, Result<Option<Bytes>>) {
        let state = self.present(vec![key.clone()]).await.map(|mut states| states.remove(&key));
        (key, state)
    }

    /// Boxed, or what the states come from, which may put into other buckets, would be part of whatever waits for it.
    fn present(&self, keys: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, Bytes>>> {
        Box::pin(self.states.states(&self.db, keys))
    }

    /// Writes one key; no outcome when somebody else did meanwhile.
    async fn write(
        &self,
        current: CurrentEntry,
        state: Result<Option<Bytes>>,
        away: &AtomicBool,
    ) -> (String, Option<Outcome>) {
        let CurrentEntry { key, revision, value } = current;
        let state = match state {
            Err(error) => return (key, Some(Outcome::Failed(error))),
            Ok(state) if state == value => return (key, Some(Outcome::Arrived)),
            Ok(_) if away.load(Ordering::Relaxed) => return (key, Some(Outcome::Untried)),
            Ok(state) => state,
        };
        let written = async {
            match state {
                Some(state) => self.bucket.update(&key, state, revision).await,
                None => self.bucket.delete_expect_revision(&key, Some(revision)).await,
            }
        };
        let outcome = match tokio::time::timeout(ANSWER_TIMEOUT, written).await {
            Ok(Ok(())) => Some(Outcome::Arrived),
            Ok(Err(error)) if Bucket::is_wrong_sequence(&error) => None,
            Ok(Err(error)) => Some(Outcome::Failed(error)),
            Err(_) => Some(unanswered(away)),
        };
        (key, outcome)
    }
}
