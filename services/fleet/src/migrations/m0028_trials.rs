//! Whether the items of a job are tried, and when it had its turn last.

use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::jobs::add_trials_and_turns(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::jobs::remove_trials_and_turns(manager).await
}
