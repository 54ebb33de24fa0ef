//! By which replacements of trackers the meters of devices were read.

use sea_orm_migration::prelude::*;

use super::add_to_device_state;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    add_to_device_state(manager, "replaced").await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("device_state").drop_column("replaced").to_owned()).await
}
