//! Which job took back what another one did, and whether all items of a job are there.

use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::jobs::add_undo_and_filling(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::jobs::remove_undo_and_filling(manager).await
}
