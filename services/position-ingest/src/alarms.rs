//! Which alarms of vehicles stand, as notification tells it: what a vehicle does now is counted with them.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock, RwLockReadGuard},
};

use armada_proto::{
    DeviceId,
    alarm::BUCKET,
    coded,
    v1::{StandingAlarm, StandingAlarms},
};
use armada_runtime::{
    Bus, Context, Result,
    bus::{Bucket, BucketUpdate},
};
use async_nats::jetstream::kv;
use foldhash::fast::RandomState;

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
pub struct StandingAlarmCache {
    bucket: Bucket,
    alarms: Arc<RwLock<ByDevice>>,
}

impl StandingAlarmCache {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self { bucket: context.bucket(BUCKET, NOTIFICATION).await?, alarms: Arc::default() })
    }

    /// All of them, for many questions. Holds the lock.
    pub fn alarms(&self) -> RwLockReadGuard<'_, ByDevice> {
        self.alarms.read().expect("no panic while held")
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        let mut follower = self.bucket.follow(|_, value| coded::decode::<StandingAlarms>(value).and_then(first));
        loop {
            let update = follower.next().await;
            let mut alarms = self.alarms.write().expect("no panic while held");
            match update {
                BucketUpdate::All(all) => {
                    // Of those of which nothing can be said, what was known goes on to hold.
                    alarms.retain(|device, _| all.refused.contains(&device.to_string()));
                    let present = all.entries.into_iter();
                    alarms.extend(present.filter_map(|(key, alarm)| Some((key.parse().ok()?, alarm))));
                }
                BucketUpdate::Changed(key, alarm) => {
                    let Ok(device) = key.parse::<DeviceId>() else { continue };
                    match alarm {
                        Some(alarm) => drop(alarms.insert(device, alarm)),
                        None => drop(alarms.remove(&device)),
                    }
                }
                BucketUpdate::Refused(_) => {}
            }
        }
    }
}

/// There is no entry of a device of which none stands.
fn first(standing: StandingAlarms) -> Option<StandingAlarm> {
    standing.alarms.into_iter().next()
}
