//! The ledger of devices whose history is gone for ever, and which partitions may still bring something of them.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, integer, uuid},
};

const TABLES: [&str; 2] = ["erased_device", "device_erasure_pending"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let ledger = Table::create()
        .table("erased_device")
        .col(uuid("device_id").primary_key())
        .col(uuid("tenant_id"))
        .col(big_integer("erased_at"))
        .to_owned();
    manager.create_table(ledger).await?;
    let pending = Table::create()
        .table("device_erasure_pending")
        .col(integer("partition"))
        .col(uuid("device_id"))
        .col(uuid("tenant_id"))
        .col(big_integer("erased_at"))
        .primary_key(Index::create().col("partition").col("device_id"))
        .to_owned();
    manager.create_table(pending).await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        for table in TABLES {
            manager.get_connection().execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in TABLES {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}
