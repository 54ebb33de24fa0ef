//! The database of a service: one SQLite file or one PostgreSQL schema. Here is what is easy to get wrong: how a
//! transaction begins, and what the database knows of the caller's scope.

pub(crate) mod collector;
pub mod copies;
pub mod folded;
pub(crate) mod metrics;
mod migration;
mod policies;
mod roles;
pub mod search;
mod space;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel, SqlErr,
    SqliteTransactionMode, SqlxError, Statement, TransactionOptions, TransactionTrait,
    sqlx::{Connection as _, sqlite::SqliteConnection},
};
use sea_orm_migration::{MigratorTrait, SchemaManager};
use tokio::{sync::Mutex, time::timeout};

pub use self::migration::{Change, Migration};
pub use self::policies::{tenant_policy, tenant_policy_on};
pub use self::roles::{ALL_SERVICES, Logins, Owner, role};
pub use self::space::Pages;

use self::metrics::Metrics;
use crate::{
    auth::Scope,
    error::{Error, Result},
};

/// How long a transaction that writes may wait for its next statement on PostgreSQL, which then ends it. A process that
/// stands still would otherwise keep what it has locked from everybody else.
const WRITER_PAUSES_AT_MOST: Duration = Duration::from_secs(3);

/// How long one may wait for the turn to write, on SQLite.
const TURN_MAX: Duration = Duration::from_secs(30);

/// A connection to PostgreSQL that nobody has used for so long may have been cut: it is tried before it is handed out.
const IDLE_FOR_LONG: Duration = Duration::from_secs(1);

/// Where databases are.
#[derive(Debug, Clone)]
pub enum Location {
    /// A folder with one SQLite file per service.
    Sqlite(PathBuf),
    /// PostgreSQL; each service has a schema of its own in it.
    Postgres(Logins),
}

impl Location {
    /// Whether there is a database to talk to; an error says why not.
    pub async fn reach(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(logins) => logins.reach().await,
        }
    }

    /// Keeps everybody else out who migrates streams and buckets, until the turn is given back or dropped. On SQLite nobody is
    /// kept out: it is one machine's.
    pub async fn lock_streams(&self) -> Result<Option<StreamsLock>> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(logins) => Ok(Some(StreamsLock(logins.lock_streams().await?))),
        }
    }
}

/// The turn to migrate streams and buckets.
#[derive(Debug)]
pub struct StreamsLock(DatabaseConnection);

impl StreamsLock {
    /// Gives it back: the lock goes with the connection.
    pub async fn release(self) -> Result<()> {
        Ok(self.0.close().await?)
    }
}

/// The database of one service. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Database {
    connection: DatabaseConnection,
    /// For `/readyz` alone, on PostgreSQL: whether the database answers is another question than whether a connection is free.
    probe: Option<DatabaseConnection>,
    pub(crate) metrics: Arc<Metrics>,
    location: Location,
    /// Whose turn it is to wait for the write lock of SQLite. Whoever waits for it there looks now and then: of several the
    /// one that looks at the right moment would be next, and some would never be.
    turn: Arc<Mutex<()>>,
}

/// A part of a transaction that can be given up without the rest.
pub(crate) async fn savepoint(tx: &DatabaseTransaction) -> Result<DatabaseTransaction> {
    #[allow(clippy::disallowed_methods, reason = "it is within a transaction that was begun here")]
    Ok(tx.begin().await?)
}

impl Database {
    /// Opens the database of `service`, as services do. PostgreSQL is connected to when first used, so that a database
    /// that is away for a moment does not keep a process from starting its live path.
    pub async fn open(location: &Location, service: &str) -> Result<Self> {
        let options = match location {
            Location::Sqlite(folder) => sqlite_options(folder, service),
            Location::Postgres(logins) => postgres_options(logins, service),
        };
        let unreachable = |error| Error::unavailable(format!("database of {service}: {error}"));
        let mut connection = sea_orm::Database::connect(options).await.map_err(unreachable)?;
        let probe = match location {
            Location::Sqlite(_) => None,
            Location::Postgres(logins) => {
                let mut options = postgres_options(logins, service);
                options.max_connections(1);
                Some(sea_orm::Database::connect(options).await.map_err(unreachable)?)
            }
        };
        let turn = Arc::<Mutex<()>>::default();
        if matches!(location, Location::Sqlite(_)) {
            tokio::spawn(move_log(connection.clone(), Arc::downgrade(&turn)));
        }
        let metrics = Metrics::new(service);
        let counted = metrics.clone();
        connection.set_metric_callback(move |statement| counted.statement(statement));
        Ok(Self { connection, probe, metrics, location: location.clone(), turn })
    }

