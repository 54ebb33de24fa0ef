//! How many devices each tenant has: fleet counts them and keeps the bucket `device_counts`, and here the column
//! `used_devices` follows it.

use std::str::FromStr;

use armada_proto::{TenantId, coded, device_count::BUCKET, v1::DeviceCount};
use armada_runtime::{
    Bus, Database, Result, Scope,
    bus::{All, Bucket, BucketUpdate},
};
use async_nats::jetstream::kv;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::Expr};
use tokio_util::sync::CancellationToken;

use crate::entity::tenant::{Column, Entity};

/// Makes the bucket, if fleet has not.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Follows the bucket until shutdown.
pub async fn follow(db: Database, bucket: Bucket, shutdown: CancellationToken) -> Result<()> {
    let purpose = "take over how many devices tenants have";
    bucket.follow(read).apply_each(shutdown, purpose, |update| apply(&db, update)).await;
    Ok(())
}

fn read(_: &str, value: &[u8]) -> Option<i64> {
    coded::decode::<DeviceCount>(value).map(|count| i64::from(count.devices))
}

async fn apply(db: &Database, update: BucketUpdate<i64>) -> Result<()> {
    match update {
        BucketUpdate::All(all) => set_all(db, all).await,
        BucketUpdate::Changed(tenant, devices) => set(db, &tenant, devices.unwrap_or_default()).await,
        BucketUpdate::Refused(_) => Ok(()),
    }
}

/// Tenants of which nothing is said have no devices.
async fn set_all(db: &Database, all: All<i64>) -> Result<()> {
    let tx = db.read(&Scope::Platform).await?;
    let counted = Entity::within(Scope::Platform).filter(Column::UsedDevices.ne(0)).select_only().column(Column::Id);
    let counted: Vec<TenantId> = counted.into_tuple().all(&tx).await?;
    tx.commit().await?;
    for tenant in counted.iter().map(TenantId::to_string) {
        if !all.holds(&tenant) {
            set(db, &tenant, 0).await?;
        }
    }
    for (tenant, devices) in all.entries {
        set(db, &tenant, devices).await?;
    }
    Ok(())
}

/// No version of the tenant's row changes: nobody has edited it.
async fn set(db: &Database, tenant: &str, devices: i64) -> Result<()> {
    let Ok(tenant) = TenantId::from_str(tenant) else { return Ok(()) };
    let tx = db.write(&Scope::Tenant(tenant)).await?;
    Entity::update_many()
        .col_expr(Column::UsedDevices, Expr::val(devices))
        .filter(Column::Id.eq(tenant))
        .filter(Column::UsedDevices.ne(devices))
        .exec(&tx)
        .await?;
    Ok(tx.commit().await?)
}
