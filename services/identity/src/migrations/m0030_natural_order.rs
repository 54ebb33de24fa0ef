//! Names sort by the numbers in them, and a search passes over accents: what is stored for both is brought to that form.

use armada_runtime::db::folded;
use sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::prelude::*;

use super::m0008_tenant_deletion::ONLY_ERASED;

const NAMED: [&str; 5] = ["tenant", "user", "role", "saved_view", "gateway"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in NAMED {
        folded::renew(manager, table, &["name_folded"]).await?;
    }
    renew_audit(manager).await
}

/// Entries are only added, by services. What is searched in them is not what their hashes are of.
async fn renew_audit(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let refuse = ONLY_ERASED.split_once("; ").filter(|_| manager.get_database_backend() == DbBackend::Sqlite);
    if let Some((drop_trigger, _)) = refuse {
        connection.execute_unprepared(drop_trigger).await?;
    }
    folded::renew(manager, "audit_entry", &[]).await?;
    if let Some((_, make_trigger)) = refuse {
        connection.execute_unprepared(make_trigger).await?;
    }
    Ok(())
}

/// Nothing is there that was not before.
pub(super) async fn down(_: &SchemaManager<'_>) -> Result<(), DbErr> {
    Ok(())
}
