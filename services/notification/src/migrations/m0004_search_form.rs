//! A search passes over accents: what is searched is brought to that form.

use armada_runtime::db::folded;
use sea_orm_migration::prelude::*;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    folded::renew(manager, "event", &[]).await?;
    folded::renew(manager, "alarm", &[]).await
}

/// Nothing is there that was not before.
pub(super) async fn down(_: &SchemaManager<'_>) -> Result<(), DbErr> {
    Ok(())
}
