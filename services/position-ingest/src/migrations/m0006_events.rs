//! What happens to vehicles is told, and what is under way with them is saved with their states.

use armada_runtime::events;
use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    events::create_table(manager).await?;
    let (bytes, none) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bytea", "''::bytea"),
        _ => ("blob", "x''"),
    };
    let sql = format!("ALTER TABLE device_state ADD COLUMN watch {bytes} NOT NULL DEFAULT {none}");
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    events::drop_table(manager).await?;
    manager.alter_table(Table::alter().table("device_state").drop_column("watch").to_owned()).await
}
