//! By which replacements of trackers the meters of devices were read.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let (bytes, none) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bytea", "''::bytea"),
        _ => ("blob", "x''"),
    };
    let sql = format!("ALTER TABLE device_state ADD COLUMN replaced {bytes} NOT NULL DEFAULT {none}");
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("device_state").drop_column("replaced").to_owned()).await
}
