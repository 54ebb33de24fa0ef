//! How the fuel of a device is read.

use sea_orm_migration::{
    prelude::*,
    schema::{string, text},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let columns = [
        string("fuel_source").default("liter").take(),
        string("fuel_attribute").default("").take(),
        text("fuel_table").default("").take(),
    ];
    for column in columns {
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in ["fuel_source", "fuel_attribute", "fuel_table"] {
        manager.alter_table(Table::alter().table("device").drop_column(name).to_owned()).await?;
    }
    Ok(())
}
