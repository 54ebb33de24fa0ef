//! What a database costs: waiting for a connection, statements, connections in use, and marks that wait in the outbox.

use std::{
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use armada_proto::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge, histogram::Histogram},
};
use sea_orm::{DatabaseConnection, DbBackend, metric::Info};

use crate::{error::Error, health};

/// Kinds of statements, by their first word.
const OPERATIONS: [&str; 5] = ["SELECT", "INSERT", "UPDATE", "DELETE", "other"];

/// Numbers of one service's database.
pub(crate) struct Metrics {
    service: String,
    waited: Histogram,
    /// By kind; those that ended well, and those that failed.
    statements: [[OnceLock<Histogram>; 2]; OPERATIONS.len()],
    /// Of its outbox, if it has one.
    pub(crate) outbox: Outbox,
    /// Of its acts on their way to the audit, if it records any.
    pub(crate) audit: Outbox,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Metrics").field("service", &self.service).finish_non_exhaustive()
    }
}

impl Metrics {
    pub(super) fn new(service: &str) -> Arc<Self> {
        Arc::new(Self {
            service: service.to_owned(),
            waited: health::seconds(),
            statements: Default::default(),
            outbox: Outbox::default(),
            audit: Outbox::default(),
        })
    }

    /// The service whose database it is.
    pub(crate) fn service(&self) -> &str {
        &self.service
    }

    /// A transaction could begin after so long.
    pub(super) fn waited(&self, duration: Duration) {
        self.waited.observe(duration.as_secs_f64());
    }

    /// A statement has ended.
    pub(super) fn statement(&self, info: &Info<'_>) {
        let histogram = &self.statements[operation(&info.statement.sql)][usize::from(info.failed)];
        histogram.get_or_init(health::seconds).observe(info.elapsed.as_secs_f64());
    }
}

/// What a statement does, as an index of [`OPERATIONS`]. Its text is for nobody: there are values in some.
fn operation(sql: &str) -> usize {
    let word = sql.split_whitespace().next().unwrap_or_default();
    OPERATIONS.iter().position(|name| word.eq_ignore_ascii_case(name)).unwrap_or(OPERATIONS.len() - 1)
}

/// How an outbox stands.
#[derive(Default)]
pub(crate) struct Outbox {
    /// Marks that wait.
    waiting: AtomicI64,
    /// When the oldest of them was made, milliseconds since 1970; 0 when none waits.
    oldest: AtomicI64,
    failing: Mutex<Option<Error>>,
    /// Whether a relay works on it.
    relayed: AtomicBool,
}

impl Outbox {
    /// Marks that wait, and since when.
    pub(crate) fn waits(&self, marks: u64, oldest: Option<i64>) {
        self.relayed.store(true, Ordering::Relaxed);
        self.waiting.store(marks as i64, Ordering::Relaxed);
        self.oldest.store(oldest.unwrap_or_default(), Ordering::Relaxed);
    }

    /// How the last round of the relay ended.
    pub(crate) fn ended(&self, outcome: Option<&Error>) {
        self.relayed.store(true, Ordering::Relaxed);
        *self.failing.lock().expect("no panic while held") = outcome.cloned();
    }

    /// For `/readyz`.
    pub(crate) fn state(&self) -> crate::Result<Option<String>> {
        if !self.is_relayed() {
            return Ok(None);
        }
        match &*self.failing.lock().expect("no panic while held") {
            Some(error) => Err(Error::unavailable(format!("changes do not reach their bucket: {}", error.message))),
            None => Ok(Some(format!("{} changes wait for their bucket", self.waiting.load(Ordering::Relaxed)))),
        }
    }

    /// Whether a relay works on it.
    fn is_relayed(&self) -> bool {
        self.relayed.load(Ordering::Relaxed)
    }

    fn oldest_seconds(&self) -> f64 {
        match self.oldest.load(Ordering::Relaxed) {
            0 => 0.0,
            oldest => (Timestamp::now().millis() - oldest).max(0) as f64 / 1000.0,
        }
    }
}

/// The numbers of all databases of a process.
#[derive(Debug)]
pub(crate) struct Databases(pub(crate) Vec<super::Database>);

impl Collector for Databases {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let encoder = &mut encoder;
        let pool = |database: &super::Database| [("db_client_connection_pool_name", database.metrics.service.clone())];

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

#[cfg(test)]
mod tests {
    use super::OPERATIONS;

    fn operation(sql: &str) -> &'static str {
        OPERATIONS[super::operation(sql)]
    }

    #[test]
    fn statements_are_told_by_their_first_word() {
        assert_eq!(operation("SELECT \"a\" FROM b WHERE c = 'secret'"), "SELECT");
        assert_eq!(operation("  insert into x"), "INSERT");
        assert_eq!(operation("WITH x AS (SELECT 1)"), "other");
        assert_eq!(operation(""), "other");
    }
}
