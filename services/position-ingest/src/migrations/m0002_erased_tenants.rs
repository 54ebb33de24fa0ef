//! The ledger of tenants whose history is gone for ever.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, uuid},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("erased_tenant")
        .col(uuid("tenant_id").primary_key())
        .col(big_integer("erased_at"))
        .to_owned();
    manager.create_table(table).await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("erased_tenant")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("erased_tenant").to_owned()).await
}
