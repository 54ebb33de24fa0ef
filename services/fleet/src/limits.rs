//! How many devices a tenant may have, and how much room its files may take.

use armada_proto::TenantId;
use armada_runtime::{Error, Result, Scope, jobs::made_before};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, PaginatorTrait, QueryFilter,
    QuerySelect, Statement,
    sea_query::{Expr, ExprTrait, Func},
};

use crate::entity::{device::Entity, file};

/// An error when a tenant has no place for so many devices more; a limit of 0 is none. Until the transaction ends nobody
/// else takes the last place.
pub async fn room_for_devices(tx: &DatabaseTransaction, tenant: TenantId, limit: u32, more: usize) -> Result<()> {
    if limit == 0 {
        return Ok(());
    }
    lock_count(tx, format!("devices of {tenant}")).await?;
    let devices = Entity::within(Scope::Tenant(tenant)).count(tx).await? + made_before(tenant);
    if devices + more as u64 <= u64::from(limit) {
        return Ok(());
    }
    let message = format!("the tenant has {devices} devices and may have {limit}");
    Err(Error::limit_reached("device_limit_reached", limit, message))
}

/// An error when the files of a tenant have no room for so many bytes more; a limit of 0 is none. Until the transaction
/// ends nobody else takes the last of it.
pub async fn check_storage_limit(tx: &DatabaseTransaction, tenant: TenantId, limit: u64, bytes: u64) -> Result<()> {
    if limit == 0 {
        return Ok(());
    }
    lock_count(tx, format!("files of {tenant}")).await?;
    let used = used_bytes(tx, tenant).await?;
    if used.saturating_add(bytes) <= limit {
        return Ok(());
    }
    let message = format!("the files of the tenant take {used} bytes and may take {limit}; {bytes} more do not fit");
    Err(Error::limit_reached("storage_limit_reached", u32::try_from(limit >> 20).unwrap_or(u32::MAX), message))
}

/// Bytes that the files of a tenant take, or will when they are whole.
pub async fn used_bytes(tx: &DatabaseTransaction, tenant: TenantId) -> Result<u64> {
    let sum = Func::coalesce([Expr::col(file::Column::Size).sum(), Expr::val(0)]);
    let used = file::Entity::find().select_only().column_as(Expr::expr(sum).cast_as("bigint"), "used");
    let used = used.filter(file::Column::TenantId.eq(tenant)).filter(file::Column::RemovedAt.is_null());
    let used: Option<i64> = used.into_tuple().one(tx).await?;
    Ok(u64::try_from(used.unwrap_or_default()).unwrap_or_default())
}

/// Until the transaction ends nobody else counts the same. On SQLite there is one who writes at a time.
async fn lock_count(tx: &DatabaseTransaction, what: String) -> Result<()> {
    if tx.get_database_backend() == DbBackend::Postgres {
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, [what.into()])).await?;
    }
    Ok(())
}
