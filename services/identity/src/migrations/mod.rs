//! The schema of identity.

use sea_orm_migration::prelude::*;

mod m0001_identity;
mod m0002_demo;

/// All migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m0001_identity::Migration), Box::new(m0002_demo::Migration)]
    }
}
