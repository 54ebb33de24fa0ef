//! The schema of identity.

use sea_orm_migration::prelude::*;

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
            Box::new(m0006_search::Migration),
            Box::new(m0007_accounts::Migration),
            Box::new(m0008_tenant_deletion::Migration),
            Box::new(m0010_tenant_confirmed::Migration),
            Box::new(m0011_jobs::Migration),
            Box::new(m0012_saved_views::Migration),
            Box::new(m0013_gateways::Migration),
            Box::new(m0014_storage_limit::Migration),
            Box::new(m0015_engine_stop_consent::Migration),
            Box::new(m0018_mail_requests::Migration),
            Box::new(m0019_history_days::Migration),
            Box::new(m0020_preferences::Migration),
            Box::new(m0021_role_templates::Migration),
        ]
    }
}
