//! Which devices are erased: a table, and the bucket `device_erasures` that is made of it, which position-ingest and
//! notification obey. Either one brings back what the other has lost.

use std::{collections::HashMap, str::FromStr};

use armada_proto::{DeviceId, Timestamp, coded, device_erasure::BUCKET, v1::DeviceErasure};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    outbox::{self, OutboxHandle, Relay, Rows, States},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use futures::TryStreamExt;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, sea_query::OnConflict};

use crate::entity::{
    device,
    device_erasure::{Column, Entity, Model},
};

/// What marks of erased devices begin with.
pub const MARK: &str = "erased.";

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Enters a device that is erased, for whoever keeps something of it elsewhere.
pub async fn enter(tx: &DatabaseTransaction, device: &device::Model) -> Result<()> {
    let erased_at = Timestamp::now().millis();
    note(tx, Model { device_id: device.id, tenant_id: device.tenant_id, erased_at }).await?;
    outbox::mark(tx, vec![format!("{MARK}{}", device.id)]).await
}

async fn note(tx: &DatabaseTransaction, row: Model) -> Result<()> {
    let once = OnConflict::column(Column::DeviceId).do_nothing().to_owned();
    Entity::insert(row.into_active_model()).on_conflict(once).exec_without_returning(tx).await?;
    Ok(())
}

/// The table of devices that are erased.
#[derive(Clone)]
pub struct DeviceErasures;

impl DeviceErasures {
    /// What carries rows into the bucket. They are marked among the bindings.
    pub async fn relay(db: Database, context: &Context) -> Result<Relay<Self>> {
        Ok(Relay { db, bucket: context.own_bucket(BUCKET).await?, handle: OutboxHandle::default(), states: Self })
    }
}

impl States for DeviceErasures {
    async fn states(&self, db: &Database, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        let tx = db.read(&Scope::Platform).await?;
        let ids = keys.iter().filter_map(|key| DeviceId::from_str(key).ok());
        let rows = Entity::find().filter(Column::DeviceId.is_in(ids)).all(&tx).await?;
        let state = |row: Model| (row.device_id.to_string(), coded::encode(&DeviceErasure::from(row)).into());
        Ok(rows.into_iter().map(state).collect())
    }
}

impl Rows for DeviceErasures {
    type Place = DeviceId;

    async fn keys(&self, db: &Database, after: Option<DeviceId>) -> Result<Option<(Vec<String>, DeviceId)>> {
        outbox::next_ids(db, Entity::find(), Column::DeviceId, after).await
    }
}

/// Learns from the bucket what the table has lost because an older copy of it was restored: the sweep erases those
/// devices once more.
pub async fn catch_up(erasures: &Relay<DeviceErasures>) -> Result<()> {
    let mut chunks = erasures.bucket.chunks_of_keys().await?;
    while let Some(keys) = chunks.try_next().await? {
        learn(erasures, keys).await?;
    }
    Ok(())
}

async fn learn(Relay { db, bucket, states, .. }: &Relay<DeviceErasures>, keys: Vec<String>) -> Result<()> {
    let known = states.states(db, keys.clone()).await?;
    for key in keys.into_iter().filter(|key| !known.contains_key(key)) {
        let (Ok(device_id), Some(value)) = (DeviceId::from_str(&key), bucket.get(&key).await?) else {
            continue;
        };
        let Some(DeviceErasure { tenant_id, erased_at }) = coded::decode(&value) else { continue };
        let Ok(tenant_id) = tenant_id.parse() else { continue };
        let tx = db.write(&Scope::Platform).await?;
        note(&tx, Model { device_id, tenant_id, erased_at }).await?;
        tx.commit().await?;
    }
    Ok(())
}
