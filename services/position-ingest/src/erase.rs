//! Erasing the history of tenants that are removed.
//!
//! Blocks and states of devices go at once. Hot frames mix tenants and are never changed: what they hold of an erased
//! tenant becomes blocks when they are sealed, and goes with the sweep that follows every sealing. Until then nobody
//! sees it, since its devices are gone. The ids of tenants and devices do not come back, so an entry of the ledger
//! holds for ever.

use armada_proto::{TenantId, Timestamp};
use armada_runtime::{Database, Result, Scope};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::OnConflict,
};

use crate::{
    entity::{device_state, erased_tenant, track_block},
    writer::Gate,
};

/// Enters a tenant into the ledger and erases what is there.
pub async fn erase_tenant(db: &Database, tenant: TenantId) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    let entry = erased_tenant::ActiveModel { tenant_id: Set(tenant), erased_at: Set(Timestamp::now().millis()) };
    let known = OnConflict::column(erased_tenant::Column::TenantId).do_nothing().to_owned();
    erased_tenant::Entity::insert(entry).on_conflict(known).exec_without_returning(&tx).await?;
    remove(&tx, &[tenant]).await?;
    Ok(tx.commit().await?)
}

/// Erases what has come to blocks and states of erased tenants since.
pub async fn sweep(db: &Database, gate: &Gate) -> Result<()> {
    let tx = db.read(&Scope::Platform).await?;
    let ids = erased_tenant::Entity::find().select_only().column(erased_tenant::Column::TenantId);
    let erased: Vec<TenantId> = ids.into_tuple().all(&tx).await?;
    let mut left = 0;
    for &tenant in &erased {
        left += track_block::Entity::find().filter(track_block::Column::TenantId.eq(tenant)).count(&tx).await?;
        left += device_state::Entity::find().filter(device_state::Column::TenantId.eq(tenant)).count(&tx).await?;
    }
    tx.commit().await?;
    if left == 0 {
        return Ok(());
    }
    let _turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    remove(&tx, &erased).await?;
    Ok(tx.commit().await?)
}

async fn remove(tx: &DatabaseTransaction, tenants: &[TenantId]) -> Result<()> {
    for &tenant in tenants {
        track_block::Entity::delete_many().filter(track_block::Column::TenantId.eq(tenant)).exec(tx).await?;
        device_state::Entity::delete_many().filter(device_state::Column::TenantId.eq(tenant)).exec(tx).await?;
    }
    Ok(())
}
