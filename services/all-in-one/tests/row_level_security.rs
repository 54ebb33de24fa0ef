//! What PostgreSQL itself keeps apart, whatever a query forgets: every table of every schema, as the program has made
//! them. SQLite has no such rules.

mod support;

use std::process::Output;

use anyhow::{Context as _, Result};
use armada_runtime::db::{Owner, SERVICES};
use armada_testkit::{Api, Kind};
use http::StatusCode;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, QueryResult, Statement};
use serde_json::json;
use support::site::Site;

/// Tables without the policy, and why that is right.
const EXEMPT: [(&str, &str); 16] = [
    ("fleet.audit_outbox", "what anybody did; they may add to it, and the relay alone reads it"),
    ("fleet.imei_binding", "a tenant's binding begins where the last one ended, whosever that was; only that is read"),
    ("fleet.outbox", "names of keys, for the relay"),
    ("fleet.seaql_migrations", "what was applied"),
    ("identity.attempt", "counts under a hash of what is counted, before anybody is known"),
    ("identity.audit_outbox", "what anybody did; they may add to it, and the relay alone reads it"),
    ("identity.mail", "sealed letters, for the relay"),
    ("identity.outbox", "names of keys, for the relay"),
    ("identity.permission", "the catalogue, the same for all tenants"),
    ("identity.seaql_migrations", "what was applied"),
    ("identity.signing_key", "keys of the platform"),
    ("position-ingest.hot_frame", "frames mix tenants; ingest answers per device, after its own check of the scope"),
    ("position-ingest.instance", "which processes live"),
    ("position-ingest.partition", "ownership and progress"),
    ("position-ingest.rejection", "counts of the platform, by day and reason"),
    ("position-ingest.seaql_migrations", "what was applied"),
];

/// One connection and no more, so that what one statement leaves behind meets the next.
async fn connect(url: &str) -> Result<DatabaseConnection> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Ok(Database::connect(options).await?)
}

async fn rows(connection: &DatabaseConnection, sql: &str) -> Result<Vec<QueryResult>> {
    connection.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.context(sql.to_owned())
}

async fn number(connection: &DatabaseConnection, sql: &str) -> Result<i64> {
    Ok(rows(connection, sql).await?[0].try_get_by_index(0)?)
}

