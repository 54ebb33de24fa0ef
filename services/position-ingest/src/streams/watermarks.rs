//! Who else reads RAW and POSITIONS, and how far each one is: what a registered consumer has not read is not purged.
//!
//! A consumer registers once, for all partitions of a stream, before it reads; says now and then from where on it still
//! needs messages; and is removed by whoever retires it. The bucket has a key `<stream>.<consumer>.<partition>` for each
//! watermark; its value is the stream's sequence of the next message that is needed, in decimal digits.

use std::collections::HashMap;

use armada_proto::Timestamp;
use armada_runtime::{Bus, Database, Error, Result, Scope};
use async_nats::jetstream::kv;
use futures::TryStreamExt;
use sea_orm::EntityTrait;

use super::names;
use crate::entity::partition;

/// Name of the bucket.
pub const BUCKET: &str = "watermarks";

/// How far one consumer is in one partition of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watermark {
    /// [`names::RAW`] or [`names::POSITIONS`].
    pub stream: String,
    /// The consumer's name.
    pub consumer: String,
    /// 0 to P − 1.
    pub partition: u32,
    /// The sequence of the next message that it needs; 0 when the value cannot be read, so that nothing is lost.
    pub next: u64,
    /// When it last said so.
    pub heard: Timestamp,
}

/// Makes the bucket.
pub(crate) async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// The registered consumers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Consumers(kv::Store);

impl Consumers {
    /// Opens the bucket.
    pub async fn open(bus: &Bus) -> Result<Self> {
        Ok(Self(bus.bucket(BUCKET).await?))
    }

    /// Registers a consumer that needs every message from sequence `next` on, in each of so many partitions. One that is
    /// registered keeps its watermarks.
    pub async fn register(&self, stream: &str, consumer: &str, partitions: u32, next: u64) -> Result<()> {
        for partition in 0..partitions {
            let key = key(stream, consumer, partition)?;
            match self.0.create(&key, next.to_string().into()).await {
                Ok(_) => {}
                Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::unavailable(error)),
            }
        }
        Ok(())
    }

    /// Says that a consumer needs nothing before sequence `next` any more in a partition. Say it also when nothing has
    /// changed, once a minute: a consumer that is not heard of is reported.
    pub async fn advance(&self, stream: &str, consumer: &str, partition: u32, next: u64) -> Result<()> {
        let key = key(stream, consumer, partition)?;
        self.0.put(&key, next.to_string().into()).await.map_err(Error::unavailable)?;
        Ok(())
    }

    /// All watermarks.
    pub async fn list(&self) -> Result<Vec<Watermark>> {
        let mut keys: Vec<String> =
            self.0.keys().await.map_err(Error::unavailable)?.try_collect().await.map_err(Error::unavailable)?;
        keys.sort_unstable();
        let mut watermarks = Vec::with_capacity(keys.len());
        for key in keys {
            // It may have been removed meanwhile.
            if let Some(entry) = self.0.entry(&key).await.map_err(Error::unavailable)?
                && entry.operation == kv::Operation::Put
            {
                watermarks.extend(watermark(&entry));
            }
        }
        Ok(watermarks)
    }

    /// Forgets a consumer; how many watermarks it had.
    pub async fn remove(&self, stream: &str, consumer: &str) -> Result<usize> {
        let mut removed = 0;
        for mark in self.list().await? {
            if mark.stream == stream && mark.consumer == consumer {
                let key = key(stream, consumer, mark.partition)?;
                self.0.delete(&key).await.map_err(Error::unavailable)?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

/// The first sequence of RAW that is not stored, or counted as refused, yet; 0 when the stream is another one than that
/// which was stored. A partition without anything to read does not hold the others up.
pub async fn committed_watermark(bus: &Bus, db: &Database) -> Result<u64> {
    let stream = bus.stream(names::RAW, &HashMap::new()).await?;
    let mut below = stream.cached_info().state.last_sequence + 1;
    let tx = db.read(&Scope::Platform).await?;
    let rows = partition::Entity::find().all(&tx).await?;
    tx.commit().await?;
    for row in rows {
        if row.stream_created != names::created(&stream) {
            return Ok(0);
        }
        let subject = names::raw_subject(row.partition as u32);
        if let Some(unread) = names::first_from(&stream, subject, row.next_seq.max(1) as u64).await? {
            below = below.min(unread.sequence);
        }
    }
    Ok(below)
}

fn key(stream: &str, consumer: &str, partition: u32) -> Result<String> {
    if ![names::RAW, names::POSITIONS].contains(&stream) {
        return Err(Error::field("stream", "unknown"));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if consumer.is_empty() || !consumer.chars().all(plain) {
        return Err(Error::field("consumer", "invalid"));
    }
    Ok(format!("{stream}.{consumer}.{partition}"))
}

/// A key of another form is nobody's, and is reported. A value that is no number is a consumer's that needs everything.
fn watermark(entry: &kv::Entry) -> Option<Watermark> {
    let mut parts = entry.key.split('.');
    let (Some(stream), Some(consumer), Some(Ok(partition)), None) =
        (parts.next(), parts.next(), parts.next().map(str::parse), parts.next())
    else {
        tracing::error!(key = entry.key, "the bucket {BUCKET} holds a key that is no consumer's");
        return None;
    };
    let next = std::str::from_utf8(&entry.value).ok().and_then(|text| text.parse().ok());
    if next.is_none() {
        tracing::error!(key = entry.key, "the bucket {BUCKET} holds a watermark that is no number");
    }
    Some(Watermark {
        stream: stream.to_owned(),
        consumer: consumer.to_owned(),
        partition,
        next: next.unwrap_or_default(),
        heard: Timestamp::from_millis((entry.created.unix_timestamp_nanos() / 1_000_000) as i64),
    })
}
