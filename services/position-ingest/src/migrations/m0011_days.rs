//! With the state of a device is saved what its counters were when the day of its newest fix began, and its trips.

use sea_orm_migration::prelude::*;

use super::add_to_device_state;

const COLUMNS: [&str; 2] = ["today", "trips"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        add_to_device_state(manager, name).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for name in COLUMNS {
        manager.alter_table(Table::alter().table("device_state").drop_column(name).to_owned()).await?;
    }
    Ok(())
}
