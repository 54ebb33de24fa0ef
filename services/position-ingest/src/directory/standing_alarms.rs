//! Which alarms of vehicles stand, as notification tells it: what a vehicle does now is counted with them.

use std::{collections::HashMap, sync::RwLockReadGuard};

use armada_proto::{
    DeviceId,
    alarm::BUCKET,
    coded,
    v1::{StandingAlarm, StandingAlarms},
};
use armada_runtime::{Bus, Context, Result};
use async_nats::jetstream::kv;
use foldhash::fast::RandomState;

use super::bucket_cache::BucketCache;

/// The service that owns the bucket.
const NOTIFICATION: &str = "notification";

/// Makes the bucket, as its owner does: ingest begins without that one.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Of each device the alarm that asks most of those that stand.
type ByDevice = HashMap<DeviceId, StandingAlarm, RandomState>;

/// The alarms of all devices. Cheap to clone.
#[derive(Clone)]
pub struct StandingAlarmCache(BucketCache<DeviceId, StandingAlarm>);

impl StandingAlarmCache {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self(BucketCache::open(context, BUCKET, NOTIFICATION, read).await?))
    }

    /// All of them, for many questions. Holds the lock.
    pub fn alarms(&self) -> RwLockReadGuard<'_, ByDevice> {
        self.0.entries()
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        self.0.follow().await
    }
}

/// There is no entry of a device of which none stands.
fn read(_: &str, value: &[u8]) -> Option<StandingAlarm> {
    coded::decode::<StandingAlarms>(value)?.alarms.into_iter().next()
}
