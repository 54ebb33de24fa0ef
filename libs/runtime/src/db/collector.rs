//! The numbers of databases as `/metrics` shows them.

use std::sync::atomic::Ordering;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
};
use sea_orm::{DatabaseConnection, DbBackend};

use super::{Database, metrics::OPERATIONS};

/// The numbers of all databases of a process.
#[derive(Debug)]
pub(crate) struct Databases(pub(crate) Vec<Database>);

impl Collector for Databases {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let encoder = &mut encoder;
        let pool = |database: &Database| [("db_client_connection_pool_name", database.metrics.service.clone())];

        let help = "Connections, by pool and state";
        let mut family = encoder.encode_descriptor("db_client_connection_count", help, None, MetricType::Gauge)?;
        for database in &self.0 {
            let (open, idle, _) = connections(&database.connection);
            for (state, count) in [("used", open - idle), ("idle", idle)] {
                let [(name, service)] = pool(database);
                let labels = [(name, service.as_str()), ("db_client_connection_state", state)];
                ConstGauge::new(count).encode(family.encode_family(&labels)?)?;
            }
        }
        let help = "Connections that a pool may open";
        let mut family = encoder.encode_descriptor("db_client_connection_max", help, None, MetricType::Gauge)?;
        for database in &self.0 {
            let (_, _, max) = connections(&database.connection);
            ConstGauge::new(max).encode(family.encode_family(&pool(database))?)?;
        }
        let name = "db_client_connection_wait_time_seconds";
        let help = "Time until a transaction could begin: a connection, and on SQLite the lock to write";
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for database in &self.0 {
            database.metrics.waited.encode(family.encode_family(&pool(database))?)?;
        }
        let name = "db_client_operation_duration_seconds";
        let help = "Time of a statement within its transaction, by service and kind";
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for database in &self.0 {
            for (operation, outcomes) in OPERATIONS.iter().zip(&database.metrics.statements) {
                for (error, histogram) in ["", "error"].iter().zip(outcomes) {
                    let Some(histogram) = histogram.get() else { continue };
                    let labels =
                        [("db_namespace", database.service()), ("db_operation_name", operation), ("error_type", error)];
                    histogram.encode(family.encode_family(&labels)?)?;
                }
            }
        }
        let relayed = || self.0.iter().filter(|database| database.metrics.outbox.is_relayed());
        let help = "Changed rows whose state is not in its bucket yet";
        let mut family = encoder.encode_descriptor("armada_outbox_waiting", help, None, MetricType::Gauge)?;
        for database in relayed() {
            let waiting = database.metrics.outbox.waiting.load(Ordering::Relaxed);
            ConstGauge::new(waiting).encode(family.encode_family(&[("service", database.service())])?)?;
        }
        let help = "Age of the oldest of them";
        let mut family = encoder.encode_descriptor("armada_outbox_oldest_seconds", help, None, MetricType::Gauge)?;
        for database in relayed() {
            let seconds = database.metrics.outbox.oldest_seconds();
            ConstGauge::new(seconds).encode(family.encode_family(&[("service", database.service())])?)?;
        }
        let recording = || self.0.iter().filter(|database| database.metrics.audit.is_relayed());
        let help = "Acts that are recorded and have not reached the stream AUDIT yet";
        let mut family = encoder.encode_descriptor("armada_audit_waiting", help, None, MetricType::Gauge)?;
        for database in recording() {
            let waiting = database.metrics.audit.waiting.load(Ordering::Relaxed);
            ConstGauge::new(waiting).encode(family.encode_family(&[("service", database.service())])?)?;
        }
        let help = "Age of the oldest of them";
        let mut family = encoder.encode_descriptor("armada_audit_oldest_seconds", help, None, MetricType::Gauge)?;
        for database in recording() {
            let seconds = database.metrics.audit.oldest_seconds();
            ConstGauge::new(seconds).encode(family.encode_family(&[("service", database.service())])?)?;
        }
        let telling = || self.0.iter().filter(|database| database.metrics.events.is_relayed());
        let help = "Events that are recorded and have not reached the stream EVENTS yet";
        let mut family = encoder.encode_descriptor("armada_events_waiting", help, None, MetricType::Gauge)?;
        for database in telling() {
            let waiting = database.metrics.events.waiting.load(Ordering::Relaxed);
            ConstGauge::new(waiting).encode(family.encode_family(&[("service", database.service())])?)?;
        }
        let help = "Age of the oldest of them";
        let mut family = encoder.encode_descriptor("armada_events_oldest_seconds", help, None, MetricType::Gauge)?;
        for database in telling() {
            let seconds = database.metrics.events.oldest_seconds();
            ConstGauge::new(seconds).encode(family.encode_family(&[("service", database.service())])?)?;
        }
        Ok(())
    }
}

/// Open, idle and allowed connections.
#[allow(clippy::disallowed_methods, reason = "pools are counted here, not used")]
fn connections(connection: &DatabaseConnection) -> (i64, i64, i64) {
    match connection.get_database_backend() {
        DbBackend::Postgres => {
            let pool = connection.get_postgres_connection_pool();
            (pool.size().into(), pool.num_idle() as i64, pool.options().get_max_connections().into())
        }
        _ => {
            let pool = connection.get_sqlite_connection_pool();
            (pool.size().into(), pool.num_idle() as i64, pool.options().get_max_connections().into())
        }
    }
}
