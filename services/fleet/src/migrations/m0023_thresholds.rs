//! From when on a vehicle moves, has stopped, stands idle, is silent: by its tenant, and by itself.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, integer, integer_null, uuid},
};

const COLUMNS: [&str; 9] = [
    "moving_speed",
    "stop_seconds",
    "min_trip_distance",
    "min_trip_seconds",
    "idle_seconds",
    "idle_alert_seconds",
    "gap_seconds",
    "stale_seconds",
    "offline_seconds",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(thresholds()).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("thresholds")).await?;
    }
    for name in COLUMNS {
        let column = integer_null(name);
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        manager.alter_table(Table::alter().table("device").drop_column(name).to_owned()).await?;
    }
    manager.drop_table(Table::drop().table("thresholds").to_owned()).await
}

fn thresholds() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("thresholds").col(uuid("tenant_id").primary_key());
    COLUMNS.into_iter().for_each(|name| _ = table.col(integer(name)));
    table.col(integer("row_version")).col(big_integer("updated_at")).to_owned()
}
