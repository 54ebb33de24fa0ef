//! The schema of notification.

use sea_orm_migration::prelude::*;

mod m0001_events;
mod m0002_alarms;

/// All migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m0001_events::Migration), Box::new(m0002_alarms::Migration)]
    }
}
