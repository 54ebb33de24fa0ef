//! Who may do what on PostgreSQL. Row-level security does not bind superusers, so nothing that a request reaches runs
//! as one; and services neither own tables nor make any. Every connection of a service works as the role
//! [`SERVICES`], whoever signed in; migrations work as the owner of the tables, and grant that role what it needs.

use std::{fmt, str::FromStr, time::Duration};

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement,
    sqlx::{Connection, PgConnection, postgres::PgConnectOptions},
};

use crate::error::{Error, Result};

/// The role of services.
pub const SERVICES: &str = "armada_app";

/// The comment of a table whose rows services may read and add, but not change or remove.
pub(super) const APPEND_ONLY: &str = "rows are only added";

/// The page that says how the logins are made.
const PAGE: &str = "docs/OPERATIONS.md";

/// How a process signs in to PostgreSQL.
#[derive(Clone, PartialEq, Eq)]
pub struct Logins {
    /// The URL of services; its login is the role [`SERVICES`] or a member of it.
    pub services: String,
    /// How migrations sign in.
    pub owner: Owner,
}

/// How migrations sign in.
#[derive(Clone, PartialEq, Eq)]
pub enum Owner {
    /// Not from this process, which is not told how.
    Elsewhere,
    /// By this URL, as the owner of the tables.
    Url(String),
    /// As the services do: one login for everything, on a machine of one's own. What it may do besides, services give
    /// up by taking their role.
    SameLogin,
}

/// URLs have passwords in them.
impl fmt::Debug for Logins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Logins")
    }
}

impl Logins {
    /// Whether PostgreSQL lets this process in; an error says why not.
    pub(super) async fn reach(&self) -> Result<()> {
        match self.owner {
            // The first migration makes the role.
            Owner::SameLogin => sign_in(PgConnectOptions::from_str(&self.services).map_err(Error::unavailable)?).await,
            _ => self.reach_as_services().await,
        }
    }

    /// Whether it lets services in, with their role.
    pub(super) async fn reach_as_services(&self) -> Result<()> {
        sign_in(as_services(PgConnectOptions::from_str(&self.services).map_err(Error::unavailable)?)).await
    }

    /// One connection for migrations, with the schema made and everybody else who migrates kept out until it closes.
    pub(super) async fn begin_migration(&self, service: &str) -> Result<DatabaseConnection, DbErr> {
        let url = match &self.owner {
            Owner::Url(url) => url,
            Owner::SameLogin | Owner::Elsewhere => &self.services,
        };
        let mut options = ConnectOptions::new(url);
        options
            .max_connections(1)
            .sqlx_logging(false)
            .acquire_timeout(Duration::from_secs(5))
            .set_application_name(format!("armada-migrate-{service}"))
            .set_schema_search_path(format!("\"{service}\""));
        let connection = sea_orm::Database::connect(options).await?;
        // A change that waits behind a long transaction makes everybody else wait behind itself.
        let sql = format!(
            "SELECT pg_advisory_lock(hashtext('armada migrate')); SET lock_timeout = '3s'; {}{} \
             CREATE SCHEMA IF NOT EXISTS \"{service}\"",
            make_role(),
            if self.owner == Owner::SameLogin { join_role() } else { String::new() },
        );
        connection.execute_unprepared(&sql).await?;
        Ok(connection)
    }
}

async fn sign_in(options: PgConnectOptions) -> Result<()> {
    let connection = PgConnection::connect_with(&options).await.map_err(Error::unavailable)?;
    connection.close().await.map_err(Error::unavailable)
}

/// Has a connection work as [`SERVICES`], whoever signs in.
pub(super) fn as_services(options: PgConnectOptions) -> PgConnectOptions {
    options.options([("role", SERVICES)])
}

/// An administrator has made the role beforehand, or the owner may make roles. Two who migrate two databases of one
/// server at a time may both try.
fn make_role() -> String {
    format!(
        "DO $$ BEGIN \
           IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{SERVICES}') THEN \
             CREATE ROLE {SERVICES} NOLOGIN; \
           END IF; \
         EXCEPTION \
           WHEN duplicate_object OR unique_violation THEN NULL; \
           WHEN insufficient_privilege THEN RAISE EXCEPTION \
             'there is no role {SERVICES}, and % may not make it: {PAGE} has the statements', current_user; \
         END $$;"
    )
}

/// Lets the one login take the role. If an administrator has let it already, it need not be allowed to itself.
fn join_role() -> String {
    format!(
        "DO $$ BEGIN \
           IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN \
             GRANT {SERVICES} TO CURRENT_USER; \
           END IF; \
         EXCEPTION WHEN insufficient_privilege THEN NULL; \
         END $$;"
    )
}

/// Lets services work with the rows of a schema and with nothing else in it. What was applied, they only read; to what
/// is append-only, they only add.
pub(super) async fn grant(connection: &DatabaseConnection, schema: &str) -> Result<(), DbErr> {
    let sql = format!(
        "GRANT USAGE ON SCHEMA \"{schema}\" TO {SERVICES}; \
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"{schema}\" TO {SERVICES}; \
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA \"{schema}\" TO {SERVICES}; \
         REVOKE INSERT, UPDATE, DELETE ON \"{schema}\".seaql_migrations FROM {SERVICES}; \
         DO $$ DECLARE name text; BEGIN \
           FOR name IN SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('\"{schema}\"') \
             AND relkind IN ('r', 'p') AND obj_description(oid, 'pg_class') = '{APPEND_ONLY}' \
           LOOP EXECUTE format('REVOKE UPDATE, DELETE ON %I.%I FROM {SERVICES}', '{schema}', name); END LOOP; \
         END $$"
    );
    connection.execute_unprepared(&sql).await.map(drop)
}

/// Refuses to serve as somebody whom row-level security does not bind, or who could switch it off: a superuser, a role
/// that bypasses it, a member of the tables' owner. With one login for everything that is asked of the role alone.
pub(super) async fn check(connection: &DatabaseConnection, logins: &Logins, schema: &str) -> Result<()> {
    let who = match logins.owner {
        Owner::SameLogin => "current_user",
        _ => "session_user",
    };
    let sql = format!(
        "SELECT {who}::text AS name, rolsuper AS super, rolbypassrls AS bypasses, \
         EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') \
                 AND pg_has_role({who}, relowner, 'MEMBER')) AS owns \
         FROM pg_roles WHERE rolname = {who}"
    );
    let values = [format!("\"{schema}\"").into()];
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
    let row = connection.query_one_raw(statement).await?.ok_or_else(|| Error::internal("a login without a role"))?;
    let is = |column: &str| row.try_get::<bool>("", column);
    let why = match (is("super")?, is("bypasses")?, is("owns")?) {
        (true, _, _) => "is a superuser",
        (_, true, _) => "bypasses row-level security",
        (_, _, true) => "owns its tables",
        _ => return Ok(()),
    };
    let name: String = row.try_get("", "name")?;
    Err(Error::unavailable(format!(
        "database of {schema}: {name} {why}; services need a login that is nothing but {SERVICES} or a member of it \
         ({PAGE} has the statements)"
    )))
}
