//! Following a bucket: first all that is in it, then every change; all again whenever something may have been missed.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use armada_proto::Timestamp;
use async_nats::jetstream::{
    Message,
    consumer::{DeliverPolicy, ReplayPolicy, push},
};
use futures::StreamExt;
use tokio::{
    sync::watch,
    time::{Interval, MissedTickBehavior, interval, timeout},
};
use tokio_util::sync::CancellationToken;

use super::bucket::{Bucket, value};
use crate::{
    auth::entry::{EntryContent, EntryVerifier, Verdict, fingerprint},
    error::{Error, Result},
};

/// When to begin again after the bucket was lost.
const RETRY: Duration = Duration::from_millis(200);
/// When to try again what could not be applied.
const APPLY_RETRY: Duration = Duration::from_secs(2);
/// How often is checked whether the bucket is still the one that is followed.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long the server may take for an answer, or for the next of what the bucket holds.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Keys beyond which those that the bucket has dropped by their age are forgotten here.
const MANY: usize = 10_000;

/// What a follower of a bucket receives.
#[derive(Debug, PartialEq, Eq)]
pub enum BucketUpdate<T> {
    /// All that the bucket holds; whatever was known beside it is no more.
    All(All<T>),
    /// A key has another value, or none any more.
    Changed(String, Option<T>),
    /// The owner did not write what is at this key now, or wrote it before what was seen already, or it cannot be read.
    /// What was known of it goes on to hold; the owner writes it anew.
    Refused(String),
}

/// The whole state of a bucket.
#[derive(Debug, PartialEq, Eq)]
pub struct All<T> {
    /// The keys that have a value.
    pub entries: HashMap<String, T>,
    /// Keys of which nothing can be said; what was known of them goes on to hold.
    pub refused: HashSet<String>,
}

impl<T> BucketUpdate<T> {
    /// The values that came: all of them, or the one that changed; none with a deletion or a refusal.
    pub fn into_values(self) -> Vec<T> {
        match self {
            Self::All(all) => all.entries.into_values().collect(),
            Self::Changed(_, value) => value.into_iter().collect(),
            Self::Refused(_) => Vec::new(),
        }
    }
}

impl<T> All<T> {
    /// Whether there is something at a key, even what cannot be believed. Of a key that is not there nothing holds any more.
    pub fn holds(&self, key: &str) -> bool {
        self.entries.contains_key(key) || self.refused.contains(key)
    }
}

/// What was last seen of a key.
struct LastSeen {
    issued: i64,
    fingerprint: [u8; 32],
}

impl Bucket {
    /// Follows the whole bucket. `decode` reads the value of a key; a value that it cannot read is reported and kept from
    /// whoever follows, as one that the owner did not write.
    pub fn follow<T>(&self, decode: fn(&str, &[u8]) -> Option<T>) -> Follower<T> {
        Follower::new(self.clone(), decode)
    }
}

/// Reads a bucket for ever.
pub struct Follower<T> {
    bucket: Bucket,
    decode: fn(&str, &[u8]) -> Option<T>,
    seen: HashMap<String, LastSeen>,
    reading: Option<Reading>,
    /// Begin again only after a pause.
    pause: bool,
    /// Whether the last attempt failed, so that a server that is away is reported once.
    failing: bool,
    current: Arc<AtomicI64>,
}

/// A consumer of the bucket as it was made.
struct Reading {
    messages: push::Ordered,
    created: i128,
    connections: watch::Receiver<u64>,
    keys: Option<watch::Receiver<u64>>,
    /// Something was signed with a key that nobody has vouched for yet.
    unknown_key: bool,
    /// The last message that came, by its number.
    read: u64,
    /// The bucket held more than had come when it was looked at last.
    stalled_at: Option<u64>,
    checks: Interval,
}

/// What one message says.
enum Applied<T> {
    Entry(String, Option<T>),
    Refused(String),
    Nothing,
}

impl<T> Follower<T> {
    pub(super) fn new(bucket: Bucket, decode: fn(&str, &[u8]) -> Option<T>) -> Self {
        let current = Arc::new(AtomicI64::new(Timestamp::now().millis()));
        Self { bucket, decode, seen: HashMap::new(), reading: None, pause: false, failing: false, current }
    }

    /// When it was last certain that nothing in the bucket is unknown here, in milliseconds since 1970.
    pub fn current(&self) -> Arc<AtomicI64> {
        self.current.clone()
    }

