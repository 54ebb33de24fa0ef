//! Where an IMEI was heard while nobody had it: position-ingest notes that in the bucket `heard`.

use std::{collections::HashMap, time::Duration};

use armada_proto::{coded, heard_imeis, v1::ImeiHeard};
use armada_runtime::{Context, Error, Result, bus::Bucket};
use async_nats::jetstream::kv::Operation;
use futures::{StreamExt, TryStreamExt, stream};

/// The service that listens.
const INGEST: &str = "position-ingest";
/// How long NATS may take; whoever names an IMEI does not wait for longer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Questions to the bucket at a time.
const ASK_AT_ONCE: usize = 32;

/// Asks the bucket. Cheap to clone.
#[derive(Clone)]
pub struct HeardImeiLookup(Context);

impl HeardImeiLookup {
    /// As this service. The bucket need not be there yet.
    pub fn new(context: Context) -> Self {
        Self(context)
    }

    /// What was heard of an IMEI; none when it never was. An error when that cannot be said now.
    pub async fn of(&self, imei: &str) -> Result<Option<ImeiHeard>> {
        let asked = async {
            let bucket = self.open().await?;
            let heard = lookup(&bucket, imei).await?;
            // What did not fit was heard all the same.
            if heard.is_none() && is_full(&bucket) {
                return Err(Error::unavailable("the bucket of what was heard is full"));
            }
            Ok(heard)
        };
        tokio::time::timeout(ANSWER_TIMEOUT, asked).await.map_err(|_| Error::unavailable("NATS does not answer"))?
    }

    /// What was heard of those of many IMEIs that were heard.
    pub async fn of_many(&self, imeis: Vec<String>) -> Result<HashMap<String, ImeiHeard>> {
        let asked = async {
            let bucket = self.open().await?;
            let answers = stream::iter(imeis).map(|imei| {
                let bucket = bucket.clone();
                async move { Ok::<_, Error>(lookup(&bucket, &imei).await?.map(|heard| (imei, heard))) }
            });
            let found: Vec<_> = answers.buffer_unordered(ASK_AT_ONCE).try_collect().await?;
            Ok(found.into_iter().flatten().collect())
        };
        tokio::time::timeout(ANSWER_TIMEOUT, asked).await.map_err(|_| Error::unavailable("NATS does not answer"))?
    }

    async fn open(&self) -> Result<Bucket> {
        self.0.bucket(heard_imeis::BUCKET, INGEST).await
    }
}

/// What ingest wrote of an IMEI. What it did not write says nothing, not even that the IMEI was never heard.
async fn lookup(bucket: &Bucket, imei: &str) -> Result<Option<ImeiHeard>> {
    let entry = bucket.entry(imei).await?;
    let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else { return Ok(None) };
    let unreadable = || Error::unavailable(format!("what the bucket says of {imei} cannot be read"));
    coded::decode(&entry.value).ok_or_else(unreadable).map(Some)
}

/// As of when the bucket was opened, a moment ago.
fn is_full(bucket: &Bucket) -> bool {
    let info = bucket.store().stream.cached_info();
    let bytes = i64::try_from(info.state.bytes).unwrap_or(i64::MAX);
    info.config.max_bytes > 0 && bytes.saturating_add(heard_imeis::FREE_BYTES) > info.config.max_bytes
}
