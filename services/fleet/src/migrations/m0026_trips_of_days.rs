//! How many trips a vehicle has made by the end of a day; not known of days before.

use sea_orm_migration::{prelude::*, schema::big_integer_null};

const COLUMNS: [&str; 2] = ["trips", "first_trips"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        let column = big_integer_null(name);
        manager.alter_table(Table::alter().table("device_meter_day").add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        manager.alter_table(Table::alter().table("device_meter_day").drop_column(name).to_owned()).await?;
    }
    Ok(())
}
