//! How many devices each tenant has: fleet counts them and keeps the bucket `device_counts`, and here the column
//! `used_devices` follows it.

use std::{str::FromStr, time::Duration};

use armada_proto::{TenantId, coded, device_count::BUCKET, v1::DeviceCount};
use armada_runtime::{Bus, Database, Error, Result, Scope};
use async_nats::jetstream::kv::{self, Operation};
use futures::StreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
use tokio_util::sync::CancellationToken;

use crate::entity::tenant::{Column, Entity};

/// When to follow again after the connection was lost, or to try again what failed.
const RETRY: Duration = Duration::from_secs(1);

/// Makes the bucket, if fleet has not.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Follows the bucket until shutdown.
pub async fn follow(db: Database, bus: Bus, bucket: kv::Store, shutdown: CancellationToken) -> Result<()> {
    let for_ever = async {
        loop {
            if let Err(error) = follow_connection(&db, &bus, &bucket).await {
                tracing::warn!(%error, "cannot follow how many devices tenants have; will try again");
            }
            tokio::time::sleep(RETRY).await;
        }
    };
    shutdown.run_until_cancelled(for_ever).await;
    Ok(())
}

/// Until the connection changes: a server that was restarted no longer knows its readers.
async fn follow_connection(db: &Database, bus: &Bus, bucket: &kv::Store) -> Result<()> {
    let mut connections = bus.connections();
    let mut entries = bucket.watch_with_history(">").await.map_err(Error::unavailable)?;
    loop {
        tokio::select! {
            _ = connections.changed() => return Ok(()),
            entry = entries.next() => match entry {
                Some(entry) => apply(db, &entry.map_err(Error::unavailable)?).await?,
                None => return Ok(()),
            },
        }
    }
}

/// No version of the tenant's row changes: nobody has edited it.
async fn apply(db: &Database, entry: &kv::Entry) -> Result<()> {
    let Ok(tenant) = TenantId::from_str(&entry.key) else { return Ok(()) };
    let count = (entry.operation == Operation::Put).then(|| coded::decode::<DeviceCount>(&entry.value)).flatten();
    let devices = i64::from(count.unwrap_or_default().devices);
    let tx = db.write(&Scope::Tenant(tenant)).await?;
    Entity::update_many()
        .col_expr(Column::UsedDevices, Expr::val(devices))
        .filter(Column::Id.eq(tenant))
        .filter(Column::UsedDevices.ne(devices))
        .exec(&tx)
        .await?;
    Ok(tx.commit().await?)
}
