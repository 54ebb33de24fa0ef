//! With the state of a device is saved what its counters were when the day of its newest fix began, and its trips.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

const COLUMNS: [&str; 2] = ["today", "trips"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let (bytes, none) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bytea", "''::bytea"),
        _ => ("blob", "x''"),
    };
    for name in COLUMNS {
        let sql = format!("ALTER TABLE device_state ADD COLUMN {name} {bytes} NOT NULL DEFAULT {none}");
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        manager.alter_table(Table::alter().table("device_state").drop_column(name).to_owned()).await?;
    }
    Ok(())
}
