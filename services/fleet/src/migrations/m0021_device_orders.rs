//! The other orders and filters of the list of devices have indexes as well: reading and sorting all rows of a large tenant
//! takes a fifth of a second.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

const IS_THERE: &str = "hidden_at IS NULL AND deleted_at IS NULL";
const SORTED: [&str; 2] = ["vehicle_code_folded", "primary_driver_folded"];
const FILTERED: [&str; 2] = ["status", "icon_type"];
/// A list is counted from an index alone where the rows are known to be visible to all, which a vacuum notes. As it is, one
/// comes after a fifth of a table has changed.
const VACUUM_OFTEN: &str = "ALTER TABLE device SET (autovacuum_vacuum_scale_factor = 0.02, \
     autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    for (name, columns) in indexes() {
        let sql = format!("CREATE INDEX {name} ON device (tenant_id, {columns}, id) WHERE {IS_THERE}");
        connection.execute_unprepared(&sql).await?;
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(VACUUM_OFTEN).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, _) in indexes() {
        manager.drop_index(Index::drop().table("device").name(name).to_owned()).await?;
    }
    Ok(())
}

/// The name of each, and its columns between the tenant and the id.
fn indexes() -> impl Iterator<Item = (String, String)> {
    let sorted = SORTED.map(|column| (format!("device_there_{column}"), column.to_owned()));
    let filtered = FILTERED.map(|column| (format!("device_there_{column}"), format!("{column}, name_folded")));
    sorted.into_iter().chain(filtered)
}
