//! What other services go by of tenants: the bucket `tenants`, kept in step with the table by the outbox.

use std::{collections::HashMap, str::FromStr};

use armada_proto::{TenantId, coded, tenant::BUCKET, v1::TenantEntry};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    outbox::{self, OutboxHandle, Relay, Rows, States},
};
use async_nats::jetstream::kv;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};
use tokio_util::bytes::Bytes;

use crate::entity::tenant::{Column, Entity};

/// What marks of tenants begin with, among those of policies.
pub const MARK: &str = "tenant.";

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Marks that others know something else of a tenant from now on, in the transaction that changes it.
pub async fn mark(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    outbox::mark(tx, vec![format!("{MARK}{tenant}")]).await
}

/// The table of tenants.
#[derive(Clone)]
pub struct TenantEntries;

impl TenantEntries {
    /// What carries rows into the bucket. They are marked among the policies.
    pub async fn relay(db: Database, context: &Context) -> Result<Relay<Self>> {
        Ok(Relay { db, bucket: context.own_bucket(BUCKET).await?, handle: OutboxHandle::default(), states: Self })
    }
}

impl States for TenantEntries {
    /// Nothing for a tenant that is gone. One that is deleted and can come back keeps its entry.
    async fn states(&self, db: &Database, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        let ids = keys.iter().filter_map(|key| TenantId::from_str(key).ok());
        let rows = Entity::find().filter(Column::Id.is_in(ids));
        let rows = rows.select_only().columns([Column::Id, Column::HistoryDays, Column::TimeZone]);
        let tx = db.read(&Scope::Platform).await?;
        let rows: Vec<(TenantId, i32, String)> = rows.into_tuple().all(&tx).await?;
        let state = |(tenant, days, time_zone): (TenantId, i32, String)| {
            let entry = TenantEntry { history_days: u32::try_from(days).unwrap_or_default(), time_zone };
            (tenant.to_string(), coded::encode(&entry).into())
        };
        Ok(rows.into_iter().map(state).collect())
    }
}

impl Rows for TenantEntries {
    type Place = TenantId;

    async fn keys(&self, db: &Database, after: Option<TenantId>) -> Result<Option<(Vec<String>, TenantId)>> {
        outbox::next_ids(db, Entity::find(), Column::Id, after).await
    }
}
