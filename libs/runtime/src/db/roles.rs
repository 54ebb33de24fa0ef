//! Who may do what on PostgreSQL. Row-level security does not bind superusers, so nothing that a request reaches runs
//! as one; services neither own tables nor make any; and none reaches the schema of another. Every connection of a
//! service works as the service's own [`role`], whoever signed in; migrations work as the owner of the tables, and
//! grant each role what it needs in its schema.

use std::{fmt, str::FromStr, time::Duration};

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement,
    sqlx::{Connection, PgConnection, postgres::PgConnectOptions},
};

use super::{policies, search};
use crate::{
    error::{Error, Result},
    trust,
};

/// The login of a process that runs several services: a member of their roles, without a right of its own. Until there
/// was a role for each service it had the rights in all schemas; migrations take them away.
pub const ALL_SERVICES: &str = "armada_app";

/// How long one waits who migrates for somebody else who does.
const STREAMS_PATIENCE: Duration = Duration::from_secs(600);

/// The comment of a table whose rows services may read and add, but not change or remove.
pub(super) const APPEND_ONLY: &str = "rows are only added";

/// The page that says how the logins are made.
const PAGE: &str = "docs/OPERATIONS.md";

/// The role of a service, which may work with the rows of the schema of that name and with nothing else.
pub fn role(service: &str) -> String {
    format!("armada_{}", service.replace('-', "_"))
}

/// How a process signs in to PostgreSQL.
#[derive(Clone, PartialEq, Eq)]
pub struct Logins {
    /// The URL of services. Its login is the [`role`] of the one service that runs, or a member of those of all that do.
    pub services: String,
    /// How migrations sign in.
    pub owner: Owner,
    /// The most connections that each service has at a time; whoever needs a further one waits.
    pub max_connections: u32,
}

/// How migrations sign in.
#[derive(Clone, PartialEq, Eq)]
pub enum Owner {
    /// Not from this process, which is not told how and runs these services alone. Its login must not be able to read
    /// the schema of any other.
    Elsewhere(Vec<&'static str>),
    /// By this URL, as the owner of the tables.
    Url(String),
    /// As the services do: one login for everything, on a machine of one's own. What it may do besides, services give
    /// up by taking their roles.
    SameLogin,
}

/// URLs have passwords in them.
impl fmt::Debug for Logins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Logins")
    }
}

impl Logins {
    /// The most connections of a service unless configured.
    pub const MAX_CONNECTIONS: u32 = 8;

    /// Whether PostgreSQL lets this process in; an error says why not.
    pub(super) async fn reach(&self) -> Result<()> {
        match &self.owner {
            Owner::Elsewhere(services) => {
                for service in services {
                    self.check_connection_as(service).await?;
                }
                Ok(())
            }
            // The first migration makes the roles, where it may.
            _ => sign_in(self.options()?).await,
        }
    }

    /// Whether it lets a service in, with its role.
    pub(super) async fn check_connection_as(&self, service: &str) -> Result<()> {
        sign_in(as_service(self.options()?, service)).await
    }

    /// By which the owner of the tables signs in, or whoever is taken for it.
    pub fn owner_url(&self) -> &str {
        match &self.owner {
            Owner::Url(url) => url,
            Owner::SameLogin | Owner::Elsewhere(_) => &self.services,
        }
    }

    fn options(&self) -> Result<PgConnectOptions> {
        PgConnectOptions::from_str(&self.services).map_err(Error::unavailable)
    }

    /// One connection for migrations, with role and schema made and everybody else who migrates kept out until it
    /// closes.
    pub(super) async fn begin_migration(&self, service: &str) -> Result<DatabaseConnection, DbErr> {
        let mut options = ConnectOptions::new(self.owner_url());
        options
            .max_connections(1)
            .sqlx_logging(false)
            .acquire_timeout(Duration::from_secs(5))
            .set_application_name(format!("armada-migrate-{service}"))
            .set_schema_search_path(format!("\"{service}\""));
        let connection = sea_orm::Database::connect(options).await?;
        let login = match self.owner {
            Owner::Url(_) => format!("'{ALL_SERVICES}'"),
            Owner::SameLogin | Owner::Elsewhere(_) => "current_user".to_owned(),
        };
        // A change that waits behind a long transaction makes everybody else wait behind itself.
        let sql = format!(
            "SELECT pg_advisory_lock(hashtext('armada migrate')); SET lock_timeout = '3s'; {}{} \
             CREATE SCHEMA IF NOT EXISTS \"{service}\"",
            make_role(&role(service)),
            join_role(&role(service), &login),
        );
        connection.execute_unprepared(&sql).await?;
        Ok(connection)
    }
}

