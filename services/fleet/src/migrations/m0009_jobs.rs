//! Long acts on many things.

use armada_runtime::jobs;
use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    jobs::create_tables(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    jobs::drop_tables(manager).await
}
