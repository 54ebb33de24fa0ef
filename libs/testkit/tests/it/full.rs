//! A database without room, and what its connections do when there is some again.

use armada_runtime::{Code, Database, Error, Result, Scope};
use armada_testkit::{Kind, World};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

/// More transactions than a database has connections.
const TRANSACTIONS: i64 = 20;

async fn write(db: &Database, sql: &str) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    tx.execute_unprepared(sql).await?;
    Ok(tx.commit().await?)
}

/// Of SQLite alone: it ends a transaction by itself in which something does not fit. What follows on the same connection must not
/// become a part of that one, which would commit nothing and keep the file locked.
#[tokio::test(flavor = "multi_thread")]
async fn sqlite_connections_survive_a_full_disk() -> anyhow::Result<()> {
    let world = World::start(Kind::Sqlite).await;
    let db = world.database("probe").await;
    write(&db, "CREATE TABLE load (bytes BLOB); CREATE TABLE note (n INTEGER)").await?;
    let pages = db.pages().await?.expect("a file has pages").all;
    let tx = db.write(&Scope::Platform).await?;
    // Of this connection alone.
    tx.execute_unprepared(&format!("PRAGMA max_page_count = {}", pages + 8)).await?;
    let refused = tx.execute_unprepared("INSERT INTO load VALUES (zeroblob(1000000))").await.unwrap_err();
    assert!(refused.to_string().contains("full"), "{refused}");
    assert_eq!(Error::from(refused).class, Code::Unavailable, "it may fit later");
    drop(tx);

    for n in 0..TRANSACTIONS {
        // One that is given up, and one that is not.
        let tx = db.write(&Scope::Platform).await?;
        tx.execute_unprepared(&format!("INSERT INTO note VALUES ({})", -1 - n)).await?;
        drop(tx);
        write(&db, &format!("INSERT INTO note VALUES ({n})")).await?;
    }
    let elsewhere = world.database("probe").await;
    let tx = elsewhere.read(&Scope::Platform).await?;
    let sql = "SELECT count(*) AS n, min(n) AS least FROM note";
    let row = tx.query_one_raw(Statement::from_string(DbBackend::Sqlite, sql)).await?.unwrap();
    assert_eq!((row.try_get::<i64>("", "n")?, row.try_get::<i64>("", "least")?), (TRANSACTIONS, 0));
    Ok(())
}
