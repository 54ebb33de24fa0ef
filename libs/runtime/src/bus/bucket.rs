//! A bucket with one owner: what the owner writes is signed, and nothing else is read.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use armada_proto::Timestamp;
use async_nats::{
    HeaderMap,
    header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
    jetstream::{
        context::PublishErrorKind,
        kv::{self, Operation},
        stream::DirectGetErrorKind,
    },
};
use bytes::Bytes;
use futures::{Stream, StreamExt, TryStreamExt};

use super::{Bus, publish::Publication};
use crate::{
    auth::entry::{EntryContent, EntrySigner, EntryVerifier, Verdict},
    error::{Code, Error, Result},
};

/// The header by which a message says that it is a deletion.
pub(super) const OPERATION: &str = "KV-Operation";
const DELETE: &str = "DEL";
/// Keys of a bucket that are compared with a table together.
const KEYS: usize = 500;
/// Code of an error that says that somebody else has written meanwhile.
const WRONG_LAST_SEQUENCE: &str = "wrong_last_sequence";

/// A bucket and who may write it. Cheap to clone.
#[derive(Clone)]
pub struct Bucket {
    name: &'static str,
    pub(super) bus: Bus,
    pub(super) store: kv::Store,
    pub(super) proof: EntryVerifier,
    /// None for readers.
    stamp: Option<EntrySigner>,
    /// When the newest entry known here was written, in milliseconds since 1970: the next one is written later, whatever
    /// the clocks of two processes say.
    pub(super) newest: Arc<AtomicI64>,
}

/// The present state of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the bucket, for conditional writes.
    pub revision: u64,
    /// A value, or that there is none any more.
    pub operation: Operation,
    /// The value. Of what its owner did not write nothing is shown; it is empty then, and a value of ours never is.
    pub value: Bytes,
}

impl Bucket {
    pub(crate) async fn open(
        bus: &Bus,
        name: &'static str,
        proof: EntryVerifier,
        stamp: Option<EntrySigner>,
    ) -> Result<Self> {
        let store = bus.bucket(name).await?;
        bus.counts_refused(name);
        Ok(Self { name, bus: bus.clone(), store, proof, stamp, newest: Arc::default() })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The stream behind it.
    pub fn store(&self) -> &kv::Store {
        &self.store
    }

    /// The value of a key, if its owner wrote one.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>> {
        let entry = self.entry(key).await?;
        Ok(entry.filter(|entry| entry.operation == Operation::Put && !entry.value.is_empty()).map(|entry| entry.value))
    }

    /// The present state of a key, whoever wrote it; none when it was never written.
    pub async fn entry(&self, key: &str) -> Result<Option<Entry>> {
        let message = match self.store.stream.direct_get_last_for_subject(self.subject(key)).await {
            Ok(message) => message,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::unavailable(format!("bucket {}: {error}", self.name))),
        };
        let value = value(Some(&message.headers), &message.payload);
        let content = EntryContent { bucket: self.name, key, value };
        let revision = message.sequence;
        Ok(Some(match (self.proof.verify(&content, Some(&message.headers)), value) {
            (Verdict::Valid(issued), Some(_)) => {
                self.newest.fetch_max(issued, Ordering::Relaxed);
                Entry { revision, operation: Operation::Put, value: message.payload }
            }
            (Verdict::Valid(issued), None) => {
                self.newest.fetch_max(issued, Ordering::Relaxed);
                Entry { revision, operation: Operation::Delete, value: Bytes::new() }
            }
            _ => Entry { revision, operation: Operation::Put, value: Bytes::new() },
        }))
    }

    /// Writes a value, whatever was there.
    pub async fn put(&self, key: &str, value: Bytes) -> Result<()> {
        self.write(key, Some(value), None).await
    }

    /// Writes a value if the key is still as at `revision`; 0 when it was never written.
    pub async fn update(&self, key: &str, value: Bytes, revision: u64) -> Result<()> {
        self.write(key, Some(value), Some(revision)).await
    }

    /// Deletes a key, whatever was there.
    pub async fn delete(&self, key: &str) -> Result<()> {
        self.write(key, None, None).await
    }

    /// Deletes a key if it is still as at `revision`.
    pub async fn delete_expect_revision(&self, key: &str, revision: Option<u64>) -> Result<()> {
        self.write(key, None, revision).await
    }

    /// Whether a conditional write failed because somebody else has written meanwhile.
    pub fn is_wrong_sequence(error: &Error) -> bool {
        error.code == WRONG_LAST_SEQUENCE
    }

    /// The keys that are there, whoever wrote them.
    pub async fn keys(&self) -> Result<impl Stream<Item = Result<String>> + use<>> {
        let keys = self.store.keys().await.map_err(Error::unavailable)?;
        Ok(keys.map(|key| key.map_err(Error::unavailable)))
    }

    /// The same in chunks, as many at a time as one statement compares with a table. What fails ends them.
    pub async fn chunks_of_keys(&self) -> Result<impl Stream<Item = Result<Vec<String>>> + use<>> {
        Ok(self.keys().await?.try_chunks(KEYS).map_err(|error| error.1))
    }

    async fn write(&self, key: &str, value: Option<Bytes>, revision: Option<u64>) -> Result<()> {
        let stamp = self.stamp.as_ref().ok_or_else(|| Error::internal(format!("bucket {} is not ours", self.name)))?;
        let now = Timestamp::now().millis();
        let before = self.newest.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |newest| Some(now.max(newest + 1)));
        let issued = now.max(before.unwrap_or_default() + 1);
        let mut headers = HeaderMap::new();
        stamp.sign(&EntryContent { bucket: self.name, key, value: value.as_deref() }, issued, &mut headers)?;
        if let Some(revision) = revision {
            headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, revision.to_string());
        }
        if value.is_none() {
            headers.insert(OPERATION, DELETE);
        }
        let body = value.unwrap_or_default();
        let published = self.bus.publish(Publication { subject: self.subject(key), headers, body }).await;
        published.map(drop).map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => {
                Error::new(Code::Unavailable, WRONG_LAST_SEQUENCE, format!("bucket {}: {error}", self.name))
            }
            _ => Error::unavailable(format!("bucket {}: {error}", self.name)),
        })
    }

    fn subject(&self, key: &str) -> String {
        format!("{}{key}", self.store.prefix)
    }
}

/// What a message says of its key; none for a deletion.
pub(super) fn value<'a>(headers: Option<&HeaderMap>, payload: &'a [u8]) -> Option<&'a [u8]> {
    headers.is_none_or(|headers| headers.get(OPERATION).is_none()).then_some(payload)
}
