//! What other services go by of tenants: the bucket `tenants`, kept in step with the table by the outbox.

use std::{
    collections::{BTreeSet, HashMap},
    str::FromStr,
};

use armada_proto::{TenantId, coded, tenant::BUCKET, v1::TenantEntry};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::Bucket,
    outbox::{self, OutboxHandle, Relay},
};
use async_nats::jetstream::kv;
use futures::{TryStreamExt, future::BoxFuture};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};
use tokio_util::bytes::Bytes;

use crate::entity::tenant::{Column, Entity};

/// What marks of tenants begin with, among those of policies.
pub const MARK: &str = "tenant.";
/// Keys of one round.
const CHUNK: usize = 500;

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Marks that others know something else of a tenant from now on, in the transaction that changes it.
pub async fn mark(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    outbox::mark(tx, vec![format!("{MARK}{tenant}")]).await
}

type States = BoxFuture<'static, Result<HashMap<String, Bytes>>>;

/// The table and the bucket. Cheap to clone.
#[derive(Clone)]
pub struct TenantEntries {
    db: Database,
    bucket: Bucket,
}

impl TenantEntries {
    /// Opens the bucket.
    pub async fn open(db: Database, context: &Context) -> Result<Self> {
        Ok(Self { db, bucket: context.own_bucket(BUCKET).await? })
    }

    /// Tells how tenants are now.
    pub async fn tell(&self, tenants: Vec<String>) -> Result<()> {
        self.relay().put(tenants).await
    }

    /// What carries rows into the bucket. They are marked among the policies.
    pub fn relay(&self) -> Relay<impl Fn(Vec<String>) -> States + Send + Sync + use<>> {
        let this = self.clone();
        let states = move |keys: Vec<String>| -> States {
            let this = this.clone();
            Box::pin(async move { this.states(&keys).await })
        };
        Relay { db: self.db.clone(), bucket: self.bucket.clone(), handle: OutboxHandle::default(), states }
    }

    /// What the bucket shall hold at these keys; nothing for a tenant that is gone. One that is deleted and can come back keeps
    /// its entry.
    async fn states(&self, keys: &[String]) -> Result<HashMap<String, Bytes>> {
        let ids = keys.iter().filter_map(|key| TenantId::from_str(key).ok());
        let rows = Entity::find().filter(Column::Id.is_in(ids));
        let rows = rows.select_only().columns([Column::Id, Column::HistoryDays, Column::TimeZone]);
        let tx = self.db.read(&Scope::Platform).await?;
        let rows: Vec<(TenantId, i32, String)> = rows.into_tuple().all(&tx).await?;
        let state = |(tenant, days, time_zone): (TenantId, i32, String)| {
            let entry = TenantEntry { history_days: u32::try_from(days).unwrap_or_default(), time_zone };
            (tenant.to_string(), coded::encode(&entry).into())
        };
        Ok(rows.into_iter().map(state).collect())
    }

    /// Brings the bucket in step with the table, both ways.
    pub async fn reconcile(&self) -> Result<()> {
        let tx = self.db.read(&Scope::Platform).await?;
        let rows: Vec<TenantId> = Entity::find().select_only().column(Column::Id).into_tuple().all(&tx).await?;
        drop(tx);
        let mut keys: BTreeSet<String> = rows.iter().map(TenantId::to_string).collect();
        keys.extend(self.bucket.keys().await?.try_collect::<Vec<_>>().await?);
        let keys: Vec<String> = keys.into_iter().collect();
        for keys in keys.chunks(CHUNK) {
            self.tell(keys.to_vec()).await?;
        }
        Ok(())
    }
}
