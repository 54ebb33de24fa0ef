//! What happens to vehicles is told, and what is under way with them is saved with their states.

use armada_runtime::events;
use sea_orm_migration::prelude::*;

use super::add_to_device_state;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    events::create_table(manager).await?;
    add_to_device_state(manager, "watch").await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    events::drop_table(manager).await?;
    manager.alter_table(Table::alter().table("device_state").drop_column("watch").to_owned()).await
}
