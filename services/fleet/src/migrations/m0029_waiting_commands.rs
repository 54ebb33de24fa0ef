//! Commands that wait, in their order.

use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let index = "CREATE INDEX command_waiting ON command (tenant_id, device_id, id) WHERE state = 'queued'";
    manager.get_connection().execute_unprepared(index).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared("DROP INDEX command_waiting").await.map(drop)
}
