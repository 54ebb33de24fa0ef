//! How many devices a tenant may have.

use armada_proto::TenantId;
use armada_runtime::{Code, Error, Result, Scope};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, PaginatorTrait, Statement};

use crate::entity::device::Entity;

/// An error when a tenant has no place for another device; 0 is no limit. Until the transaction ends nobody else takes
/// the last place.
pub async fn one_more_device(tx: &DatabaseTransaction, tenant: TenantId, limit: u32) -> Result<()> {
    if limit == 0 {
        return Ok(());
    }
    // On SQLite there is one who writes at a time.
    if tx.get_database_backend() == DbBackend::Postgres {
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
        let values = [format!("devices of {tenant}").into()];
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
    }
    let devices = Entity::within(Scope::Tenant(tenant)).count(tx).await?;
    if devices < u64::from(limit) {
        return Ok(());
    }
    let message = format!("the tenant has {devices} devices and may have {limit}");
    Err(Error::new(Code::Conflict, "device_limit_reached", message))
}
