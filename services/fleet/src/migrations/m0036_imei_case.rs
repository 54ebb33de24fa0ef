//! Identifiers with letters are looked for without regard to case: those that differ by it alone are pointed out.

use sea_orm_migration::prelude::*;

const INDEX: &str = "CREATE INDEX device_imei_case ON device (lower(imei), tenant_id) WHERE lower(imei) <> upper(imei)";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared(INDEX).await?;
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_index(Index::drop().table("device").name("device_imei_case").to_owned()).await
}
