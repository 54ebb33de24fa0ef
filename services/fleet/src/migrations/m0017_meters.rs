//! What the meters of devices come to day by day, what was corrected, and from what they are read.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, integer, string, text, uuid, uuid_null},
};

const TABLES: [&str; 2] = ["device_meter_day", "meter_correction"];
/// Columns of devices, with what those that there are have.
const SOURCES: [(&str, &str); 2] = [("odometer_source", "device"), ("engine_hours_source", "computed")];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(days()).await?;
    manager.create_table(corrections()).await?;
    let connection = manager.get_connection();
    let newest = "CREATE UNIQUE INDEX meter_correction_number ON meter_correction (device_id, number)";
    let of_tenant = "CREATE INDEX device_meter_day_tenant ON device_meter_day (tenant_id)";
    for index in [newest, of_tenant] {
        connection.execute_unprepared(index).await?;
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        for table in TABLES {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    for (name, usual) in SOURCES {
        let column = string(name).default(usual).take();
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, _) in SOURCES {
        manager.alter_table(Table::alter().table("device").drop_column(name).to_owned()).await?;
    }
    for table in TABLES {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn days() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("device_meter_day").col(uuid("device_id")).col(string("day")).col(uuid("tenant_id"));
    for name in ["odometer_m", "distance_m", "engine_s", "device_engine_s", "first_distance_m", "first_engine_s"] {
        table.col(big_integer_null(name));
    }
    table
        .col(big_integer("recorded_at"))
        .col(big_integer("first_recorded_at").default(0))
        .col(big_integer("updated_at"));
    table.primary_key(Index::create().col("device_id").col("day"));
    table.foreign_key(&mut of_device("device_meter_day")).to_owned()
}

fn corrections() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("meter_correction").col(uuid("id").primary_key()).col(uuid("tenant_id")).col(uuid("device_id"));
    table.col(integer("number")).col(big_integer("effective_from")).col(text("reason")).col(big_integer("anchor_at"));
    for meter in ["odometer_m", "engine_s"] {
        table.col(big_integer_null(meter)).col(big_integer_null(format!("{meter}_before")));
        table.col(big_integer(format!("{meter}_device"))).col(big_integer(format!("{meter}_computed")));
    }
    table.col(uuid_null("created_by")).col(big_integer("created_at"));
    table.foreign_key(&mut of_device("meter_correction")).to_owned()
}

/// Goes with its device, whoever removes that.
fn of_device(table: &'static str) -> ForeignKeyCreateStatement {
    let mut key = ForeignKey::create();
    key.from(table, "device_id").to("device", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}
