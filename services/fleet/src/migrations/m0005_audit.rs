//! What was done to devices, on its way to the audit.

use armada_runtime::audit;
use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    audit::create_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    audit::drop_table(manager).await
}
