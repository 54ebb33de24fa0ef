//! The schema of fleet.

use armada_runtime::migrations;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

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
mod m0027_hidden_tenants;
mod m0028_trials;
mod m0029_waiting_commands;
mod m0030_undone_jobs;
mod m0031_list_orders;
mod m0032_idempotent_calls;
mod m0034_unsent_emails;
mod m0035_natural_order;
mod m0036_imei_case;
mod m0037_own_gateways;
mod m0038_meter_versions;
mod m0039_tow_and_ignition;
mod m0040_tracker_replacements;

/// All migrations, in order.
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        migrations![
            m0001_devices,
            m0002_vehicles,
            m0003_outbox_trace,
            m0004_list_indexes,
            m0005_audit,
            m0006_search,
            m0007_imei_claims,
            m0008_tenant_deletion,
            m0009_jobs,
            m0010_drivers,
            m0011_driver_assignments,
            m0012_master_data,
            m0013_documents,
            m0014_device_members,
            m0015_share_links,
            m0016_commands,
            m0017_meters,
            m0018_maintenance,
            m0019_device_deletion,
            m0020_device_indexes,
            m0021_device_orders,
            m0022_speed_limit,
            m0023_thresholds,
            m0024_activity_of_days,
            m0025_fuel_sensor,
            m0026_trips_of_days,
            m0027_hidden_tenants,
            m0028_trials,
            m0029_waiting_commands,
            m0030_undone_jobs,
            m0031_list_orders,
            m0032_idempotent_calls,
            m0034_unsent_emails,
            m0035_natural_order,
            m0036_imei_case,
            m0037_own_gateways,
            m0038_meter_versions,
            m0039_tow_and_ignition,
            m0040_tracker_replacements,
        ]
    }
}
