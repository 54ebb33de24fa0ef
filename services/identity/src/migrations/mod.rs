//! The schema of identity.

use armada_runtime::migrations;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

mod m0001_identity;
mod m0002_demo;
mod m0003_people;
mod m0004_sign_in;
mod m0005_audit;
mod m0006_search;
mod m0007_accounts;
mod m0008_tenant_deletion;
mod m0010_tenant_confirmed;
mod m0011_jobs;
mod m0012_saved_views;
mod m0013_gateways;
mod m0014_storage_limit;
mod m0015_engine_stop_consent;
mod m0018_mail_requests;
mod m0019_history_days;
mod m0020_preferences;
mod m0021_role_templates;
mod m0022_mail_failures;
mod m0023_trials;
mod m0024_mail_shares;
mod m0025_undone_jobs;
mod m0026_list_orders;
mod m0027_idempotent_calls;
mod m0029_registration_requests;
mod m0030_natural_order;

/// All migrations, in order.
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        migrations![
            m0001_identity,
            m0002_demo,
            m0003_people,
            m0004_sign_in,
            m0005_audit,
            m0006_search,
            m0007_accounts,
            m0008_tenant_deletion,
            m0010_tenant_confirmed,
            m0011_jobs,
            m0012_saved_views,
            m0013_gateways,
            m0014_storage_limit,
            m0015_engine_stop_consent,
            m0018_mail_requests,
            m0019_history_days,
            m0020_preferences,
            m0021_role_templates,
            m0022_mail_failures,
            m0023_trials,
            m0024_mail_shares,
            m0025_undone_jobs,
            m0026_list_orders,
            m0027_idempotent_calls,
            m0029_registration_requests,
            m0030_natural_order,
        ]
    }
}
