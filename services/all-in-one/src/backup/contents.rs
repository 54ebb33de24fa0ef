//! What is in the database of a service, as its copy tells it.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use armada_declarations::in_order_of_handing_on;
use armada_position_ingest as ingest;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, TryGetable};
use serde::{Deserialize, Serialize};

/// The services with a database, in the order in which their files are copied, one after the other.
pub(super) fn stored() -> impl Iterator<Item = &'static str> {
    in_order_of_handing_on().into_iter().map(|service| service.name)
}

/// The database of a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contents {
    /// Whose it is.
    pub(super) service: String,
    /// The migrations that were applied, in their order.
    pub(super) migrations: Vec<String>,
    /// Rows of each table.
    pub(super) tables: BTreeMap<String, i64>,
}

/// How far a partition of position-ingest was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// 0 to P − 1.
    pub(super) partition: i32,
    /// The next sequence of RAW: what was received from there on is not in the copy.
    pub(super) next_seq: i64,
    /// When RAW was made, nanoseconds since 1970; 0 when nothing was read of it yet.
    pub(super) stream_created: i64,
}

/// Looks into the database of a service. All transactions of the connection see the same, or nobody writes.
pub(super) async fn of(db: &impl ConnectionTrait, service: &str) -> Result<Contents> {
    let migrations = format!("SELECT version FROM {} ORDER BY version", place(db, service, "seaql_migrations"));
    let migrations = column(db, migrations).await.with_context(|| format!("migrations of {service}"))?;
    let names = match db.get_database_backend() {
        DbBackend::Postgres => format!(
            "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace('\"{service}\"') \
             AND relkind IN ('r', 'p') AND NOT relispartition"
        ),
        // Without the tables that an index of texts is made of.
        _ => "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' \
              ESCAPE '\\'"
            .to_owned(),
    };
    let mut tables = BTreeMap::new();
    for name in column::<String>(db, names).await? {
        let count = format!("SELECT count(*) FROM {}", place(db, service, &name));
        tables.insert(name, value(db, count).await?);
    }
    Ok(Contents { service: service.to_owned(), migrations, tables })
}

/// How far position-ingest was.
pub(super) async fn progress(db: &impl ConnectionTrait) -> Result<Vec<Progress>> {
    let partitions = place(db, ingest::NAME, "partition");
    let rows = rows(db, format!("SELECT partition, next_seq, stream_created FROM {partitions} ORDER BY partition"));
    let progress = |row: &QueryResult| -> Result<Progress> {
        Ok(Progress {
            partition: row.try_get_by_index(0)?,
            next_seq: row.try_get_by_index(1)?,
            stream_created: row.try_get_by_index(2)?,
        })
    };
    rows.await?.iter().map(progress).collect()
}

/// The first column of the only row that a statement answers with.
pub(super) async fn value<T: TryGetable>(db: &impl ConnectionTrait, sql: String) -> Result<T> {
    column(db, sql).await?.pop().context("no row")
}

/// The first column of what a statement answers with.
pub(super) async fn column<T: TryGetable>(db: &impl ConnectionTrait, sql: String) -> Result<Vec<T>> {
    Ok(rows(db, sql).await?.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}

async fn rows(db: &impl ConnectionTrait, sql: String) -> Result<Vec<QueryResult>> {
    Ok(db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await?)
}

fn place(db: &impl ConnectionTrait, service: &str, table: &str) -> String {
    match db.get_database_backend() {
        DbBackend::Postgres => format!("\"{service}\".\"{table}\""),
        _ => format!("\"{table}\""),
    }
}
