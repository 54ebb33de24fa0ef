//! Room that a database has and does not need. A SQLite file never becomes smaller by itself: pages that nothing is in any
//! more stay in it until they are used again. Where the file was made with `auto_vacuum = INCREMENTAL` they can be given
//! back, some at a time.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Statement};

use super::{Database, Location, sqlite_options};
use crate::{auth::Scope, error::Result};

/// Pages of a SQLite file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pages {
    /// All that the file has.
    pub all: u64,
    /// Those that nothing is in.
    pub free: u64,
    /// Bytes of one.
    pub bytes: u64,
}

impl Database {
    /// The pages of the file; none on PostgreSQL.
    pub async fn pages(&self) -> Result<Option<Pages>> {
        if self.backend() != DbBackend::Sqlite {
            return Ok(None);
        }
        let tx = self.read(&Scope::Platform).await?;
        let all = pragma(&tx, "page_count").await?;
        let free = pragma(&tx, "freelist_count").await?;
        let bytes = pragma(&tx, "page_size").await?;
        tx.commit().await?;
        Ok(Some(Pages { all, free, bytes }))
    }

    /// Gives so many free pages of a SQLite file back, in one transaction, which moves as many from the end of the file to
    /// where they were. The file itself becomes shorter with [`Self::shorten_log`], or by and by.
    pub async fn give_pages_back(&self, pages: u64) -> Result<()> {
        let tx = self.write(&Scope::Platform).await?;
        tx.execute_unprepared(&format!("PRAGMA incremental_vacuum({pages})")).await?;
        Ok(tx.commit().await?)
    }

    /// Writes all of SQLite's write-ahead log into the file and empties it, unless somebody reads or writes just now: nobody
    /// is waited for. On a connection of its own, since the others do wait.
    pub async fn shorten_log(&self) -> Result<()> {
        let Location::Sqlite(folder) = &self.location else { return Ok(()) };
        let mut options = sqlite_options(folder, self.service());
        options.max_connections(1).map_sqlx_sqlite_opts(|options| options.busy_timeout(std::time::Duration::ZERO));
        let connection = sea_orm::Database::connect(options).await?;
        let shortened = connection.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await;
        connection.close().await?;
        shortened?;
        Ok(())
    }

    /// The same after something was erased: the log keeps copies of rows that are gone. While somebody reads from it, it stays
    /// until it is shortened the next time. Of PostgreSQL the log is the administrator's.
    pub async fn forget_log(&self) {
        if let Err(error) = self.shorten_log().await {
            tracing::info!(%error, service = self.service(), "the log is read from: what was erased leaves it later");
        }
    }
}

async fn pragma(tx: &DatabaseTransaction, name: &str) -> Result<u64> {
    let row = tx.query_one_raw(Statement::from_string(DbBackend::Sqlite, format!("PRAGMA {name}"))).await?;
    let value: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    Ok(u64::try_from(value).unwrap_or_default())
}
