//! For how long a vehicle did what on a day.

use sea_orm_migration::{prelude::*, schema::big_integer};

const COLUMNS: [&str; 6] = ["moving_s", "idle_s", "parked_s", "first_moving_s", "first_idle_s", "first_parked_s"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        let column = big_integer(name).default(0).to_owned();
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