    /// Has `apply` use each update, one after the other, until shutdown, which does not wait for one that is being applied.
    /// When it fails, the log says "cannot `purpose`; will try again", and two seconds later everything comes again, with
    /// what has changed meanwhile: nothing is left out, and what comes a second time must change nothing.
    pub async fn apply_each<F: Future<Output = Result<()>>>(
        mut self,
        shutdown: CancellationToken,
        purpose: &'static str,
        mut apply: impl FnMut(BucketUpdate<T>) -> F,
    ) {
        let for_ever = async {
            loop {
                let update = self.next().await;
                if let Err(error) = apply(update).await {
                    let bucket = self.bucket.name();
                    tracing::warn!(bucket, %error, "cannot {purpose}; will try again");
                    self.reading = None;
                    tokio::time::sleep(APPLY_RETRY).await;
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
    }

    /// What there is to hear next. Waits for ever; nothing is lost when it is asked again after it was dropped at the end
    /// of the process alone.
    pub async fn next(&mut self) -> BucketUpdate<T> {
        loop {
            if std::mem::take(&mut self.pause) {
                tokio::time::sleep(RETRY).await;
            }
            let Some(mut reading) = self.reading.take() else {
                match self.begin().await {
                    Ok((reading, all)) => {
                        self.reading = Some(reading);
                        self.failing = false;
                        self.is_current();
                        return BucketUpdate::All(all);
                    }
                    Err(error) => {
                        if !std::mem::replace(&mut self.failing, true) {
                            let bucket = self.bucket.name();
                            tracing::warn!(bucket, error = error.message, "cannot follow the bucket; will try again");
                        }
                        self.pause = true;
                    }
                }
                continue;
            };
            match self.read_next(&mut reading).await {
                Ok(applied) => {
                    self.reading = Some(reading);
                    match applied {
                        Applied::Entry(key, value) => return BucketUpdate::Changed(key, value),
                        Applied::Refused(key) => return BucketUpdate::Refused(key),
                        Applied::Nothing => {}
                    }
                }
                Err(error) => {
                    tracing::debug!(bucket = self.bucket.name(), error = error.message, "reads the bucket again");
                    self.pause = true;
                }
            }
        }
    }

    /// Opens a consumer and reads what the bucket holds.
    async fn begin(&mut self) -> Result<(Reading, All<T>)> {
        // What cannot be judged yet must not be taken for forged: whoever begins would know nothing.
        let keys = match &self.bucket.proof {
            EntryVerifier::Owner(keys, owner) => {
                keys.loaded(owner).await;
                Some(keys.changes())
            }
            EntryVerifier::Readers(_) => None,
        };
        let connections = self.bucket.bus.connections();
        let stream = &self.bucket.store.stream;
        let info = timeout(TIMEOUT, stream.get_info()).await.map_err(Error::unavailable)?;
        let created = info.map_err(Error::unavailable)?.created.unix_timestamp_nanos();
        let config = push::OrderedConfig {
            deliver_subject: self.bucket.bus.client.new_inbox(),
            filter_subject: format!("{}>", self.bucket.store.prefix),
            replay_policy: ReplayPolicy::Instant,
            deliver_policy: DeliverPolicy::LastPerSubject,
            ..push::OrderedConfig::default()
        };
        let consumer = timeout(TIMEOUT, stream.create_consumer(config)).await.map_err(Error::unavailable)?;
        let consumer = consumer.map_err(Error::unavailable)?;
        let mut pending = consumer.cached_info().num_pending;
        let mut checks = interval(CHECK_INTERVAL);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        checks.reset();
        let messages = consumer.messages().await.map_err(Error::unavailable)?;
        let (unknown_key, read, stalled_at) = (false, 0, None);
        let mut reading = Reading { messages, created, connections, keys, unknown_key, read, stalled_at, checks };
        let mut all = All { entries: HashMap::new(), refused: HashSet::new() };
        while pending > 0 {
            let message = timeout(TIMEOUT, reading.messages.next()).await.map_err(Error::unavailable)?;
            let message = message.ok_or_else(|| Error::unavailable("its reader ended"))?.map_err(Error::unavailable)?;
            let applied;
            (applied, pending) = self.apply(&mut reading, &message)?;
            match applied {
                Applied::Entry(key, Some(value)) => {
                    all.refused.remove(&key);
                    all.entries.insert(key, value);
                }
                Applied::Entry(key, None) => {
                    all.refused.remove(&key);
                    all.entries.remove(&key);
                }
                Applied::Refused(key) => drop(all.refused.insert(key)),
                Applied::Nothing => {}
            }
        }
        Ok((reading, all))
    }

    /// Waits for the next message; an error when everything must be read again.
    async fn read_next(&mut self, reading: &mut Reading) -> Result<Applied<T>> {
        tokio::select! {
            _ = reading.connections.changed() => Err(Error::unavailable("another connection")),
            () = changed(&mut reading.keys) => match reading.unknown_key {
                true => Err(Error::unavailable("other keys are believed")),
                false => Ok(Applied::Nothing),
            },
            _ = reading.checks.tick() => self.check(reading).await.map(|()| Applied::Nothing),
            message = reading.messages.next() => {
                let message = message.ok_or_else(|| Error::unavailable("its reader ended"))?;
                let (applied, _) = self.apply(reading, &message.map_err(Error::unavailable)?)?;
                if !matches!(applied, Applied::Nothing) {
                    self.is_current();
                }
                Ok(applied)
            }
        }
    }

    /// Whether it is still the same bucket, and all of it has come.
    async fn check(&mut self, reading: &mut Reading) -> Result<()> {
        self.forget_old();
        // A server that is away is no reason to read everything again: the connection tells of its return.
        let Ok(Ok(info)) = timeout(TIMEOUT, self.bucket.store.stream.get_info()).await else { return Ok(()) };
        if info.created.unix_timestamp_nanos() != reading.created {
            return Err(Error::unavailable("another bucket"));
        }
        let last = info.state.last_sequence;
        if info.state.messages == 0 || last <= reading.read {
            reading.stalled_at = None;
            self.is_current();
            return Ok(());
        }
        match reading.stalled_at.replace(reading.read) {
            Some(read) if read == reading.read => Err(Error::unavailable("messages do not come")),
            _ => Ok(()),
        }
    }

    fn apply(&mut self, reading: &mut Reading, message: &Message) -> Result<(Applied<T>, u64)> {
        let info = message.info().map_err(Error::unavailable)?;
        reading.read = info.stream_sequence;
        let pending = info.pending;
        let Some(key) = message.subject.strip_prefix(self.bucket.store.prefix.as_str()) else {
            return Ok((Applied::Nothing, pending));
        };
        let headers = message.headers.as_ref();
        let content = EntryContent { bucket: self.bucket.name(), key, value: value(headers, &message.payload) };
        let fingerprint = fingerprint(&content, headers);
        let seen = self.seen.get(key);
        let why = match seen.filter(|seen| seen.fingerprint == fingerprint) {
            Some(_) => None,
            None => match self.bucket.proof.verify(&content, headers) {
                Verdict::Valid(issued) if seen.is_some_and(|seen| seen.issued > issued) => Some("an old one"),
                Verdict::Valid(issued) => {
                    self.bucket.newest.fetch_max(issued, Ordering::Relaxed);
                    self.seen.insert(key.to_owned(), LastSeen { issued, fingerprint });
                    None
                }
                Verdict::NotForUs => return Ok((Applied::Nothing, pending)),
                Verdict::UnknownKey => {
                    reading.unknown_key = true;
                    Some("signed with a key that nobody vouches for")
                }
                Verdict::Forged => Some("not written by its owner"),
            },
        };
        let applied = match (why, content.value) {
            (None, None) => Applied::Entry(key.to_owned(), None),
            (None, Some(value)) => match (self.decode)(key, value) {
                Some(value) => Applied::Entry(key.to_owned(), Some(value)),
                None => self.refuse(key, "unreadable"),
            },
            (Some(why), _) => self.refuse(key, why),
        };
        Ok((applied, pending))
    }

    fn refuse(&self, key: &str, why: &'static str) -> Applied<T> {
        let bucket = self.bucket.name();
        self.bucket.bus.refused(bucket);
        tracing::warn!(bucket, key, why, "an entry is ignored");
        Applied::Refused(key.to_owned())
    }

    fn is_current(&self) {
        self.current.store(Timestamp::now().millis(), Ordering::Relaxed);
    }

    /// Entries of a bucket with an age go away without a word.
    fn forget_old(&mut self) {
        let age = self.bucket.store.stream.cached_info().config.max_age;
        if !age.is_zero() && self.seen.len() > MANY {
            let oldest = Timestamp::now().millis() - age.as_millis() as i64;
            self.seen.retain(|_, seen| seen.issued > oldest);
        }
    }
}

async fn changed(keys: &mut Option<watch::Receiver<u64>>) {
    let there = match keys {
        Some(keys) => keys.changed().await.is_ok(),
        None => false,
    };
    if !there {
        std::future::pending::<()>().await;
    }
}
