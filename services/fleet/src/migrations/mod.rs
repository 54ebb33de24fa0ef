//! The schema of fleet.

use sea_orm_migration::prelude::*;

mod m0001_devices;
mod m0002_vehicles;
mod m0003_outbox_trace;
mod m0004_list_indexes;
mod m0005_audit;
mod m0006_search;
mod m0007_imei_claims;
mod m0008_tenant_deletion;
mod m0009_jobs;
mod m0010_drivers;
mod m0011_driver_assignments;
mod m0012_master_data;
mod m0013_documents;
mod m0014_device_members;
mod m0015_share_links;
mod m0016_commands;
mod m0017_meters;
mod m0018_maintenance;
mod m0019_device_deletion;
mod m0020_device_indexes;
mod m0021_device_orders;
mod m0022_speed_limit;
mod m0023_thresholds;
mod m0024_activity_of_days;
mod m0025_fuel_sensor;
mod m0026_trips_of_days;

/// All migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_devices::Migration),
            Box::new(m0002_vehicles::Migration),
            Box::new(m0003_outbox_trace::Migration),
            Box::new(m0004_list_indexes::Migration),
            Box::new(m0005_audit::Migration),
            Box::new(m0006_search::Migration),
            Box::new(m0007_imei_claims::Migration),
            Box::new(m0008_tenant_deletion::Migration),
            Box::new(m0009_jobs::Migration),
            Box::new(m0010_drivers::Migration),
            Box::new(m0011_driver_assignments::Migration),
            Box::new(m0012_master_data::Migration),
            Box::new(m0013_documents::Migration),
            Box::new(m0014_device_members::Migration),
            Box::new(m0015_share_links::Migration),
            Box::new(m0016_commands::Migration),
            Box::new(m0017_meters::Migration),
            Box::new(m0018_maintenance::Migration),
            Box::new(m0019_device_deletion::Migration),
            Box::new(m0020_device_indexes::Migration),
            Box::new(m0021_device_orders::Migration),
            Box::new(m0022_speed_limit::Migration),
            Box::new(m0023_thresholds::Migration),
            Box::new(m0024_activity_of_days::Migration),
            Box::new(m0025_fuel_sensor::Migration),
            Box::new(m0026_trips_of_days::Migration),
        ]
    }
}
