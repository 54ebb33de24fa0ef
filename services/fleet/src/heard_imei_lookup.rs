//! Where an IMEI was heard while nobody had it: position-ingest notes that in the bucket `heard`.

use std::collections::HashMap;

use armada_proto::{coded, heard_imeis, v1::ImeiHeard};
use armada_runtime::{Context, Error, Result, bus::Bucket};
use async_nats::jetstream::kv::Operation;

use crate::bucket_lookup::BucketLookup;

/// The service that listens.
const INGEST: &str = "position-ingest";

/// Asks the bucket. Cheap to clone.
#[derive(Clone)]
pub struct HeardImeiLookup(BucketLookup);

impl HeardImeiLookup {
    /// As this service. The bucket need not be there yet.
    pub fn new(context: Context) -> Self {
        Self(BucketLookup::new(context, heard_imeis::BUCKET, INGEST))
    }

    /// What was heard of an IMEI; none when it never was. An error when that cannot be said now.
    pub async fn of(&self, imei: &str) -> Result<Option<ImeiHeard>> {
        self.0
            .ask(|bucket| async move {
                let heard = lookup(&bucket, imei).await?;
                // What did not fit was heard all the same.
                if heard.is_none() && is_full(&bucket) {
                    return Err(Error::unavailable("the bucket of what was heard is full"));
                }
                Ok(heard)
            })
            .await
    }

    /// What was heard of those of many IMEIs that were heard.
    pub async fn of_many(&self, imeis: Vec<String>) -> Result<HashMap<String, ImeiHeard>> {
        self.0.ask_each(imeis.into_iter(), |bucket, imei| async move { lookup(&bucket, &imei).await }).await
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
