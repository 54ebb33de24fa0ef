//! When trackers of devices were replaced, and what the meters of both trackers showed then.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, integer, string, text, uuid, uuid_null},
};

const TABLE: &str = "tracker_replacement";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(replacements()).await?;
    let connection = manager.get_connection();
    let newest = "CREATE UNIQUE INDEX tracker_replacement_number ON tracker_replacement (device_id, number)";
    connection.execute_unprepared(newest).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy(TABLE)).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table(TABLE).to_owned()).await
}

fn replacements() -> TableCreateStatement {
    let mut table = Table::create();
    table.table(TABLE).col(uuid("id").primary_key()).col(uuid("tenant_id")).col(uuid("device_id"));
    table.col(integer("number")).col(big_integer("replaced_at")).col(string("imei_before")).col(string("imei"));
    for reading in ["odometer_before_m", "odometer_after_m", "engine_before_s", "engine_after_s"] {
        table.col(big_integer_null(reading));
    }
    table.col(text("reason")).col(boolean("is_by_imei")).col(uuid_null("created_by")).col(big_integer("created_at"));
    // Goes with its device, whoever removes that.
    let mut device = ForeignKey::create();
    device.from(TABLE, "device_id").to("device", "id").on_delete(ForeignKeyAction::Cascade);
    table.foreign_key(&mut device).to_owned()
}
