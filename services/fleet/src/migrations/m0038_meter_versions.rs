//! Days of meters begin with what the counters were at midnight, and a later version of a reading holds.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, boolean},
};

const TABLE: &str = "device_meter_day";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in [big_integer("version").default(0).to_owned(), boolean("is_from_midnight").default(false).to_owned()]
    {
        manager.alter_table(Table::alter().table(TABLE).add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in ["version", "is_from_midnight"] {
        manager.alter_table(Table::alter().table(TABLE).drop_column(name).to_owned()).await?;
    }
    Ok(())
}