async fn migrated() -> Result<Site> {
    let site = Site::new(Kind::Postgres).await;
    let output = site.output(&["migrate"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(site)
}

fn owner_url(site: &Site) -> Result<String> {
    match site.logins.as_ref().context("PostgreSQL")?.owner.clone() {
        Owner::Url(url) => Ok(url),
        _ => anyhow::bail!("the owner is another login"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_is_protected_or_named_here() -> Result<()> {
    let site = migrated().await?;
    let owner = connect(&owner_url(&site)?).await?;
    let sql = format!(
        "SELECT nspname || '.' || relname AS name, relrowsecurity AND relforcerowsecurity AS forced, \
           EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polcmd = '*' \
             AND pg_get_expr(polqual, polrelid) LIKE '%NULLIF(current_setting(''app.tenant_id''%' \
             AND pg_get_expr(polwithcheck, polrelid) = pg_get_expr(polqual, polrelid)) AS policy, \
           (SELECT count(*) FROM pg_policy WHERE polrelid = c.oid) AS policies, \
           pg_get_userbyid(relowner)::text AS owner, \
           has_table_privilege('{SERVICES}', c.oid, 'SELECT') AS reads, \
           has_table_privilege('{SERVICES}', c.oid, 'INSERT') AND has_table_privilege('{SERVICES}', c.oid, 'UPDATE') \
             AND has_table_privilege('{SERVICES}', c.oid, 'DELETE') AS writes, \
           has_table_privilege('{SERVICES}', c.oid, 'TRUNCATE, REFERENCES, TRIGGER') AS more \
         FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace \
         WHERE relkind IN ('r', 'p', 'm', 'f', 'v') AND nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1"
    );
    let (mut exempt, mut protected) = (Vec::new(), 0);
    for row in rows(&owner, &sql).await? {
        let name: String = row.try_get("", "name")?;
        let is = |column: &str| row.try_get::<bool>("", column);
        assert_eq!(row.try_get::<String>("", "owner")?, "armada_owner", "{name}");
        assert!(is("reads")? && !is("more")?, "rights of services on {name}");
        let only_read_or_added = name.ends_with(".seaql_migrations") || name == "identity.audit_entry";
        assert_eq!(is("writes")?, !only_read_or_added, "rights of services on {name}");
        if is("forced")? && is("policy")? && row.try_get::<i64>("", "policies")? == 1 {
            protected += 1;
        } else {
            exempt.push(name);
        }
    }
    assert_eq!(exempt, EXEMPT.map(|(name, _)| name), "tables without forced row-level security on their tenant");
    assert!(protected >= 7, "{protected} tables");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn services_own_and_make_nothing() -> Result<()> {
    let site = migrated().await?;
    let owner = connect(&owner_url(&site)?).await?;
    let nothing = [
        "pg_roles WHERE rolname = 'armada_app' \
         AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)",
        "pg_roles WHERE rolname <> 'armada_app' AND pg_has_role('armada_app', oid, 'MEMBER')",
        "pg_shdepend JOIN pg_roles r ON r.oid = refobjid WHERE rolname = 'armada_app' AND deptype = 'o'",
        "pg_database WHERE has_database_privilege('armada_app', oid, 'CREATE')",
        "pg_namespace WHERE has_schema_privilege('armada_app', oid, 'CREATE') \
         AND nspname IN ('identity', 'fleet', 'position-ingest', 'public')",
    ];
    for what in nothing {
        assert_eq!(number(&owner, &format!("SELECT count(*) FROM {what}")).await?, 0, "{what}");
    }
    let services = connect(&site.logins.as_ref().context("PostgreSQL")?.services).await?;
    for sql in [
        "CREATE TABLE fleet.mine (id int)",
        "ALTER TABLE fleet.device DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE fleet.device NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY tenant_scope ON fleet.device",
        "TRUNCATE fleet.device",
        "SET ROLE armada_owner",
        "DELETE FROM fleet.seaql_migrations",
    ] {
        services.execute_unprepared(sql).await.err().with_context(|| format!("{sql} must be refused"))?;
    }
    Ok(())
}

async fn tenant_with_device(owner: &Api, name: &str, imei: &str) -> Result<String> {
    let tenant = owner.post("/api/v1/tenants", json!({ "name": name })).await?.expect(StatusCode::CREATED);
    let device = json!({ "tenant_id": tenant["id"], "imei": imei, "name": name });
    owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
    Ok(tenant["id"].as_str().context("an id")?.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_a_tenant_finds_nothing() -> Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let _armada = site.run().await;
    let owner = site.owner().await?;
    let own = tenant_with_device(&owner, "Own", "356307042441013").await?;
    let foreign = tenant_with_device(&owner, "Foreign", "356307042441021").await?;
    let services = connect(&site.logins.as_ref().context("PostgreSQL")?.services).await?;
    let devices = "SELECT count(*) FROM fleet.device";
    let scope = format!("BEGIN; SELECT set_config('app.tenant_id', '{own}', true)");

    assert_eq!(number(&services, devices).await?, 0, "a new connection");
    services.execute_unprepared(&scope).await?;
    assert_eq!(number(&services, devices).await?, 1, "in the scope of a tenant");
    let theirs = format!("{devices} WHERE tenant_id = '{foreign}'");
    assert_eq!(number(&services, &theirs).await?, 0, "another tenant's");
    let deleted =
        services.execute_unprepared(&format!("DELETE FROM fleet.device WHERE tenant_id = '{foreign}'")).await?;
    assert_eq!(deleted.rows_affected(), 0);
    services.execute_unprepared("COMMIT").await?;
    for (sql, what) in [
        (devices, "devices"),
        ("SELECT count(*) FROM identity.tenant", "tenants"),
        ("SELECT count(*) FROM identity.\"user\"", "users"),
        ("SELECT count(*) FROM identity.session", "sessions"),
    ] {
        assert_eq!(number(&services, sql).await?, 0, "{what}, on a connection that had a tenant a moment ago");
    }

    for sql in [
        format!("UPDATE fleet.device SET tenant_id = '{foreign}'"),
        format!(
            "INSERT INTO fleet.device_member (device_id, user_id, tenant_id, role, created_at) \
                 SELECT id, id, '{foreign}', 'owner', 0 FROM fleet.device"
        ),
    ] {
        services.execute_unprepared(&scope).await?;
        let error = services.execute_unprepared(&sql).await.err().context("it must be refused")?.to_string();
        assert!(error.contains("row-level security"), "{error}");
        services.execute_unprepared("ROLLBACK").await?;
    }
    let outside = format!("INSERT INTO identity.tenant SELECT * FROM identity.tenant WHERE id = '{own}'");
    assert_eq!(services.execute_unprepared(&outside).await?.rows_affected(), 0);
    Ok(())
}

/// What was printed by a program that refused to start.
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn services_do_not_serve_as_owner_or_superuser() -> Result<()> {
    let site = migrated().await?;
    let serve_as = |url: &str| {
        let mut command = site.command(&["run", "--only", "identity"]);
        command.env("DATABASE_URL", url).env_remove("DATABASE_OWNER_URL").output()
    };
    let owner = owner_url(&site)?;
    let postgres = site.postgres.as_ref().context("PostgreSQL")?;
    let (_, database) = owner.rsplit_once('/').context("a database")?;
    let refused = refusal(&serve_as(&postgres.url("postgres", database))?);
    assert!(refused.starts_with("armada: database of identity: postgres is a superuser; "), "{refused}");

    // The owner is not let in as services even by name, unless somebody made it a member of their role.
    let refused = refusal(&serve_as(&owner)?);
    assert!(refused.contains("permission denied to set role \"armada_app\""), "{refused}");
    let admin = connect(&postgres.url("postgres", database)).await?;
    admin.execute_unprepared(&format!("GRANT {SERVICES} TO armada_owner")).await?;
    let refused = refusal(&serve_as(&owner)?);
    assert!(refused.starts_with("armada: database of identity: armada_owner owns its tables; "), "{refused}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_login_for_everything_serves_as_the_services_role() -> Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let postgres = site.postgres.as_ref().context("PostgreSQL")?;
    let owner = owner_url(&site)?;
    let url = postgres.url("postgres", owner.rsplit_once('/').context("a database")?.1);
    let mut armada = site.start_as("one-login", &[], &[("DATABASE_URL", &url), ("DATABASE_OWNER_URL", "")]);
    armada.ready(&site.admin).await;
    site.owner().await?;
    // The login may do everything. What serves has its role's rights alone.
    let admin = connect(&url).await?;
    admin.execute_unprepared(&format!("REVOKE SELECT ON identity.\"user\" FROM {SERVICES}")).await?;
    site.owner().await.err().context("nobody can sign in any more")?;
    Ok(())
}
