//! Who drives which vehicle, now and before.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, string, uuid, uuid_null},
};

const INDEXES: [&str; 4] = [
    "CREATE UNIQUE INDEX driver_assignment_now ON driver_assignment (device_id) WHERE assigned_until IS NULL",
    "CREATE INDEX driver_assignment_device ON driver_assignment (device_id, assigned_from)",
    "CREATE INDEX driver_assignment_driver ON driver_assignment (driver_id, assigned_from)",
    "CREATE INDEX device_primary_driver ON device (primary_driver_id)",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let named = Query::select().column("id").from("device").and_where(Expr::col("primary_driver").ne("")).to_owned();
    if connection.query_one(&named).await?.is_some() {
        return Err(DbErr::Migration("the data is of an older state, in which drivers were texts: start anew".into()));
    }
    manager.alter_table(Table::alter().table("device").add_column(uuid_null("primary_driver_id")).to_owned()).await?;
    manager.create_table(assignment()).await?;
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("driver_assignment")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("driver_assignment").to_owned()).await?;
    manager.drop_index(Index::drop().table("device").name("device_primary_driver").to_owned()).await?;
    manager.alter_table(Table::alter().table("device").drop_column("primary_driver_id").to_owned()).await
}

fn assignment() -> TableCreateStatement {
    Table::create()
        .table("driver_assignment")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("driver_id"))
        .col(string("driver_name"))
        .col(uuid("device_id"))
        .col(string("device_name"))
        .col(big_integer("assigned_from"))
        .col(big_integer_null("assigned_until"))
        .to_owned()
}
