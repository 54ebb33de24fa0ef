//! The schema of ingest.

use armada_runtime::migrations;
use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationTrait, MigratorTrait, SchemaManager};

mod m0001_positions;
mod m0002_erased_tenants;
mod m0003_seal_speed;
mod m0004_tenant_deletion;
mod m0005_device_erasures;
mod m0006_events;
mod m0007_addresses;
mod m0008_room;
mod m0011_days;
mod m0012_set_aside;
mod m0013_raw_key;
mod m0014_days;
mod m0015_replaced_trackers;

pub use m0008_room::HOT_SLOTS;

/// All migrations, in order.
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        migrations![
            m0001_positions,
            m0002_erased_tenants,
            m0003_seal_speed,
            m0004_tenant_deletion,
            m0005_device_erasures,
            m0006_events,
            m0007_addresses,
            m0008_room without transaction,
            m0011_days,
            m0012_set_aside,
            m0013_raw_key,
            m0014_days,
            m0015_replaced_trackers,
        ]
    }
}

/// Adds a column of bytes to the states of devices, which has none at first.
async fn add_to_device_state(manager: &SchemaManager<'_>, column: &str) -> Result<(), DbErr> {
    let (bytes, none) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bytea", "''::bytea"),
        _ => ("blob", "x''"),
    };
    let sql = format!("ALTER TABLE device_state ADD COLUMN {column} {bytes} NOT NULL DEFAULT {none}");
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}
