//! Sealed history, written straight into the database of a program: what took days to come is there within seconds.

use anyhow::{Context as _, Result};
use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Scope};
use armada_track::{BlockSummary, Position, encode_block};
use sea_orm::{ConnectionTrait, Statement, Value};

/// Rows of one insert statement.
pub const ROWS_AT_ONCE: usize = 500;

/// Whose history it is, and where ingest keeps it.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    pub tenant: TenantId,
    pub device: DeviceId,
    pub partition: u32,
}

/// Writes blocks, many at a time.
pub struct BlockWriter<'a> {
    db: &'a Database,
    rows: Vec<Vec<Value>>,
    /// Blocks so far.
    pub count: usize,
}

impl<'a> BlockWriter<'a> {
    /// Into the database of ingest.
    pub fn new(db: &'a Database) -> Self {
        Self { db, rows: Vec::new(), count: 0 }
    }

    /// Adds a block of a day (since 1970); `part` counts those of the day from 0.
    pub async fn push(&mut self, owner: Owner, day: i64, part: usize, positions: &[Position]) -> Result<()> {
        let summary = BlockSummary::of(positions).context("positions")?;
        self.rows.push(vec![
            owner.tenant.0.into(),
            owner.device.0.into(),
            (day as i32).into(),
            (owner.partition as i32).into(),
            (part as i64 + 1).into(),
            summary.t_start.into(),
            summary.t_end.into(),
            (summary.n as i32).into(),
            summary.encode().into(),
            encode_block(positions).into(),
        ]);
        self.count += 1;
        if self.rows.len() == ROWS_AT_ONCE { self.flush().await } else { Ok(()) }
    }

    /// Writes what is left.
    pub async fn flush(&mut self) -> Result<()> {
        let columns = "tenant_id, device_id, day, partition, seq, t_start, t_end, n, summary, data";
        insert(self.db, "track_block", columns, std::mem::take(&mut self.rows)).await
    }

    /// Writes down what sealing itself would have noted of the days; versions from before that have no such table.
    pub async fn note_days(&self) -> Result<()> {
        let noted = "INSERT INTO compaction_backlog (partition, day) SELECT DISTINCT partition, day FROM track_block";
        if let Err(error) = execute(self.db, noted, Vec::new()).await {
            eprintln!("no backlog of compaction: {error:#}");
        }
        Ok(())
    }
}

/// Writes rows of a table in one statement.
pub async fn insert(db: &Database, table: &str, columns: &str, rows: Vec<Vec<Value>>) -> Result<()> {
    let Some(width) = rows.first().map(Vec::len) else { return Ok(()) };
    let places = |row: usize| {
        let numbers: Vec<String> = (1..=width).map(|column| format!("${}", row * width + column)).collect();
        format!("({})", numbers.join(", "))
    };
    let places: Vec<String> = (0..rows.len()).map(places).collect();
    let sql = format!("INSERT INTO {table} ({columns}) VALUES {}", places.join(", "));
    execute(db, &sql, rows.into_iter().flatten().collect()).await
}

async fn execute(db: &Database, sql: &str, values: Vec<Value>) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    tx.execute_raw(Statement::from_sql_and_values(db.backend(), sql, values)).await?;
    Ok(tx.commit().await?)
}
