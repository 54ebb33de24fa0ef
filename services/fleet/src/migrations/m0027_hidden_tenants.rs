//! The tenants that are deleted and can come back; and devices that were erased leave the bindings of their IMEIs.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{prelude::*, schema::uuid};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create().table("hidden_tenant").col(uuid("tenant_id").primary_key()).to_owned();
    manager.create_table(table).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("hidden_tenant")).await?;
    }
    let nil = match manager.get_database_backend() {
        DbBackend::Postgres => "'00000000-0000-0000-0000-000000000000'",
        _ => "zeroblob(16)",
    };
    let sql =
        format!("UPDATE imei_binding SET device_id = {nil} WHERE device_id IN (SELECT device_id FROM device_erasure)");
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("hidden_tenant").to_owned()).await
}
