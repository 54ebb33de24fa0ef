//! Which tenant is the demonstration's.

use sea_orm_migration::{prelude::*, schema::boolean};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let added = Table::alter().table("tenant").add_column(boolean("is_demo").default(false)).to_owned();
    manager.alter_table(added).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("tenant").drop_column("is_demo").to_owned()).await
}
