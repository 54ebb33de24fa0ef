//! How many devices each tenant has: the bucket `device_counts`, which identity follows.

use std::{collections::HashMap, str::FromStr};

use armada_proto::{TenantId, coded, device_count::BUCKET, v1::DeviceCount};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    outbox::{OutboxHandle, Relay, Rows, States, next_ids},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use sea_orm::{PaginatorTrait, QuerySelect};

use crate::entity::device::{Column, Entity};

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// The table in which devices are counted.
#[derive(Clone)]
pub struct Counts;

impl Counts {
    /// What carries the numbers of tenants into the bucket. Nothing is marked for it: it goes with the devices.
    pub async fn relay(db: Database, context: &Context) -> Result<Relay<Self>> {
        Ok(Relay { db, bucket: context.own_bucket(BUCKET).await?, handle: OutboxHandle::default(), states: Self })
    }
}

impl States for Counts {
    /// Nothing for a tenant without devices.
    async fn states(&self, db: &Database, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        let mut states = HashMap::with_capacity(keys.len());
        for key in keys {
            if let Some(count) = count(db, &key).await? {
                states.insert(key, count);
            }
        }
        Ok(states)
    }
}

impl Rows for Counts {
    type Place = TenantId;

    async fn keys(&self, db: &Database, after: Option<TenantId>) -> Result<Option<(Vec<String>, TenantId)>> {
        next_ids(db, Entity::within(Scope::Platform).distinct(), Column::TenantId, after).await
    }
}

async fn count(db: &Database, key: &str) -> Result<Option<Bytes>> {
    let Ok(tenant) = TenantId::from_str(key) else { return Ok(None) };
    let tx = db.read(&Scope::Tenant(tenant)).await?;
    let devices = Entity::within(Scope::Tenant(tenant)).count(&tx).await?;
    let count = DeviceCount { devices: u32::try_from(devices).unwrap_or(u32::MAX) };
    Ok((devices > 0).then(|| coded::encode(&count).into()))
}
