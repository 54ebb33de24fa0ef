//! Commands to devices, and such as are kept to be sent again.

use armada_runtime::db::{search, tenant_policy};
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, integer, string, text, uuid, uuid_null},
};

const TABLES: [&str; 2] = ["command", "saved_command"];
const INDEXES: [&str; 6] = [
    "CREATE INDEX command_created ON command (tenant_id, created_at, id)",
    "CREATE INDEX command_device ON command (device_id, created_at)",
    "CREATE INDEX command_queued ON command (next_try_at) WHERE state = 'queued'",
    "CREATE INDEX command_open ON command (state) WHERE state IN ('awaiting_consent', 'queued', 'sent')",
    "CREATE UNIQUE INDEX command_request ON command (device_id, user_id, request_id)",
    "CREATE UNIQUE INDEX saved_command_name ON saved_command (tenant_id, name_folded)",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(command()).await?;
    manager.create_table(saved_command()).await?;
    let connection = manager.get_connection();
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    search::create_index(manager, "command", "tenant_id").await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        for table in TABLES {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "command").await?;
    for table in TABLES {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn command() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("command").col(uuid("id").primary_key()).col(uuid("tenant_id")).col(uuid("device_id"));
    for name in ["name", "name_folded", "imei", "kind", "state", "state_reason", "gateway"] {
        table.col(string(name));
    }
    ["text", "reason", "answer", "search"].into_iter().for_each(|name| _ = table.col(text(name)));
    table.col(integer("interval_seconds")).col(integer("output")).col(boolean("output_on"));
    table.col(uuid("user_id")).col(uuid_null("decided_by")).col(uuid_null("repeats")).col(uuid_null("request_id"));
    table.col(big_integer("expires_at")).col(big_integer("next_try_at")).col(big_integer_null("sent_at"));
    table.col(big_integer_null("answer_by")).col(big_integer_null("answered_at"));
    table.col(integer("row_version")).col(big_integer("created_at")).col(big_integer("updated_at")).to_owned()
}

fn saved_command() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("saved_command").col(uuid("id").primary_key()).col(uuid("tenant_id"));
    ["name", "name_folded", "kind"].into_iter().for_each(|name| _ = table.col(string(name)));
    ["text", "description", "search"].into_iter().for_each(|name| _ = table.col(text(name)));
    table.col(integer("interval_seconds")).col(integer("output")).col(boolean("output_on"));
    table.col(integer("row_version")).col(big_integer("created_at")).col(big_integer("updated_at")).to_owned()
}