    /// Ends its connections, those of its clones too, once they are given back.
    pub async fn close(&self) -> Result<()> {
        if let Some(probe) = &self.probe {
            probe.close_by_ref().await?;
        }
        Ok(self.connection.close_by_ref().await?)
    }

    /// The service whose database it is.
    pub fn service(&self) -> &str {
        self.metrics.service()
    }

    /// Whether it answers, in words for `/readyz`.
    pub(crate) async fn check_connection(&self) -> Result<String> {
        let connection = self.probe.as_ref().unwrap_or(&self.connection);
        connection.ping().await.map_err(|error| Error::unavailable(format!("does not answer: {error}")))?;
        Ok("answers; its schema fits this program".to_owned())
    }

    /// The clock of its server, milliseconds since 1970; none of SQLite, whose clock is that of this host.
    pub(crate) async fn clock(&self) -> Result<Option<i64>> {
        let Some(probe) = &self.probe else { return Ok(None) };
        let sql = format!("SELECT {} AS now", self.now_millis());
        let row = probe.query_one_raw(Statement::from_string(self.backend(), sql)).await?;
        Ok(row.map(|row| row.try_get("", "now")).transpose()?)
    }

    /// SQLite or PostgreSQL.
    pub fn backend(&self) -> DbBackend {
        self.connection.get_database_backend()
    }

    /// Begins a transaction that writes. On SQLite it takes the write lock at once: a transaction that reads first and
    /// then writes would fail with 'database is locked' whenever another one wrote in between. PostgreSQL ends it, with
    /// [`Code::Unavailable`](crate::Code) for its next statement, when none comes for three seconds.
    pub async fn write(&self, scope: &Scope) -> Result<DatabaseTransaction> {
        self.begin(scope, SqliteTransactionMode::Immediate, None).await
    }

    /// Begins a transaction that only reads, all of it as of its first statement.
    pub async fn read(&self, scope: &Scope) -> Result<DatabaseTransaction> {
        self.begin(scope, SqliteTransactionMode::Deferred, None).await
    }

    /// The same for who has to see a table whole that may be truncated: PostgreSQL shows nothing of what was truncated, not
    /// even to whoever has a snapshot of before. So nobody truncates it from before the snapshot on.
    pub async fn read_whole(&self, scope: &Scope, table: &str) -> Result<DatabaseTransaction> {
        self.begin(scope, SqliteTransactionMode::Deferred, Some(table)).await
    }

    async fn begin(
        &self,
        scope: &Scope,
        mode: SqliteTransactionMode,
        whole: Option<&str>,
    ) -> Result<DatabaseTransaction> {
        let reads = mode == SqliteTransactionMode::Deferred;
        // SQLite always reads a snapshot; PostgreSQL has to be told.
        let isolation_level =
            (reads && self.backend() == DbBackend::Postgres).then_some(IsolationLevel::RepeatableRead);
        let options = TransactionOptions { sqlite_transaction_mode: Some(mode), isolation_level, access_mode: None };
        let asked = Instant::now();
        let turn = match reads || self.backend() == DbBackend::Postgres {
            true => None,
            false => Some(timeout(TURN_MAX, self.turn.lock()).await.map_err(|_| Error::unavailable("too many write"))?),
        };
        let transaction = self.begin_whole(options).await?;
        drop(turn);
        if self.backend() == DbBackend::Postgres {
            if let Some(table) = whole {
                // Alone among statements it takes no snapshot.
                let lock = format!("LOCK TABLE \"{table}\" IN ACCESS SHARE MODE");
                transaction.execute_unprepared(&lock).await?;
            }
            let (tenant, platform) = match scope {
                Scope::Tenant(tenant) => (tenant.to_string(), ""),
                Scope::Platform => (String::new(), "on"),
            };
            // What reads holds nothing that others wait for, and hands its rows on as fast as they are taken.
            let pause = if reads { Duration::ZERO } else { WRITER_PAUSES_AT_MOST };
            let sql = "SELECT set_config('app.tenant_id', $1, true), set_config('app.platform', $2, true), \
                              set_config('idle_in_transaction_session_timeout', $3, true)";
            let values = [tenant.into(), platform.into(), pause.as_millis().to_string().into()];
            transaction.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
        }
        self.metrics.waited(asked.elapsed());
        Ok(transaction)
    }

