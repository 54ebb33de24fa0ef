//! Drivers of vehicles.

use armada_runtime::db::{search, tenant_policy};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, integer, string, text, uuid},
};

const TEXTS: &str = "name name_folded status phone email license_number license_class license_expiry vehicle_type \
                     license_plate license_plate_folded home_base home_base_folded identification notes";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut table = Table::create();
    table.table("driver").col(uuid("id").primary_key()).col(uuid("tenant_id"));
    TEXTS.split(' ').for_each(|name| _ = table.col(string(name)));
    table.col(text("search")).col(big_integer_null("hidden_at")).col(integer("row_version"));
    manager.create_table(table.col(big_integer("created_at")).col(big_integer("updated_at")).to_owned()).await?;
    let connection = manager.get_connection();
    let unique = "CREATE UNIQUE INDEX driver_tenant_identification ON driver (tenant_id, identification) \
                  WHERE identification <> ''";
    connection.execute_unprepared(unique).await?;
    search::create_index(manager, "driver", "tenant_id").await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("driver")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "driver").await?;
    manager.drop_table(Table::drop().table("driver").to_owned()).await
}
