//! Documents of vehicles and drivers, files, and events on their way.

use armada_runtime::{
    db::{search, tenant_policy},
    events,
};
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, integer, string, text, uuid, uuid_null},
};

const TABLES: [&str; 3] = ["document", "document_reminder", "file"];
const TEXTS: &str = "kind name name_folded number number_folded subject_name subject_name_folded subject_code issued_on \
                     expires_on expiry_order reminder_days next_reminder_on notes";
const INDEXES: [&str; 8] = [
    "CREATE INDEX document_expiry ON document (tenant_id, expiry_order)",
    "CREATE INDEX document_device ON document (device_id) WHERE device_id IS NOT NULL",
    "CREATE INDEX document_driver ON document (driver_id) WHERE driver_id IS NOT NULL",
    "CREATE INDEX document_next_reminder ON document (next_reminder_on) WHERE next_reminder_on <> ''",
    "CREATE INDEX file_tenant ON file (tenant_id)",
    "CREATE INDEX file_document ON file (document_id) WHERE document_id IS NOT NULL",
    "CREATE INDEX file_of_nobody ON file (created_at) WHERE document_id IS NULL",
    "CREATE INDEX file_removed ON file (removed_at) WHERE removed_at IS NOT NULL",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [document(), reminder(), file()] {
        manager.create_table(table).await?;
    }
    let connection = manager.get_connection();
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    search::create_index(manager, "document", "tenant_id").await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        for table in TABLES {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    events::create_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    events::drop_table(manager).await?;
    search::drop_index(manager, "document").await?;
    for table in TABLES {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn document() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("document").col(uuid("id").primary_key()).col(uuid("tenant_id"));
    TEXTS.split(' ').for_each(|name| _ = table.col(string(name)));
    table.col(uuid_null("device_id")).col(uuid_null("driver_id")).col(text("search"));
    table.col(big_integer_null("hidden_at")).col(integer("row_version"));
    table.col(big_integer("created_at")).col(big_integer("updated_at")).to_owned()
}

fn reminder() -> TableCreateStatement {
    Table::create()
        .table("document_reminder")
        .col(uuid("document_id"))
        .col(string("expires_on"))
        .col(integer("lead_days"))
        .col(uuid("tenant_id"))
        .col(big_integer("reminded_at"))
        .primary_key(Index::create().col("document_id").col("expires_on").col("lead_days"))
        .to_owned()
}

fn file() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("file").col(uuid("id").primary_key()).col(uuid("tenant_id"));
    ["name", "kind", "sha256"].into_iter().for_each(|name| _ = table.col(string(name)));
    table.col(big_integer("size")).col(boolean("is_stored")).col(uuid_null("uploaded_by"));
    table.col(uuid_null("document_id")).col(big_integer_null("removed_at")).col(big_integer("created_at")).to_owned()
}
