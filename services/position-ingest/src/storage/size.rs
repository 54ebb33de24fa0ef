//! How much is stored, and in how many bytes.

use armada_runtime::{Database, Result, Scope};
use sea_orm::{ConnectionTrait, Statement};

/// Positions and the bytes of their blobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stored {
    /// Positions.
    pub positions: i64,
    /// Bytes of frames or blocks.
    pub bytes: i64,
}

impl Stored {
    /// Zero when nothing is stored.
    pub fn bytes_per_position(&self) -> f64 {
        self.bytes as f64 / self.positions.max(1) as f64
    }

    fn since(self, before: Self) -> Self {
        Self { positions: self.positions - before.positions, bytes: self.bytes - before.bytes }
    }
}

/// Both forms of history.
#[derive(Debug, Clone, Copy, Default)]
pub struct Storage {
    hot: Stored,
    sealed: Stored,
}

impl Storage {
    /// Everything.
    pub fn total(&self) -> Stored {
        Stored { positions: self.hot.positions + self.sealed.positions, bytes: self.hot.bytes + self.sealed.bytes }
    }

    /// What has become hot since `before`.
    pub fn hot_since(&self, before: &Self) -> Stored {
        self.hot.since(before.hot)
    }

    /// What has been sealed since `before`.
    pub fn sealed_since(&self, before: &Self) -> Stored {
        self.sealed.since(before.sealed)
    }
}

/// Adds up what is stored.
pub async fn storage(db: &Database) -> Result<Storage> {
    Ok(Storage { hot: hot(db).await?, sealed: of(db, "track_block").await? })
}

/// Bytes of all that ingest's database takes, whatever is in it: the pages of the SQLite file, or the tables of the schema
/// with their indexes.
pub async fn whole_bytes(db: &Database) -> Result<i64> {
    if let Some(pages) = db.pages().await? {
        return Ok(i64::try_from(pages.all * pages.bytes).unwrap_or(i64::MAX));
    }
    let sql = "SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS bigint) AS bytes FROM pg_class \
               WHERE relkind = 'r' AND relnamespace = to_regnamespace(quote_ident(current_schema()))";
    let tx = db.read(&Scope::Platform).await?;
    let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await?;
    tx.commit().await?;
    Ok(row.map_or(Ok(0), |row| row.try_get("", "bytes"))?)
}

/// What is not sealed yet.
pub async fn hot(db: &Database) -> Result<Stored> {
    of(db, "hot_frame").await
}

async fn of(db: &Database, table: &str) -> Result<Stored> {
    let sql = format!(
        "SELECT CAST(coalesce(sum(n), 0) AS bigint) AS positions, \
         CAST(coalesce(sum(length(data)), 0) AS bigint) AS bytes FROM {table}"
    );
    let tx = db.read(&Scope::Platform).await?;
    let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await?;
    tx.commit().await?;
    let Some(row) = row else { return Ok(Stored::default()) };
    Ok(Stored { positions: row.try_get("", "positions")?, bytes: row.try_get("", "bytes")? })
}