impl Logins {
    /// A connection by which everybody else who makes streams is kept out until it closes. Two who make one stream at a time
    /// may both wait for an answer that never comes.
    pub(super) async fn lock_streams(&self) -> Result<DatabaseConnection, DbErr> {
        let mut options = ConnectOptions::new(self.owner_url());
        options
            .max_connections(1)
            .sqlx_logging(false)
            .acquire_timeout(Duration::from_secs(5))
            .set_application_name("armada-migrate-streams");
        let connection = sea_orm::Database::connect(options).await?;
        let sql = format!(
            "SET lock_timeout = '{}s'; SELECT pg_advisory_lock(hashtext('armada migrate streams'))",
            STREAMS_PATIENCE.as_secs()
        );
        connection.execute_unprepared(&sql).await?;
        Ok(connection)
    }
}

async fn sign_in(options: PgConnectOptions) -> Result<()> {
    let connected = PgConnection::connect_with(&options).await;
    let connection = connected.map_err(|error| Error::unavailable(trust::reason(&error)))?;
    connection.close().await.map_err(Error::unavailable)
}

/// Has a connection work as the role of `service`, whoever signs in.
pub(super) fn as_service(options: PgConnectOptions, service: &str) -> PgConnectOptions {
    options.options([("role", role(service))])
}

/// An administrator has made the role beforehand, or the owner may make roles. Two who migrate two databases of one
/// server at a time may both try.
fn make_role(role: &str) -> String {
    format!(
        "DO $$ BEGIN \
           IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN \
             CREATE ROLE {role} NOLOGIN; \
           END IF; \
         EXCEPTION \
           WHEN duplicate_object OR unique_violation THEN NULL; \
           WHEN insufficient_privilege THEN RAISE EXCEPTION \
             'there is no role {role}, and % may not make it: {PAGE} has the statements', current_user; \
         END $$;"
    )
}

/// Lets a login take the role, if there is such a login. If an administrator has let it already, it need not be allowed
/// to the owner.
fn join_role(role: &str, login: &str) -> String {
    format!(
        "DO $$ DECLARE login name := {login}; BEGIN \
           IF EXISTS (SELECT FROM pg_roles WHERE rolname = login AND NOT rolsuper AND rolname <> '{role}') THEN \
             EXECUTE format('GRANT {role} TO %I', login); \
           END IF; \
         EXCEPTION WHEN insufficient_privilege THEN NULL; \
         END $$;"
    )
}

/// Brings what is the same for every table of a schema up to date, after its migrations.
pub(super) async fn finish_migration(connection: &DatabaseConnection, schema: &str) -> Result<(), DbErr> {
    connection.execute_unprepared(&compare_by_code_points(schema)).await?;
    connection.execute_unprepared(&search::make_missing_indexes(schema)).await?;
    connection.execute_unprepared(&policies::read_settings_once(schema)).await?;
    connection.execute_unprepared(&grant(schema, &role(schema))).await.map(drop)
}

/// Lets a service work with the rows of its schema and with nothing else in it. What was applied, it only reads; to what
/// is append-only, it only adds. Whoever had these rights before there was a role for each service loses them.
fn grant(schema: &str, role: &str) -> String {
    format!(
        "GRANT USAGE ON SCHEMA \"{schema}\" TO {role}; \
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"{schema}\" TO {role}; \
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA \"{schema}\" TO {role}; \
         REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA \"{schema}\" FROM PUBLIC; \
         GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA \"{schema}\" TO {role}; \
         REVOKE INSERT, UPDATE, DELETE ON \"{schema}\".seaql_migrations FROM {role}; \
         DO $$ DECLARE name text; BEGIN \
           FOR name IN SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('\"{schema}\"') \
             AND relkind IN ('r', 'p') AND obj_description(oid, 'pg_class') = '{APPEND_ONLY}' \
           LOOP EXECUTE format('REVOKE UPDATE, DELETE ON %I.%I FROM {role}', '{schema}', name); END LOOP; \
           IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{ALL_SERVICES}') THEN \
             REVOKE ALL ON ALL TABLES IN SCHEMA \"{schema}\" FROM {ALL_SERVICES}; \
             REVOKE ALL ON ALL SEQUENCES IN SCHEMA \"{schema}\" FROM {ALL_SERVICES}; \
             REVOKE ALL ON SCHEMA \"{schema}\" FROM {ALL_SERVICES}; \
           END IF; \
         END $$"
    )
}

/// Texts are told apart and sorted by their code points, as on SQLite, whatever the locale of the database: what
/// people call equal is decided by [`crate::text::fold`] on both. Only columns that do not do so yet are changed, those of
/// a table at once: each change makes the indexes anew.
fn compare_by_code_points(schema: &str) -> String {
    format!(
        "DO $$ DECLARE t record; BEGIN \
           FOR t IN SELECT relname, string_agg(format('ALTER COLUMN %I TYPE %s COLLATE \"C\"', \
               attname, format_type(atttypid, atttypmod)), ', ') AS changes \
             FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid \
             WHERE relnamespace = to_regnamespace('\"{schema}\"') AND relkind IN ('r', 'p') \
               AND attnum > 0 AND NOT attisdropped \
               AND attcollation = (SELECT oid FROM pg_collation WHERE collname = 'default') \
             GROUP BY relname \
           LOOP EXECUTE format('ALTER TABLE %I.%I %s', '{schema}', t.relname, t.changes); END LOOP; \
         END $$"
    )
}

