//! Named states of lists.

use armada_runtime::db::{search, tenant_policy};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, boolean, integer, string, text, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(saved_view()).await?;
    let by_name = Index::create().name("saved_view_name").table("saved_view").unique().to_owned();
    manager.create_index(by_name.clone().col("user_id").col("screen").col("name_folded").to_owned()).await?;
    let by_tenant = Index::create().name("saved_view_tenant").table("saved_view").col("tenant_id").to_owned();
    manager.create_index(by_tenant).await?;
    search::create_index(manager, "saved_view", "tenant_id").await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("saved_view")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "saved_view").await?;
    manager.drop_table(Table::drop().table("saved_view").to_owned()).await
}

/// A shared view outlives who made it, and none outlives its tenant.
fn saved_view() -> TableCreateStatement {
    let key = |column: &'static str, table: &'static str, action| {
        ForeignKey::create().from("saved_view", column).to(table, "id").on_delete(action).to_owned()
    };
    Table::create()
        .table("saved_view")
        .col(uuid("id").primary_key())
        .col(uuid_null("tenant_id"))
        .col(uuid_null("user_id"))
        .col(string("screen"))
        .col(string("name"))
        .col(string("name_folded"))
        .col(text("query"))
        .col(boolean("is_shared"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .foreign_key(&mut key("tenant_id", "tenant", ForeignKeyAction::Cascade))
        .foreign_key(&mut key("user_id", "user", ForeignKeyAction::SetNull))
        .to_owned()
}
