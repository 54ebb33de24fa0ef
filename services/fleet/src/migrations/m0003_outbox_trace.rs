//! Marks of the outbox know when they were made and by which request.

use armada_runtime::outbox;
use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    outbox::upgrade_table(manager).await
}

/// The columns may be empty, so older programs leave them alone.
pub(super) async fn down(_: &SchemaManager<'_>) -> Result<(), DbErr> {
    Ok(())
}
