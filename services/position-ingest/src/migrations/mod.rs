//! The schema of ingest.

use sea_orm_migration::prelude::*;

mod m0001_positions;
mod m0002_erased_tenants;
mod m0003_seal_speed;
mod m0004_tenant_deletion;
mod m0005_device_erasures;
mod m0006_events;
mod m0007_addresses;
mod m0008_room;
mod m0011_days;

pub use m0008_room::HOT_SLOTS;

/// All migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_positions::Migration),
            Box::new(m0002_erased_tenants::Migration),
            Box::new(m0003_seal_speed::Migration),
            Box::new(m0004_tenant_deletion::Migration),
            Box::new(m0005_device_erasures::Migration),
            Box::new(m0006_events::Migration),
            Box::new(m0007_addresses::Migration),
            Box::new(m0008_room::Migration),
            Box::new(m0011_days::Migration),
        ]
    }
}
