//! Devices of deleted tenants are hidden, and leave their IMEIs to others.

use sea_orm_migration::{prelude::*, schema::big_integer_null};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = big_integer_null("hidden_at");
    manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    manager.drop_index(Index::drop().table("device").name("device_imei_bound").to_owned()).await?;
    for sql in [
        "CREATE UNIQUE INDEX device_imei_bound ON device (imei) WHERE imei_status = 'bound' AND hidden_at IS NULL",
        "CREATE INDEX imei_binding_tenant ON imei_binding (tenant_id)",
    ] {
        manager.get_connection().execute_unprepared(sql).await?;
    }
    Ok(())
}

/// Older programs would show what is hidden, and do not know of it.
pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_index(Index::drop().table("imei_binding").name("imei_binding_tenant").to_owned()).await
}
