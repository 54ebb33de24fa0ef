//! Share links, and how often somebody has guessed at their PINs.

use armada_runtime::{
    db::{search, tenant_policy},
    throttle,
};
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, integer, string, string_null, text, uuid, uuid_null},
};

const INDEXES: [&str; 4] = [
    "CREATE UNIQUE INDEX share_link_token ON share_link (token_hash)",
    "CREATE INDEX share_link_user ON share_link (user_id)",
    "CREATE INDEX share_link_created ON share_link (tenant_id, created_at, id)",
    "CREATE INDEX share_link_expiry ON share_link (tenant_id, expires_at, id)",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(share_link()).await?;
    let connection = manager.get_connection();
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    search::create_index(manager, "share_link", "tenant_id").await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("share_link")).await?;
    }
    throttle::create_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    throttle::drop_table(manager).await?;
    search::drop_index(manager, "share_link").await?;
    manager.drop_table(Table::drop().table("share_link").to_owned()).await
}

fn share_link() -> TableCreateStatement {
    Table::create()
        .table("share_link")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("user_id"))
        .col(string("name"))
        .col(string("name_folded"))
        .col(uuid_null("device_id"))
        .col(uuid_null("device_group_id"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("revoked_at"))
        .col(binary("token_hash"))
        .col(string_null("pin_hash"))
        .col(integer("ticket_version"))
        .col(big_integer("opened_count"))
        .col(big_integer_null("last_opened_at"))
        .col(text("search"))
        .col(big_integer_null("hidden_at"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}
