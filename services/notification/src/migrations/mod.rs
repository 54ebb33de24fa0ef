//! The schema of notification.

use armada_runtime::migrations;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

mod m0001_events;
mod m0002_alarms;
mod m0003_list_orders;
mod m0004_search_form;
mod m0005_alarm_names;

/// All migrations, in order.
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        migrations![m0001_events, m0002_alarms, m0003_list_orders, m0004_search_form, m0005_alarm_names]
    }
}
