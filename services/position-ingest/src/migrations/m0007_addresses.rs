//! What geocoders have said. It belongs to no tenant, so it has no policy.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, integer, string, text_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("address")
        .col(integer("lat_e4"))
        .col(integer("lng_e4"))
        .col(string("language"))
        .col(text_null("text"))
        .col(big_integer("fetched_at"))
        .primary_key(Index::create().col("lat_e4").col("lng_e4").col("language"))
        .to_owned();
    manager.create_table(table).await?;
    // What is old is removed.
    let by_age = Index::create().name("address_fetched_at").table("address").col("fetched_at").to_owned();
    manager.create_index(by_age).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("address").to_owned()).await
}
