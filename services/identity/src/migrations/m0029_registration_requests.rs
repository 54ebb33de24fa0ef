//! Registrations that were asked for and are not looked at yet.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_pk_auto, binary, boolean, string},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("registration_request")
        .col(big_pk_auto("id"))
        .col(binary("input"))
        .col(boolean("may_tell"))
        .col(string("address"))
        .col(big_integer("created_at"))
        .col(big_integer("next_at"))
        .to_owned();
    manager.create_table(table).await?;
    let due = Index::create().name("registration_request_due").table("registration_request").col("next_at").to_owned();
    manager.create_index(due).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("registration_request").to_owned()).await
}