    /// Whoever waits for it may be dropped meanwhile. PostgreSQL has begun then, of which the connection would know nothing: so it
    /// begins in a task of its own, and ends what nobody takes.
    async fn begin_whole(&self, options: TransactionOptions) -> Result<DatabaseTransaction> {
        let connection = self.connection.clone();
        #[allow(clippy::disallowed_methods, reason = "this is the one place that begins transactions")]
        let begin = async move { connection.begin_with_options(options).await };
        Ok(match self.backend() {
            DbBackend::Postgres => tokio::spawn(begin).await.map_err(Error::internal)??,
            _ => begin.await?,
        })
    }

    /// Brings the schema to the state that this program needs. On PostgreSQL the owner does it, and lets services work
    /// with the rows.
    pub async fn migrate<M: MigratorTrait>(&self, service: &str) -> Result<()> {
        // Boxed, or the futures of all migrations would be part of whatever waits for them.
        let migrated = match &self.location {
            Location::Sqlite(folder) => Box::pin(migrate_file::<M>(folder, service)).await,
            Location::Postgres(logins) => Box::pin(migrate_as_owner::<M>(logins, service)).await,
        };
        migrated.map_err(|error| migration_failed(service, error))?;
        match &self.location {
            Location::Sqlite(_) => Ok(()),
            Location::Postgres(logins) => logins.check_connection_as(service).await,
        }
    }

    /// Refuses a schema that this program does not fit, and a login that it must not serve with.
    pub async fn verify<M: MigratorTrait>(&self, service: &str) -> Result<()> {
        if let Location::Postgres(logins) = &self.location {
            roles::check(&self.connection, logins, service).await?;
            roles::warn_of_other_databases(&self.connection, logins).await?;
        }
        self.verify_schema::<M>(service).await
    }

    /// Refuses a schema that lacks what this program needs.
    pub async fn verify_schema<M: MigratorTrait>(&self, service: &str) -> Result<()> {
        let pending = M::get_pending_migrations_read_only(&self.connection).await;
        let pending = pending.map_err(|error| migration_failed(service, error))?;
        if pending.is_empty() {
            return Ok(());
        }
        Err(Error::unavailable(format!(
            "database of {service} lacks {} migrations: run `armada migrate`",
            pending.len()
        )))
    }

    /// Milliseconds since 1970 by the database's clock, as an SQL expression: what leases are measured with.
    pub fn now_millis(&self) -> &'static str {
        match self.backend() {
            DbBackend::Postgres => "(extract(epoch from clock_timestamp()) * 1000)::bigint",
            _ => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        }
    }
}

/// On a connection of its own: another one may remember an index that a migration has removed, and refuse to make it anew.
async fn migrate_file<M: MigratorTrait>(folder: &Path, service: &str) -> std::result::Result<(), DbErr> {
    let mut options = sqlite_options(folder, service);
    options.max_connections(1);
    let connection = sea_orm::Database::connect(options).await?;
    let migrated = M::up(&connection, None).await;
    connection.close().await?;
    migrated
}

