//! Messages that a stream does not take. They are of IMEIs that nobody has, or of nobody's gateway, so it has no policy.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, blob, string, text},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("set_aside")
        .col(string("id").primary_key())
        .col(big_integer("at"))
        .col(text("subject"))
        .col(text("headers"))
        .col(blob("body"))
        .col(text("why"))
        .to_owned();
    manager.create_table(table).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("set_aside").to_owned()).await
}
