//! Alarms, and which of them the bucket has not heard of.

use armada_runtime::{
    db::{search, tenant_policy},
    outbox,
};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, double_null, integer, string, text, uuid, uuid_null},
};

const INDEXES: [&str; 4] = [
    "CREATE UNIQUE INDEX alarm_open ON alarm (device_id, kind) WHERE acknowledged_at IS NULL",
    "CREATE INDEX alarm_device ON alarm (device_id, kind, last_at)",
    "CREATE INDEX alarm_tenant ON alarm (tenant_id, last_at, id)",
    // Of all tenants: what platform owners see, and what is old.
    "CREATE INDEX alarm_last ON alarm (last_at, id)",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(alarm()).await?;
    let connection = manager.get_connection();
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    search::create_index(manager, "alarm", "tenant_id").await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("alarm")).await?;
    }
    outbox::create_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    outbox::drop_table(manager).await?;
    search::drop_index(manager, "alarm").await?;
    manager.drop_table(Table::drop().table("alarm").to_owned()).await
}

fn alarm() -> TableCreateStatement {
    let mut table = Table::create();
    table
        .table("alarm")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("device_id"))
        .col(string("kind"))
        .col(string("severity"))
        .col(big_integer("first_at"))
        .col(big_integer("last_at"))
        .col(integer("count"))
        .col(uuid("first_event_id"))
        .col(uuid("last_event_id"))
        .col(double_null("lat"))
        .col(double_null("lng"))
        .col(big_integer_null("acknowledged_at"))
        .col(uuid_null("acknowledged_by"))
        .col(text("note"))
        .col(text("search"))
        .col(integer("row_version"));
    table.to_owned()
}
