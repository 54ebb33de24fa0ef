//! Which devices are erased: a table, and the bucket `device_erasures` that is made of it and that position-ingest obeys.
//! Either one brings back what the other has lost.

use std::{collections::HashMap, str::FromStr};

use armada_proto::{DeviceId, Timestamp, coded, device_erasure::BUCKET, v1::DeviceErasure};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::Bucket,
    outbox::{self, OutboxHandle, Relay},
};
use async_nats::jetstream::{kv, stream::StorageType};
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, future::BoxFuture};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
    sea_query::OnConflict,
};

use crate::entity::{
    device,
    device_erasure::{Column, Entity, Model},
};

/// What marks of erased devices begin with.
pub const MARK: &str = "erased.";
/// Rows and keys that a reconciliation holds at a time.
const CHUNK: usize = 500;

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    let bucket = BUCKET.to_owned();
    bus.ensure_bucket(kv::Config { bucket, history: 1, storage: StorageType::File, ..kv::Config::default() }).await
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

type States = BoxFuture<'static, Result<HashMap<String, Bytes>>>;

/// The table and the bucket.
#[derive(Clone)]
pub struct DeviceErasures {
    db: Database,
    bucket: Bucket,
}

impl DeviceErasures {
    /// Opens the bucket.
    pub async fn open(db: Database, context: &Context) -> Result<Self> {
        Ok(Self { db, bucket: context.own_bucket(BUCKET).await? })
    }

    /// Tells that devices are erased.
    pub async fn tell(&self, devices: Vec<String>) -> Result<()> {
        self.relay().put(devices).await
    }

    /// What carries rows into the bucket. They are marked among the bindings.
    pub fn relay(&self) -> Relay<impl Fn(Vec<String>) -> States + Send + Sync + use<>> {
        let this = self.clone();
        let states = move |keys: Vec<String>| -> States {
            let this = this.clone();
            Box::pin(async move { this.states(&keys).await })
        };
        Relay { db: self.db.clone(), bucket: self.bucket.clone(), handle: OutboxHandle::default(), states }
    }

    async fn states(&self, keys: &[String]) -> Result<HashMap<String, Bytes>> {
        let ids = keys.iter().filter_map(|key| DeviceId::from_str(key).ok());
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = Entity::find().filter(Column::DeviceId.is_in(ids)).all(&tx).await?;
        let state = |row: Model| (row.device_id.to_string(), coded::encode(&DeviceErasure::from(row)).into());
        Ok(rows.into_iter().map(state).collect())
    }

    /// Learns from the bucket what the table has lost because an older copy of it was restored: the sweep erases those
    /// devices once more.
    pub async fn catch_up(&self) -> Result<()> {
        let mut chunks = self.bucket.keys().await?.try_chunks(CHUNK);
        while let Some(chunk) = chunks.next().await {
            self.learn(chunk.map_err(|error| error.1)?).await?;
        }
        Ok(())
    }

    /// Tells the bucket all that the table knows.
    pub async fn reconcile(&self) -> Result<()> {
        let mut after = None;
        while let Some(keys) = self.keys(after).await? {
            after = keys.last().and_then(|key| DeviceId::from_str(key).ok());
            self.tell(keys).await?;
        }
        Ok(())
    }

    async fn learn(&self, keys: Vec<String>) -> Result<()> {
        let known = self.states(&keys).await?;
        for key in keys.into_iter().filter(|key| !known.contains_key(key)) {
            let (Ok(device_id), Some(value)) = (DeviceId::from_str(&key), self.bucket.get(&key).await?) else {
                continue;
            };
            let Some(DeviceErasure { tenant_id, erased_at }) = coded::decode(&value) else { continue };
            let Ok(tenant_id) = tenant_id.parse() else { continue };
            let tx = self.db.write(&Scope::Platform).await?;
            note(&tx, Model { device_id, tenant_id, erased_at }).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// The keys of the next rows; none at the end of the table.
    async fn keys(&self, after: Option<DeviceId>) -> Result<Option<Vec<String>>> {
        let mut rows = Entity::find().order_by_asc(Column::DeviceId).limit(CHUNK as u64);
        if let Some(after) = after {
            rows = rows.filter(Column::DeviceId.gt(after));
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = rows.all(&tx).await?;
        let keys: Vec<_> = rows.iter().map(|row| row.device_id.to_string()).collect();
        Ok((!keys.is_empty()).then_some(keys))
    }
}
