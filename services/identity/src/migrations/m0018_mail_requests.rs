//! Which emails other services have asked for.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, string},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table =
        Table::create().table("mail_request").col(string("id").primary_key()).col(big_integer("created_at")).to_owned();
    manager.create_table(table).await?;
    let by_age = Index::create().name("mail_request_created").table("mail_request").col("created_at").to_owned();
    manager.create_index(by_age).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("mail_request").to_owned()).await
}
