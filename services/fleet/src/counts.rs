//! How many devices each tenant has: the bucket `device_counts`, which identity follows.

use std::{collections::BTreeSet, str::FromStr};

use armada_proto::{TenantId, coded, device_count::BUCKET, v1::DeviceCount};
use armada_runtime::{
    Bus, Database, Error, Result, Scope,
    outbox::{Bell, Relay},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use futures::TryStreamExt;
use sea_orm::{PaginatorTrait, QuerySelect};

use crate::entity::device::{Column, Entity};

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Where devices are counted, and where it is told.
#[derive(Clone)]
pub struct Counts {
    db: Database,
    bucket: kv::Store,
}

impl Counts {
    /// Opens the bucket.
    pub async fn open(db: Database, bus: &Bus) -> Result<Self> {
        Ok(Self { db, bucket: bus.bucket(BUCKET).await? })
    }

    /// Tells how many devices a tenant has now.
    pub async fn tell(&self, tenant: &str) -> Result<()> {
        let state = move |key: String| async move { self.state(&key).await };
        Relay { db: self.db.clone(), bucket: self.bucket.clone(), bell: Bell::default(), state }.put(tenant).await
    }

    /// What the bucket shall hold at a key; nothing for a tenant without devices.
    async fn state(&self, key: &str) -> Result<Option<Bytes>> {
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
        let told = self.bucket.keys().await.map_err(Error::unavailable)?;
        keys.extend(told.try_collect::<Vec<_>>().await.map_err(Error::unavailable)?);
        for key in keys {
            self.tell(&key).await?;
        }
        Ok(())
    }
}
