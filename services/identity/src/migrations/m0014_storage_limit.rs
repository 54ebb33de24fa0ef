//! How much room the files of a tenant may take. Those that are there already get what new ones do.

use sea_orm_migration::{prelude::*, schema::integer};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = integer("storage_limit_mb").default(10_240).to_owned();
    manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("tenant").drop_column("storage_limit_mb").to_owned()).await
}
