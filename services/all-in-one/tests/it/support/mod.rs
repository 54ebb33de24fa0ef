//! What the tests of the program share: a site to run it on, recorded traces, and what must be in history afterwards.

pub mod chart;
pub mod compose;
pub mod events;
pub mod history;
pub mod live;
pub mod site;
pub mod stored;
pub mod trace;

use std::time::Duration;

use armada_declarations::SERVICES;
use sea_orm::{ConnectOptions, Database, DatabaseConnection};

/// For what takes a moment on an idle machine; a busy one is slower.
pub const SOON: Duration = Duration::from_secs(60);

/// The names of all services.
pub fn services() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().map(|service| service.name)
}

/// Those of the services with a schema.
pub fn services_that_store() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().filter(|service| service.stores).map(|service| service.name)
}

/// One connection to PostgreSQL and no more, so that what one statement leaves behind meets the next.
pub async fn connect(url: &str) -> anyhow::Result<DatabaseConnection> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Ok(Database::connect(options).await?)
}
