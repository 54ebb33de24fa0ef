//! What copies of databases are made with, and looked into: beside the transactions of services, which go on meanwhile.

use std::path::Path;

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, IsolationLevel, Statement,
    TransactionOptions, TransactionTrait,
};
use sea_orm_migration::{MigrationName, MigratorTrait};

use super::{Logins, sqlite_options};
use crate::error::{Error, Result};

/// Writes the SQLite file of `service`, as it is at one moment, into a new file. Others read and write it meanwhile; a
/// `target` that is there already is refused.
pub async fn copy_file(folder: &Path, service: &str, target: &Path) -> Result<()> {
    let file = folder.join(format!("{service}.db"));
    if !file.is_file() {
        return Err(Error::unavailable(format!("there is no {}", file.display())));
    }
    let target =
        target.to_str().ok_or_else(|| Error::unavailable("the folder of the copy has a name that is no text"))?;
    let mut options = sqlite_options(folder, service);
    options.max_connections(1);
    let connection = sea_orm::Database::connect(options).await?;
    let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [target.into()]);
    let copied = connection.execute_raw(copy).await;
    connection.close().await?;
    copied.map(drop).map_err(|error| Error::unavailable(format!("copy of {}: {error}", file.display())))
}

/// Opens a file that [`copy_file`] has written, to read it. Refuses one that is damaged.
pub async fn open_copy(file: &Path) -> Result<DatabaseConnection> {
    let damaged =
        |check_result: &dyn std::fmt::Display| Error::unavailable(format!("{}: {check_result}", file.display()));
    let mut options = ConnectOptions::new(format!("sqlite://{}?mode=ro", file.display()));
    options.max_connections(1).sqlx_logging(false);
    let connection = sea_orm::Database::connect(options).await.map_err(|error| damaged(&error))?;
    let check = Statement::from_string(DbBackend::Sqlite, "PRAGMA quick_check(1)");
    let check_result = connection.query_one_raw(check).await.map_err(|error| damaged(&error))?;
    let check_result: String = check_result.ok_or_else(|| damaged(&"it cannot be checked"))?.try_get_by_index(0)?;
    if check_result == "ok" { Ok(connection) } else { Err(damaged(&check_result)) }
}

/// The names of a service's migrations, in their order: as they stand in the table `seaql_migrations` once applied.
pub fn migrations<M: MigratorTrait>() -> Vec<String> {
    M::migrations().iter().map(|migration| MigrationName::name(&**migration).to_owned()).collect()
}

impl Logins {
    /// A transaction of the tables' owner that reads the rows of all tenants in all schemas, all of it as of its first
    /// statement, for as long as it takes.
    pub async fn read_everything(&self) -> Result<DatabaseTransaction> {
        let mut options = ConnectOptions::new(self.owner_url());
        options
            .max_connections(1)
            .sqlx_logging(false)
            .acquire_timeout(std::time::Duration::from_secs(5))
            .set_application_name("armada-backup")
            // Row-level security binds the owner of the tables too.
            .map_sqlx_postgres_opts(|options| options.options([("app.platform", "on")]));
        let connection = sea_orm::Database::connect(options).await.map_err(Error::unavailable)?;
        let isolation_level = Some(IsolationLevel::RepeatableRead);
        let options = TransactionOptions { isolation_level, access_mode: None, sqlite_transaction_mode: None };
        #[allow(clippy::disallowed_methods, reason = "no service works in it, and its scope is set above")]
        let transaction = connection.begin_with_options(options).await?;
        let patient = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
        transaction.execute_unprepared(patient).await?;
        Ok(transaction)
    }
}
