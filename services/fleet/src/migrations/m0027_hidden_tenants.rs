//! The tenants that are deleted and can come back.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{prelude::*, schema::uuid};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create().table("hidden_tenant").col(uuid("tenant_id").primary_key()).to_owned();
    manager.create_table(table).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("hidden_tenant")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("hidden_tenant").to_owned()).await
}
