//! The orders that the list of users offers have indexes, each with the id at its end, so that a page is read behind the row
//! before it; platform owners have one for the usual order of all users. So has the audit what is narrowed to an act.

use sea_orm_migration::prelude::*;

const INDEXES: [(&str, &str); 6] = [
    ("user_of_all", "\"user\" (name_folded, id)"),
    ("user_by_name_folded", "\"user\" (tenant_id, name_folded, id)"),
    ("user_by_phone", "\"user\" (tenant_id, phone, id)"),
    ("user_by_last_login", "\"user\" (tenant_id, COALESCE(last_login, 0), id)"),
    ("user_by_created_at", "\"user\" (tenant_id, created_at, id)"),
    ("audit_entry_act", "audit_entry (tenant_id, act, at, id)"),
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, columns) in INDEXES {
        manager.get_connection().execute_unprepared(&format!("CREATE INDEX {name} ON {columns}")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, _) in INDEXES {
        manager.get_connection().execute_unprepared(&format!("DROP INDEX {name}")).await?;
    }
    Ok(())
}
