//! The schema of ingest.

use sea_orm_migration::prelude::*;

mod m0001_positions;
mod m0002_erased_tenants;

/// All migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m0001_positions::Migration), Box::new(m0002_erased_tenants::Migration)]
    }
}
