//! Whether the items of a job are tried.

use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::jobs::add_trial(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::jobs::remove_trial(manager).await
}
