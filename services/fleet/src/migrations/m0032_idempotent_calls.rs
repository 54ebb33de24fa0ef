//! What was done for calls with an idempotency key.

use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::idempotency::create_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    armada_runtime::idempotency::drop_table(manager).await
}
