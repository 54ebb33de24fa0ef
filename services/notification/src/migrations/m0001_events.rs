//! Events, the ledgers of whose are gone for ever, and what is entered in the audit.

use armada_runtime::{
    audit,
    db::{search, tenant_policy},
};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, double_null, string, text, text_null, uuid, uuid_null},
};

const TABLES: [&str; 3] = ["event", "erased_tenant", "erased_device"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [event(), erased("erased_tenant", "tenant_id"), erased_device()] {
        manager.create_table(table).await?;
    }
    let index = |name: &str| Index::create().name(name).table("event").to_owned();
    let indexes = [
        index("event_tenant").col("tenant_id").col("occurred_at").col("id").to_owned(),
        index("event_device").col("device_id").col("occurred_at").to_owned(),
        // Of all tenants: what platform owners see, and what is old.
        index("event_occurred").col("occurred_at").col("id").to_owned(),
    ];
    for index in indexes {
        manager.create_index(index).await?;
    }
    search::create_index(manager, "event", "tenant_id").await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        for table in TABLES {
            manager.get_connection().execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    audit::create_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    audit::drop_table(manager).await?;
    search::drop_index(manager, "event").await?;
    for table in TABLES {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn event() -> TableCreateStatement {
    let mut table = Table::create();
    table
        .table("event")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(string("kind"))
        .col(uuid_null("device_id"))
        .col(uuid_null("driver_id"))
        .col(string("subject_id"))
        .col(big_integer("occurred_at"))
        .col(big_integer("recorded_at"))
        .col(text("title"))
        .col(text("search"));
    let measured = ["lat", "lng", "speed", "value", "limit_value"];
    measured.into_iter().for_each(|name| _ = table.col(double_null(name)));
    table.col(big_integer_null("since")).col(text_null("details")).to_owned()
}

fn erased_device() -> TableCreateStatement {
    let mut table = erased("erased_device", "device_id");
    table.col(uuid("tenant_id")).to_owned()
}

/// A ledger of what is erased, by its id.
fn erased(name: &'static str, id: &'static str) -> TableCreateStatement {
    Table::create().table(name).col(uuid(id).primary_key()).col(big_integer("erased_at")).to_owned()
}
