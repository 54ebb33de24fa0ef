//! What a database costs: waiting for a connection, statements, connections in use, and marks that wait in the outbox.

use std::{
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use armada_proto::Timestamp;
use prometheus_client::metrics::histogram::Histogram;
use sea_orm::metric::Info;

use crate::{
    error::{Error, Result},
    metrics::seconds,
};

/// Kinds of statements, by their first word.
pub(super) const OPERATIONS: [&str; 5] = ["SELECT", "INSERT", "UPDATE", "DELETE", "other"];

/// Numbers of one service's database.
pub(crate) struct Metrics {
    pub(super) service: String,
    pub(super) waited: Histogram,
    /// By kind; those that ended well, and those that failed.
    pub(super) statements: [[OnceLock<Histogram>; 2]; OPERATIONS.len()],
    /// Of its outbox, if it has one.
    pub(crate) outbox: Outbox,
    /// Of its acts on their way to the audit, if it records any.
    pub(crate) audit: Outbox,
    /// Of its events on their way to their stream, if it records any.
    pub(crate) events: Outbox,
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
            waited: seconds(),
            statements: Default::default(),
            outbox: Outbox::default(),
            audit: Outbox::default(),
            events: Outbox::default(),
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
        histogram.get_or_init(seconds).observe(info.elapsed.as_secs_f64());
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
    pub(super) waiting: AtomicI64,
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
    pub(crate) fn state(&self) -> Result<Option<String>> {
        if !self.is_relayed() {
            return Ok(None);
        }
        match &*self.failing.lock().expect("no panic while held") {
            Some(error) => Err(Error::unavailable(format!("changes do not reach their bucket: {}", error.message))),
            None => Ok(Some(format!("{} changes wait for their bucket", self.waiting.load(Ordering::Relaxed)))),
        }
    }

    /// Whether a relay works on it.
    pub(super) fn is_relayed(&self) -> bool {
        self.relayed.load(Ordering::Relaxed)
    }

    /// Age of the oldest of them.
    pub(super) fn oldest_seconds(&self) -> f64 {
        match self.oldest.load(Ordering::Relaxed) {
            0 => 0.0,
            oldest => (Timestamp::now().millis() - oldest).max(0) as f64 / 1000.0,
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
    fn labels_statements_by_first_word() {
        assert_eq!(operation("SELECT \"a\" FROM b WHERE c = 'secret'"), "SELECT");
        assert_eq!(operation("  insert into x"), "INSERT");
        assert_eq!(operation("WITH x AS (SELECT 1)"), "other");
        assert_eq!(operation(""), "other");
    }
}
