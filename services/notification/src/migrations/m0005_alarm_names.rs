//! Names of alarms that no table knows.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, integer, string, text, uuid},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut table = Table::create();
    table
        .table("alarm_name")
        .col(uuid("id").primary_key())
        .col(string("name").unique_key())
        .col(string("event"))
        .col(big_integer("count"))
        .col(big_integer("first_heard_at"))
        .col(big_integer("last_heard_at"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"));
    manager.create_table(table.to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("alarm_name").to_owned()).await
}
