//! How a database would go about a query.

use armada_runtime::{Database, Scope};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

/// The lines of its plan, if it may not read whole tables: with the few rows of a test that would be the cheapest.
async fn plan(db: &Database, scope: Scope, sql: &str) -> String {
    let tx = db.read(&scope).await.expect("a transaction");
    let (explain, column) = match db.backend() {
        DbBackend::Postgres => ("EXPLAIN", "QUERY PLAN"),
        _ => ("EXPLAIN QUERY PLAN", "detail"),
    };
    if db.backend() == DbBackend::Postgres {
        let no_scans = "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off";
        tx.execute_unprepared(no_scans).await.expect("settings of the transaction");
    }
    let lines =
        tx.query_all_raw(Statement::from_string(db.backend(), format!("{explain} {sql}"))).await.expect("a plan");
    let lines: Vec<String> = lines.iter().map(|line| line.try_get("", column).expect("a line of text")).collect();
    lines.join("\n")
}

/// Fails unless a query reads its rows in their order by an index, and sorts nothing: on SQLite by this one. PostgreSQL, which
/// goes by how many rows there are, takes any of that order where there are none.
pub async fn expect_order_of_index(db: &Database, scope: Scope, sql: &str, index: &str) {
    let plan = plan(db, scope, sql).await;
    let sorts = ["Sort", "USE TEMP B-TREE"].iter().any(|sort| plan.contains(sort));
    let by_index = match db.backend() {
        DbBackend::Postgres => plan.contains("Index Scan"),
        _ => plan.split_whitespace().any(|word| word == index),
    };
    assert!(by_index && !sorts, "{sql}\n{plan}");
}
