//! Which alarms stand, for whoever shows or counts vehicles: the bucket `alarms`, made of the table.

use std::collections::{BTreeMap, HashMap};

use armada_proto::{
    DeviceId,
    alarm::BUCKET,
    coded,
    v1::{StandingAlarm, StandingAlarms},
};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    outbox::{OutboxHandle, Relay, Rows, States, next_ids, until_done},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use tokio_util::sync::CancellationToken;

use crate::entity::alarm::{Column, Entity, Model};

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// The table of alarms, of which some stand.
#[derive(Clone)]
pub struct StandingAlarmTable;

impl StandingAlarmTable {
    /// What carries changes into the bucket.
    pub async fn relay(db: Database, context: &Context, handle: OutboxHandle) -> Result<Relay<Self>> {
        Ok(Relay { db, bucket: context.own_bucket(BUCKET).await?, handle, states: Self })
    }
}

impl States for StandingAlarmTable {
    /// Nothing for a device of which no alarm stands.
    async fn states(&self, db: &Database, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        let tx = db.read(&Scope::Platform).await?;
        let devices = keys.iter().filter_map(|key| key.parse::<DeviceId>().ok());
        let alarms = Entity::open().filter(Column::DeviceId.is_in(devices)).all(&tx).await?;
        tx.commit().await?;
        let mut of_devices = BTreeMap::<DeviceId, Vec<Model>>::new();
        for alarm in alarms {
            of_devices.entry(alarm.device_id).or_default().push(alarm);
        }
        let states = of_devices.into_iter().filter_map(|(device, alarms)| Some((device.to_string(), state(alarms)?)));
        Ok(states.collect())
    }
}

impl Rows for StandingAlarmTable {
    type Place = DeviceId;

    async fn keys(&self, db: &Database, after: Option<DeviceId>) -> Result<Option<(Vec<String>, DeviceId)>> {
        next_ids(db, Entity::open().distinct(), Column::DeviceId, after).await
    }
}

/// Brings the bucket in step with the table once, both ways, whatever happened to either; then rests until shutdown.
pub async fn reconcile(alarms: Relay<StandingAlarmTable>, shutdown: CancellationToken) -> Result<()> {
    let failure = "cannot compare the bucket of alarms with the table; will try again";
    until_done(shutdown, failure, || alarms.reconcile()).await
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
