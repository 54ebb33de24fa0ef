//! Of which vehicles alarms stand, as notification tells it: what a vehicle does now is counted with them.

use std::{
    collections::HashSet,
    sync::{Arc, RwLock, RwLockReadGuard},
};

use armada_proto::{DeviceId, alarm::BUCKET, coded, v1::StandingAlarms};
use armada_runtime::{
    Bus, Context, Result,
    bus::{Bucket, BucketUpdate},
};
use async_nats::jetstream::kv;

/// The service that owns the bucket.
const NOTIFICATION: &str = "notification";

/// Makes the bucket, as its owner does: ingest begins without that one.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// The devices. Cheap to clone.
#[derive(Clone)]
pub struct Alarmed {
    bucket: Bucket,
    devices: Arc<RwLock<HashSet<DeviceId>>>,
}

impl Alarmed {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self { bucket: context.bucket(BUCKET, NOTIFICATION).await?, devices: Arc::default() })
    }

    /// All of them, for many questions. Holds the lock.
    pub fn devices(&self) -> RwLockReadGuard<'_, HashSet<DeviceId>> {
        self.devices.read().expect("no panic while held")
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        let mut follower = self.bucket.follow(|_, value| coded::decode::<StandingAlarms>(value));
        loop {
            let update = follower.next().await;
            let mut devices = self.devices.write().expect("no panic while held");
            match update {
                BucketUpdate::All(all) => {
                    // Of those of which nothing can be said, what was known goes on to hold.
                    devices.retain(|device| all.refused.contains(&device.to_string()));
                    devices.extend(all.entries.keys().filter_map(|key| key.parse::<DeviceId>().ok()));
                }
                BucketUpdate::Changed(key, alarms) => {
                    let Ok(device) = key.parse::<DeviceId>() else { continue };
                    devices.remove(&device);
                    devices.extend(alarms.map(|_| device));
                }
                BucketUpdate::Refused(_) => {}
            }
        }
    }
}
