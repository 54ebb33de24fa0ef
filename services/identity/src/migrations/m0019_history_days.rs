//! For how many days the positions of a tenant are kept; 0 for ever.

use sea_orm_migration::{prelude::*, schema::integer};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = integer("history_days").default(0).to_owned();
    manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("tenant").drop_column("history_days").to_owned()).await
}