/// Refuses to serve as somebody whom row-level security does not bind, or who could switch it off: a superuser, a role
/// that bypasses it, a member of the tables' owner; as somebody who could read what is another service's; and as somebody
/// with rights on the whole server. With one login for everything that is asked of the role alone.
pub(super) async fn check(connection: &DatabaseConnection, logins: &Logins, schema: &str) -> Result<()> {
    let who = match logins.owner {
        Owner::SameLogin => "current_user",
        _ => "session_user",
    };
    let (reader, readable) = match &logins.owner {
        Owner::Elsewhere(services) => ("session_user", services.join(",")),
        // A login for all services may be a member of every role. What works here is one of them.
        _ => ("current_user", schema.to_owned()),
    };
    let sql = format!(
        "SELECT {who}::text AS name, {reader}::text AS reader, rolsuper AS super, rolbypassrls AS bypasses, \
         EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') \
                 AND pg_has_role({who}, relowner, 'MEMBER')) AS owns, \
         (SELECT min(nspname::text) FROM pg_namespace n WHERE nspname <> ALL (string_to_array($2, ',')) \
            AND EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relname = 'seaql_migrations') \
            AND EXISTS (SELECT FROM pg_roles r WHERE pg_has_role({reader}, r.oid, 'MEMBER') \
                        AND has_schema_privilege(r.oid, n.oid, 'USAGE'))) AS foreign_schema \
         FROM pg_roles WHERE rolname = {who}"
    );
    let values = [format!("\"{schema}\"").into(), readable.into()];
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
    let row = connection.query_one_raw(statement).await?.ok_or_else(|| Error::internal("a login without a role"))?;
    let is = |column: &str| row.try_get::<bool>("", column);
    let text = |column: &str| row.try_get::<String>("", column);
    let foreign: Option<String> = row.try_get("", "foreign_schema")?;
    let problem = match (is("super")?, is("bypasses")?, is("owns")?, foreign) {
        (true, _, _, _) => format!("{} is a superuser", text("name")?),
        (_, true, _, _) => format!("{} bypasses row-level security", text("name")?),
        (_, _, true, _) => format!("{} owns its tables", text("name")?),
        (_, _, _, Some(foreign)) => format!("{} could read the schema of {foreign}", text("reader")?),
        _ => match server_right(connection, who).await? {
            Some(right) => format!("{} {right}", text("name")?),
            None => return Ok(()),
        },
    };
    Err(Error::unavailable(format!(
        "database of {schema}: {problem}; it needs a login that is nothing but {} ({PAGE} has the statements)",
        role(schema)
    )))
}

/// What a login may do on the whole server, beyond any schema: make roles or databases, replicate, or what one of the
/// roles allows that come with PostgreSQL, reading files of the server for one.
async fn server_right(connection: &DatabaseConnection, who: &str) -> Result<Option<String>> {
    let sql = format!(
        "SELECT CASE WHEN rolcreaterole THEN 'may make roles' WHEN rolcreatedb THEN 'may make databases' \
           WHEN rolreplication THEN 'may replicate the server' \
           ELSE 'belongs to ' || (SELECT min(rolname::text) FROM pg_roles r WHERE rolname ^@ 'pg_' \
             AND rolname <> 'pg_database_owner' AND pg_has_role({who}, r.oid, 'MEMBER')) END AS allowed \
         FROM pg_roles WHERE rolname = {who}"
    );
    let row = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    Ok(row.map(|row| row.try_get("", "allowed")).transpose()?.flatten())
}

/// Says which other databases of the server a service's login may connect to: nothing in them is closed to it that is open
/// to everybody.
pub(super) async fn warn_of_other_databases(connection: &DatabaseConnection, logins: &Logins) -> Result<()> {
    let Owner::Elsewhere(_) = logins.owner else { return Ok(()) };
    let sql = "SELECT session_user::text AS login, string_agg(datname::text, ', ') AS databases FROM pg_database \
        WHERE datallowconn AND datname <> current_database() AND has_database_privilege(session_user, oid, 'CONNECT')";
    let row = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    let Some(row) = row else { return Ok(()) };
    if let Some(databases) = row.try_get::<Option<String>>("", "databases")? {
        let login: String = row.try_get("", "login")?;
        tracing::warn!(
            login,
            databases,
            "a login may connect to other databases than its own; {PAGE} has the statements"
        );
    }
    Ok(())
}
