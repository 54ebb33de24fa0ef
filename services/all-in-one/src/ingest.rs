//! What the tools look up in ingest's database: how far it has come and what it refused.

use std::collections::BTreeMap;

use anyhow::Result;
use armada_position_ingest as ingest;
use armada_runtime::{Database, Scope};
use sea_orm::{ConnectionTrait, Statement};

use crate::config::Config;

/// Ingest's database.
pub(crate) struct IngestData(Database);

impl IngestData {
    /// Opens it.
    pub(crate) async fn open(config: &Config) -> Result<Self> {
        Ok(Self(Database::open(&config.location(), ingest::NAME).await?))
    }

    /// The database, for ingest's own functions.
    pub(crate) fn database(&self) -> &Database {
        &self.0
    }

    /// Refused positions of the last days, by reason.
    pub(crate) async fn refused(&self) -> Result<BTreeMap<String, u64>> {
        let mut refused = BTreeMap::new();
        for count in ingest::rejection_counts(&self.0).await? {
            *refused.entry(count.reason).or_default() += u64::from(count.count);
        }
        Ok(refused)
    }

    /// The next sequence of RAW that each partition reads; everything before is stored or counted as refused.
    pub(crate) async fn next_sequences(&self) -> Result<Vec<u64>> {
        let tx = self.0.read(&Scope::Platform).await?;
        let sql = "SELECT next_seq FROM partition ORDER BY partition";
        let rows = tx.query_all_raw(Statement::from_string(self.0.backend(), sql)).await?;
        tx.commit().await?;
        rows.iter().map(|row| Ok(row.try_get::<i64>("", "next_seq")?.unsigned_abs())).collect()
    }
}
