//! How many devices each tenant has: the bucket `device_counts`, which identity follows.

use std::{
    collections::{BTreeSet, HashMap},
    str::FromStr,
};

use armada_proto::{TenantId, coded, device_count::BUCKET, v1::DeviceCount};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::Bucket,
    outbox::{OutboxHandle, Relay},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use futures::{TryStreamExt, future::BoxFuture};
use sea_orm::{PaginatorTrait, QuerySelect};

use crate::entity::device::{Column, Entity};

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

type States = BoxFuture<'static, Result<HashMap<String, Bytes>>>;

/// Where devices are counted, and where it is told.
#[derive(Clone)]
pub struct Counts {
    db: Database,
    bucket: Bucket,
}

impl Counts {
    /// Opens the bucket.
    pub async fn open(db: Database, context: &Context) -> Result<Self> {
        Ok(Self { db, bucket: context.own_bucket(BUCKET).await? })
    }

    /// Tells how many devices a tenant has now.
    pub async fn tell(&self, tenant: &str) -> Result<()> {
        self.relay().put(vec![tenant.to_owned()]).await
    }

    /// What carries the numbers of tenants into the bucket. Nothing is marked for it: it goes with the devices.
    pub fn relay(&self) -> Relay<impl Fn(Vec<String>) -> States + Send + Sync + use<>> {
        let this = self.clone();
        let states = move |keys: Vec<String>| -> States {
            let this = this.clone();
            Box::pin(async move { this.states(keys).await })
        };
        Relay { db: self.db.clone(), bucket: self.bucket.clone(), handle: OutboxHandle::default(), states }
    }

    /// What the bucket shall hold at these keys; nothing for a tenant without devices.
    async fn states(&self, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        let mut states = HashMap::with_capacity(keys.len());
        for key in keys {
            if let Some(count) = self.count(&key).await? {
                states.insert(key, count);
            }
        }
        Ok(states)
    }

    async fn count(&self, key: &str) -> Result<Option<Bytes>> {
        let Ok(tenant) = TenantId::from_str(key) else { return Ok(None) };
        let tx = self.db.read(&Scope::Tenant(tenant)).await?;
        let devices = Entity::within(Scope::Tenant(tenant)).count(&tx).await?;
        let count = DeviceCount { devices: u32::try_from(devices).unwrap_or(u32::MAX) };
        Ok((devices > 0).then(|| coded::encode(&count).into()))
    }

    /// Brings the bucket in step with the table, both ways.
    pub async fn reconcile(&self) -> Result<()> {
        let tx = self.db.read(&Scope::Platform).await?;
        let tenants = Entity::within(Scope::Platform).select_only().column(Column::TenantId).distinct();
        let tenants: Vec<TenantId> = tenants.into_tuple().all(&tx).await?;
        tx.commit().await?;
        let mut keys: BTreeSet<String> = tenants.iter().map(TenantId::to_string).collect();
        keys.extend(self.bucket.keys().await?.try_collect::<Vec<_>>().await?);
        for key in keys {
            self.tell(&key).await?;
        }
        Ok(())
    }
}
