//! The schema of identity.

use sea_orm_migration::prelude::*;

mod m0001_identity;
mod m0002_demo;
mod m0003_people;
mod m0004_sign_in;
mod m0005_audit;

/// All migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_identity::Migration),
            Box::new(m0002_demo::Migration),
            Box::new(m0003_people::Migration),
            Box::new(m0004_sign_in::Migration),
            Box::new(m0005_audit::Migration),
        ]
    }
}
