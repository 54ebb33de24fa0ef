//! What vehicles came to day by day, and which of them are to be derived anew since something came late.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, blob, integer, uuid},
};

const TABLES: [&str; 2] = ["device_day", "late_fix"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let days = Table::create()
        .table("device_day")
        .col(uuid("tenant_id"))
        .col(uuid("device_id"))
        .col(big_integer("begins_at"))
        .col(big_integer("ends_at"))
        .col(big_integer_null("last_at"))
        .col(big_integer("distance_dm"))
        .col(big_integer("engine_ms"))
        .col(big_integer("moving_ms"))
        .col(big_integer("idle_ms"))
        .col(big_integer("parked_ms"))
        .col(big_integer_null("trips"))
        .col(big_integer("version"))
        .col(blob("state"))
        .primary_key(Index::create().col("tenant_id").col("device_id").col("begins_at"))
        .to_owned();
    manager.create_table(days).await?;
    let late = Table::create()
        .table("late_fix")
        .col(integer("partition"))
        .col(uuid("device_id"))
        .col(uuid("tenant_id"))
        .col(big_integer("recorded_at"))
        .primary_key(Index::create().col("partition").col("device_id"))
        .to_owned();
    manager.create_table(late).await?;
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
