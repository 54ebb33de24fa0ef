//! The first page of a tenant's devices is read from an index, in the order in which a list comes when none is asked for.

use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let sql = "CREATE INDEX device_tenant_name ON device (tenant_id, lower(name), id)";
    manager.get_connection().execute_unprepared(sql).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_index(Index::drop().table("device").name("device_tenant_name").to_owned()).await
}
