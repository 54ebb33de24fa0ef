//! Which alarms stand, for whoever shows or counts vehicles: the bucket `alarms`, made of the table.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use armada_proto::{
    DeviceId,
    alarm::BUCKET,
    coded,
    v1::{StandingAlarm, StandingAlarms},
};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::Bucket,
    outbox::{OutboxHandle, Relay},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, future::BoxFuture};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use tokio_util::sync::CancellationToken;

use crate::entity::alarm::{Column, Entity, Model};

/// Keys that a comparison holds at a time.
const CHUNK: usize = 500;
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

type States = BoxFuture<'static, Result<HashMap<String, Bytes>>>;

/// The table and the bucket.
#[derive(Clone)]
pub struct Standing {
    db: Database,
    bucket: Bucket,
}

impl Standing {
    /// Opens the bucket.
    pub async fn open(db: Database, context: &Context) -> Result<Self> {
        Ok(Self { db, bucket: context.own_bucket(BUCKET).await? })
    }

    /// What carries changes into the bucket.
    pub fn relay(&self, handle: OutboxHandle) -> Relay<impl Fn(Vec<String>) -> States + Send + Sync + use<>> {
        let this = self.clone();
        let states = move |keys: Vec<String>| -> States {
            let this = this.clone();
            Box::pin(async move { this.states(&keys).await })
        };
        Relay { db: self.db.clone(), bucket: self.bucket.clone(), handle, states }
    }

    /// What the bucket shall hold at these keys; nothing for a device of which no alarm stands.
    async fn states(&self, keys: &[String]) -> Result<HashMap<String, Bytes>> {
        let devices = keys.iter().filter_map(|key| key.parse::<DeviceId>().ok());
        let tx = self.db.read(&Scope::Platform).await?;
        let alarms = Entity::open().filter(Column::DeviceId.is_in(devices)).all(&tx).await?;
        tx.commit().await?;
        let mut of_devices = BTreeMap::<DeviceId, Vec<Model>>::new();
        for alarm in alarms {
            of_devices.entry(alarm.device_id).or_default().push(alarm);
        }
        let states = of_devices.into_iter().filter_map(|(device, alarms)| Some((device.to_string(), state(alarms)?)));
        Ok(states.collect())
    }

    /// Brings the bucket in step with the table once, both ways, whatever happened to either; then rests until shutdown.
    pub async fn reconcile(self, shutdown: CancellationToken) -> Result<()> {
        let until_done = async {
            while let Err(error) = self.reconcile_once().await {
                tracing::warn!(%error, "cannot compare the bucket of alarms with the table; will try again");
                tokio::time::sleep(RETRY).await;
            }
        };
        shutdown.run_until_cancelled(until_done).await;
        shutdown.cancelled().await;
        Ok(())
    }

    async fn reconcile_once(&self) -> Result<()> {
        let relay = self.relay(OutboxHandle::default());
        let mut after = None;
        while let Some(devices) = self.devices(after).await? {
            after = devices.last().copied();
            relay.put(devices.iter().map(DeviceId::to_string).collect()).await?;
        }
        let mut chunks = self.bucket.keys().await?.try_chunks(CHUNK);
        while let Some(chunk) = chunks.next().await {
            relay.put(chunk.map_err(|error| error.1)?).await?;
        }
        Ok(())
    }

    /// The next devices of which alarms stand; none at the end of the table.
    async fn devices(&self, after: Option<DeviceId>) -> Result<Option<Vec<DeviceId>>> {
        let mut rows = Entity::open().select_only().column(Column::DeviceId).distinct();
        rows = rows.order_by_asc(Column::DeviceId).limit(CHUNK as u64);
        if let Some(after) = after {
            rows = rows.filter(Column::DeviceId.gt(after));
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let devices: Vec<DeviceId> = rows.into_tuple().all(&tx).await?;
        tx.commit().await?;
        Ok((!devices.is_empty()).then_some(devices))
    }
}

/// What asks most first, and of those the oldest first; none when there is none.
fn state(mut alarms: Vec<Model>) -> Option<Bytes> {
    let tenant_id = alarms.first()?.tenant_id.to_string();
    alarms.sort_by(|a, b| {
        let key = |alarm: &Model| (i32::from(alarm.severity), alarm.first_at);
        key(a).cmp(&key(b)).then_with(|| a.kind.cmp(&b.kind))
    });
    let standing = |alarm: Model| StandingAlarm { kind: alarm.kind, since: alarm.first_at };
    let alarms = alarms.into_iter().map(standing).collect();
    Some(coded::encode(&StandingAlarms { tenant_id, alarms }).into())
}
