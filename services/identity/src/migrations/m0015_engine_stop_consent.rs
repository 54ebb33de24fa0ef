//! Whether a second person must agree before an engine is stopped.

use sea_orm_migration::{prelude::*, schema::boolean};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = boolean("engine_stop_consent").default(false).to_owned();
    manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("tenant").drop_column("engine_stop_consent").to_owned()).await
}
