//! Deleted devices are hidden for a while, and leave their IMEIs to others. Which ones were erased is known for ever.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in [big_integer_null("deleted_at"), uuid_null("deleted_by")] {
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    }
    let erasures = Table::create()
        .table("device_erasure")
        .col(uuid("device_id").primary_key())
        .col(uuid("tenant_id"))
        .col(big_integer("erased_at"))
        .to_owned();
    manager.create_table(erasures).await?;
    for index in ["device_imei_bound", "device_tenant_imei"] {
        manager.drop_index(Index::drop().table("device").name(index).to_owned()).await?;
    }
    let connection = manager.get_connection();
    for sql in [
        "CREATE UNIQUE INDEX device_imei_bound ON device (imei) \
         WHERE imei_status = 'bound' AND hidden_at IS NULL AND deleted_at IS NULL",
        "CREATE UNIQUE INDEX device_tenant_imei ON device (tenant_id, imei) WHERE deleted_at IS NULL",
        "CREATE INDEX device_deleted ON device (deleted_at) WHERE deleted_at IS NOT NULL",
    ] {
        connection.execute_unprepared(sql).await?;
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("device_erasure")).await?;
    }
    Ok(())
}

/// Older programs would show what is deleted, and do not know of it.
pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("device_erasure").to_owned()).await?;
    manager.drop_index(Index::drop().table("device").name("device_deleted").to_owned()).await
}
