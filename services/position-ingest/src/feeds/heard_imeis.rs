//! IMEIs that were heard while nobody had them, with the gateways that they came through: fleet asks when a tenant names
//! one. What is noted of an IMEI is written when it is new, comes through another gateway, or is some minutes old.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use armada_proto::{
    Timestamp, coded,
    heard_imeis::{BUCKET, MAX_BYTES},
    v1::ImeiHeard,
};
use armada_runtime::{Bus, Context, Result, bus::Bucket};
use armada_track::TrackerId;
use async_nats::jetstream::kv::{self, Operation};
use futures::{TryStreamExt, stream::FuturesUnordered};

/// Gateways that are kept of an IMEI.
const GATEWAYS_MAX: usize = 8;
/// Characters of a gateway's name that are kept: one more than a tenant's gateway may have.
const GATEWAY_CHARS: usize = 65;
/// How old what is recorded may get before it is written again.
const OLD_MS: i64 = 10 * 60 * 1000;
/// What was not heard for so long is forgotten.
const MAX_AGE: Duration = Duration::from_secs(366 * 24 * 3600);
/// IMEIs that are not read again before they are written.
const CACHED_MAX: u64 = 100_000;
/// Keys that are written at a time.
const AT_ONCE: usize = 32;

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config {
        bucket: BUCKET.to_owned(),
        history: 1,
        max_age: MAX_AGE,
        max_bytes: MAX_BYTES,
        ..kv::Config::default()
    })
    .await
}

/// What one commit batch heard of IMEIs that nobody has.
#[derive(Default)]
pub struct HeardImeisInBatch(BTreeMap<TrackerId, Fixes>);

struct Fixes {
    gateways: BTreeSet<String>,
    first: i64,
    last: i64,
    count: u32,
}

impl HeardImeisInBatch {
    /// So many fixes of an IMEI that came in a message which the receiver wrote at `stream_ts`.
    pub fn record(&mut self, imei: TrackerId, gateway: &str, stream_ts: i64, fixes: u32) {
        let recorded = self.0.entry(imei).or_insert_with(|| Fixes {
            gateways: BTreeSet::new(),
            first: stream_ts,
            last: stream_ts,
            count: 0,
        });
        recorded.last = recorded.last.max(stream_ts);
        recorded.count = recorded.count.saturating_add(fixes);
        if recorded.gateways.len() <= GATEWAYS_MAX && !recorded.gateways.contains(gateway) {
            recorded.gateways.insert(gateway.chars().take(GATEWAY_CHARS).collect());
        }
    }
}

/// The bucket, and what this process knows that it holds. Cheap to clone.
#[derive(Clone)]
pub struct HeardImeis {
    bucket: Bucket,
    cached: moka::sync::Cache<TrackerId, ImeiHeard>,
}

impl HeardImeis {
    /// Opens the bucket.
    pub async fn open(context: &Context) -> Result<Self> {
        let cached = moka::sync::Cache::builder().max_capacity(CACHED_MAX).build();
        Ok(Self { bucket: context.own_bucket(BUCKET).await?, cached })
    }

    /// Writes down what a commit batch heard; doing it again counts the fixes again and changes nothing else.
    pub async fn store(&self, batch: &HeardImeisInBatch) -> Result<()> {
        let mut writes = FuturesUnordered::new();
        for (&imei, fixes) in &batch.0 {
            if writes.len() >= AT_ONCE {
                writes.try_next().await?;
            }
            writes.push(self.store_one(imei, fixes));
        }
        while writes.try_next().await?.is_some() {}
        Ok(())
    }

    async fn store_one(&self, imei: TrackerId, fixes: &Fixes) -> Result<()> {
        if self.cached.get(&imei).is_some_and(|known| !is_worth_writing(&known, fixes)) {
            return Ok(());
        }
        let key = imei.to_string();
        loop {
            let entry = self.bucket.entry(&key).await?;
            let revision = entry.as_ref().map_or(0, |entry| entry.revision);
            let there = entry.filter(|entry| entry.operation == Operation::Put).map(|entry| entry.value);
            // What cannot be read is written anew.
            let mut heard = there.and_then(|value| coded::decode::<ImeiHeard>(&value)).unwrap_or_default();
            add(&mut heard, fixes);
            match self.bucket.update(&key, coded::encode(&heard).into(), revision).await {
                Ok(_) => {
                    self.cached.insert(imei, heard);
                    return Ok(());
                }
                Err(error) if Bucket::is_wrong_sequence(&error) => {}
                // Fleet sees that the bucket is full, and takes every IMEI for heard.
                Err(error) if error.message.contains("maximum bytes exceeded") => {
                    tracing::warn!("the bucket of IMEIs that were heard is full");
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Whether it is worth writing.
fn is_worth_writing(known: &ImeiHeard, fixes: &Fixes) -> bool {
    let old = known.last_heard.is_none_or(|last| fixes.last - last.millis() >= OLD_MS);
    old || (!known.more_gateways && fixes.gateways.iter().any(|gateway| !known.gateways.contains(gateway)))
}

fn add(heard: &mut ImeiHeard, fixes: &Fixes) {
    for gateway in &fixes.gateways {
        if heard.gateways.contains(gateway) {
            continue;
        }
        if heard.gateways.len() < GATEWAYS_MAX {
            heard.gateways.push(gateway.clone());
        } else {
            heard.more_gateways = true;
        }
    }
    let first = heard.first_heard.map_or(fixes.first, |first| first.millis().min(fixes.first));
    let last = heard.last_heard.map_or(fixes.last, |last| last.millis().max(fixes.last));
    heard.first_heard = Some(Timestamp::from_millis(first));
    heard.last_heard = Some(Timestamp::from_millis(last));
    heard.fixes = heard.fixes.saturating_add(fixes.count);
}
