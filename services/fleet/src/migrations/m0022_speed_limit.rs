//! How fast a vehicle may go.

use sea_orm_migration::{prelude::*, schema::integer};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = integer("speed_limit").default(0).to_owned();
    manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("device").drop_column("speed_limit").to_owned()).await
}