async fn migrate_as_owner<M: MigratorTrait>(logins: &Logins, service: &str) -> std::result::Result<(), DbErr> {
    let owner = logins.begin_migration(service).await?;
    let migrated = async {
        M::up(&owner, None).await?;
        roles::finish_migration(&owner, service).await
    };
    let migrated = migrated.await;
    owner.close().await?;
    migrated
}

fn migration_failed(service: &str, error: DbErr) -> Error {
    Error::unavailable(format!("migrations of {service}: {error}"))
}

/// Moves what was written from SQLite's write-ahead log into its file, as long as somebody has the database. Whoever
/// commits would do it otherwise every few hundred rows, and everybody who writes would wait for the disk meanwhile.
async fn move_log(connection: DatabaseConnection, database: Weak<Mutex<()>>) {
    while database.strong_count() > 0 {
        tokio::time::sleep(MOVE_LOG_EVERY).await;
        if connection.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await.is_err() {
            return;
        }
    }
}

/// How often that is done.
const MOVE_LOG_EVERY: Duration = Duration::from_millis(250);

/// How long the write-ahead log may stay once all of it is in the file, in bytes. A burst makes it longer for a while.
const LOG_BYTES: &str = "16777216";
/// Pages of it from which on whoever commits moves it, should nobody else come to that.
const LOG_PAGES: &str = "16000";

fn sqlite_options(folder: &Path, service: &str) -> ConnectOptions {
    let mut options =
        ConnectOptions::new(format!("sqlite://{}?mode=rwc", folder.join(format!("{service}.db")).display()));
    // A file is always there: to ask whether it answers would cost each transaction another turn.
    options.max_connections(8).sqlx_logging(false).acquire_timeout(Duration::from_secs(30)).test_before_acquire(false);
    options.map_sqlx_sqlite_opts(|options| {
        use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
        // Nothing here may need the write lock, as `auto_vacuum` does: a new connection would wait for whoever writes.
        options
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(true)
            .pragma("journal_size_limit", LOG_BYTES)
            .pragma("wal_autocheckpoint", LOG_PAGES)
    });
    options.map_sqlx_sqlite_pool_opts(|pool| pool.after_release(|connection, _| Box::pin(has_ended(connection))));
    options
}

/// Whether the transaction of a connection that is given back has ended; one in which it has not is closed. SQLite ends a
/// transaction by itself when a write does not fit on the disk. There is nothing to roll back then, and sqlx goes on to take
/// the transaction for open: the next one on that connection would be a part of it, which commits nothing and may keep the
/// file locked.
async fn has_ended(connection: &mut SqliteConnection) -> Result<bool, SqlxError> {
    // Answered when all that was asked before is done, rolling back above all.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

fn postgres_options(logins: &Logins, service: &str) -> ConnectOptions {
    let mut options = ConnectOptions::new(&logins.services);
    let name = service.to_owned();
    options
        .max_connections(logins.max_connections)
        .connect_lazy(true)
        .sqlx_logging(false)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire_if_idle_for(IDLE_FOR_LONG)
        .statement_timeout(Duration::from_secs(30))
        .set_application_name(format!("armada-{service}"))
        .set_schema_search_path(format!("\"{service}\""))
        .map_sqlx_postgres_opts(move |options| roles::as_service(options, &name));
    options
}

/// Has rows of `table` only ever be added, never changed or removed, by services at least. On PostgreSQL they get no
/// right to, see [`roles`]; SQLite, which knows no rights, refuses it to everybody.
pub async fn make_append_only(manager: &SchemaManager<'_>, table: &str) -> std::result::Result<(), DbErr> {
    let sql = match manager.get_database_backend() {
        DbBackend::Postgres => format!("COMMENT ON TABLE \"{table}\" IS '{}'", roles::APPEND_ONLY),
        _ => ["UPDATE", "DELETE"]
            .map(|verb| {
                format!(
                    "CREATE TRIGGER {table}_no_{} BEFORE {verb} ON \"{table}\" \
                 BEGIN SELECT RAISE(ABORT, 'rows of {table} are only added'); END;",
                    verb.to_lowercase()
                )
            })
            .join(" "),
    };
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

/// Whether a statement failed because there is such a row already.
pub fn is_unique_violation(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}
