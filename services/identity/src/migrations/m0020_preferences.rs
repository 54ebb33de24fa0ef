//! How people have chosen to see the console.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{string, text, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(preference()).await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("preference")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("preference").to_owned()).await
}

/// None outlives its user.
fn preference() -> TableCreateStatement {
    let with_user = ForeignKey::create()
        .from("preference", "user_id")
        .to("user", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned();
    Table::create()
        .table("preference")
        .col(uuid("user_id"))
        .col(string("key"))
        .col(uuid_null("tenant_id"))
        .col(text("value"))
        .primary_key(Index::create().col("user_id").col("key"))
        .foreign_key(&mut with_user.clone())
        .to_owned()
}
