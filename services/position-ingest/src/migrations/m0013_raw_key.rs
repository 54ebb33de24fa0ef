//! The key with which receivers sign what they write to RAW.

use sea_orm_migration::{
    prelude::*,
    schema::{binary, integer},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create().table("raw_key").col(integer("id").primary_key()).col(binary("seed")).to_owned();
    manager.create_table(table).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("raw_key").to_owned()).await
}
