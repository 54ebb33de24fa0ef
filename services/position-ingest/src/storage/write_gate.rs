//! Whose turn it is to write to the database.

use std::sync::Arc;

use armada_runtime::Database;
use sea_orm::DbBackend;
use tokio::sync::{Mutex, MutexGuard};

/// Lets one transaction write at a time on SQLite, whose own waiting is a poll that starves the patient.
#[derive(Clone)]
pub struct WriteGate(Option<Arc<Mutex<()>>>);

impl WriteGate {
    /// For a database.
    pub fn new(db: &Database) -> Self {
        Self((db.backend() == DbBackend::Sqlite).then(Arc::default))
    }

    /// Held while a transaction writes.
    pub async fn enter(&self) -> Option<MutexGuard<'_, ()>> {
        match &self.0 {
            Some(mutex) => Some(mutex.lock().await),
            None => None,
        }
    }
}
