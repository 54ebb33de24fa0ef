//! What PostgreSQL itself keeps apart, whatever a query forgets: every table of every schema, as the program has made
//! them. SQLite has no such rules.

use std::process::Output;

use anyhow::{Context as _, Result};
use armada_runtime::db::{ALL_SERVICES, Owner, role};
use armada_testkit::{Api, Kind};
use http::StatusCode;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, QueryResult, Statement};
use serde_json::json;

use crate::support::{connect, services_that_store, site::Site};

/// Tables without the policy, and why that is right.
const EXEMPT: [(&str, &str); 40] = [
    (
        "fleet.attempt",
        "guesses at PINs under a hash of where they come from; visitors of share links belong to no tenant",
    ),
    ("fleet.audit_outbox", "what anybody did; they may add to it, and the relay alone reads it"),
    ("fleet.event_outbox", "what was noticed; whoever notices adds to it, and the relay alone reads it"),
    ("fleet.idempotent_call", "found by a hash of a user's key, and sealed under it"),
    ("fleet.imei_binding", "a tenant's binding begins where the last one ended, whosever that was; that alone is told"),
    ("fleet.master_data", "the platform's entries are for all to read, which a second policy says: see the test below"),
    ("fleet.outbox", "names of keys, for the relay"),
    ("fleet.seaql_migrations", "what was applied"),
    ("identity.attempt", "counts under a hash of what is counted, before anybody is known"),
    ("identity.audit_outbox", "what anybody did; they may add to it, and the relay alone reads it"),
    ("identity.gateway_cut", "names of gateways whose connections are to be ended"),
    ("identity.gateway_rejection", "counts of gateways, which are asked for by their ids"),
    ("identity.idempotent_call", "found by a hash of a user's key, and sealed under it"),
    ("identity.mail", "sealed letters, for the relay"),
    (
        "identity.mail_request",
        "ids of requests for emails that were taken over, so that none is sent twice; for services alone",
    ),
    ("identity.outbox", "names of keys, for the relay"),
    ("identity.permission", "the catalogue, the same for all tenants"),
    ("identity.registration_request", "what strangers have asked for, until it is looked at a moment later"),
    ("identity.removed_gateway", "names that nobody gets again, whoever asks"),
    ("identity.seaql_migrations", "what was applied"),
    ("identity.signing_key", "keys of the platform"),
    ("notification.alarm_name", "what trackers call alarms, the same for all tenants; platform owners alone see it"),
    (
        "notification.audit_outbox",
        "who saved lists and acknowledged alarms, and what was erased; the relay alone reads it",
    ),
    ("notification.outbox", "names of keys, for the relay"),
    ("notification.seaql_migrations", "what was applied"),
    ("position-ingest.address", "what a geocoder says of public places; who was there, or asked, is not in it"),
    ("position-ingest.audit_outbox", "what was erased; ingest adds to it, and the relay alone reads it"),
    ("position-ingest.compaction_backlog", "days that have new blocks, whosever they are"),
    ("position-ingest.event_outbox", "ingest adds to it, and the relay alone reads it"),
    ("position-ingest.hot_frame", "frames mix tenants; ingest answers per device, after its own check of the scope"),
    ("position-ingest.hot_frame_0", "a part of them"),
    ("position-ingest.hot_frame_1", "a part of them"),
    ("position-ingest.hot_frame_2", "a part of them"),
    ("position-ingest.hot_frame_3", "a part of them"),
    ("position-ingest.instance", "which processes live"),
    ("position-ingest.partition", "ownership and progress"),
    ("position-ingest.raw_key", "the key that signs RAW"),
    ("position-ingest.rejection", "counts of the platform, by day and reason"),
    ("position-ingest.seaql_migrations", "what was applied"),
    ("position-ingest.set_aside", "what no stream takes; ingest puts it there, and back"),
];

/// A connection as a service has it, and no more than one.
async fn connect_as(site: &Site, service: &str) -> Result<DatabaseConnection> {
    let connection = connect(&site.logins.as_ref().context("PostgreSQL")?.services).await?;
    connection.execute_unprepared(&format!("SET ROLE {}", role(service))).await?;
    Ok(connection)
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
    let all = services_that_store().map(role).chain([ALL_SERVICES.to_owned()]);
    let all = all.map(|role| format!("'{role}'")).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "SELECT nspname || '.' || relname AS name, relrowsecurity AND relforcerowsecurity AS forced, \
           EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polcmd = '*' AND polroles = '{{0}}' \
             AND pg_get_expr(polqual, polrelid) LIKE '%NULLIF(current_setting(''app.tenant_id''%' \
             AND pg_get_expr(polwithcheck, polrelid) = pg_get_expr(polqual, polrelid)) AS policy, \
           (SELECT count(*) FROM pg_policy WHERE polrelid = c.oid AND polroles <> ARRAY[relowner]) AS policies, \
           pg_get_userbyid(relowner)::text AS owner, \
           has_table_privilege(service, c.oid, 'SELECT') AS reads, \
           has_table_privilege(service, c.oid, 'INSERT') AND has_table_privilege(service, c.oid, 'UPDATE') \
             AND has_table_privilege(service, c.oid, 'DELETE') AS writes, \
           has_table_privilege(service, c.oid, 'TRUNCATE, REFERENCES, TRIGGER') AS more, \
           (SELECT count(*) FROM pg_roles WHERE rolname IN ({all}) AND rolname <> service \
             AND (has_table_privilege(oid, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') \
               OR has_any_column_privilege(oid, c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))) AS others \
         FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace, \
           LATERAL (SELECT 'armada_' || replace(nspname, '-', '_') AS service) AS s \
         WHERE relkind IN ('r', 'p', 'm', 'f', 'v') AND nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1"
    );
    let (mut exempt, mut protected) = (Vec::new(), 0);
    for row in rows(&owner, &sql).await? {
        let name: String = row.try_get("", "name")?;
        let is = |column: &str| row.try_get::<bool>("", column);
        assert_eq!(row.try_get::<String>("", "owner")?, "armada_owner", "{name}");
        assert!(is("reads")? && !is("more")?, "rights of its service on {name}");
        assert_eq!(row.try_get::<i64>("", "others")?, 0, "rights of other services on {name}");
        let only_read_or_added = name.ends_with(".seaql_migrations") || name == "identity.audit_entry";
        assert_eq!(is("writes")?, !only_read_or_added, "rights of its service on {name}");
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
async fn services_own_and_create_nothing() -> Result<()> {
    let site = migrated().await?;
    let owner = connect(&owner_url(&site)?).await?;
    let nothing = [
        "pg_roles WHERE rolname = '{role}' \
         AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)",
        "pg_roles WHERE rolname <> '{role}' AND pg_has_role('{role}', oid, 'MEMBER')",
        "pg_shdepend JOIN pg_roles r ON r.oid = refobjid WHERE rolname = '{role}' AND deptype = 'o'",
        "pg_database WHERE has_database_privilege('{role}', oid, 'CREATE')",
        "pg_namespace WHERE has_schema_privilege('{role}', oid, 'CREATE') \
         AND nspname NOT LIKE 'pg_%' AND nspname <> 'information_schema'",
    ];
    for role in services_that_store().map(role) {
        for what in nothing.map(|what| what.replace("{role}", &role)) {
            assert_eq!(number(&owner, &format!("SELECT count(*) FROM {what}")).await?, 0, "{what}");
        }
    }
    let services = connect_as(&site, "fleet").await?;
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

/// What each service's role may do in the schema of each other one: nothing, by its own login and as one of the roles
/// that one login for all services takes.
#[tokio::test(flavor = "multi_thread")]
async fn no_service_reaches_the_schema_of_another() -> Result<()> {
    let site = migrated().await?;
    let owner = connect(&owner_url(&site)?).await?;
    let url = owner_url(&site)?;
    let (_, database) = url.rsplit_once('/').context("a database")?;
    let postgres = site.postgres.as_ref().context("PostgreSQL")?;
    let mut tried = 0;
    for service in services_that_store() {
        let by_own_login = connect(&postgres.url(&role(service), database)).await?;
        let by_shared_login = connect_as(&site, service).await?;
        let own = format!("SELECT count(*) FROM \"{service}\".seaql_migrations");
        assert!(number(&by_own_login, &own).await? > 0 && number(&by_shared_login, &own).await? > 0, "{service}");
        for foreign in services_that_store().filter(|foreign| *foreign != service) {
            let sql = format!(
                "SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace('\"{foreign}\"')"
            );
            for table in rows(&owner, &sql).await? {
                let table = format!("\"{foreign}\".\"{}\"", table.try_get::<String>("", "name")?);
                for sql in [
                    format!("SELECT * FROM {table}"),
                    format!("INSERT INTO {table} DEFAULT VALUES"),
                    format!("DELETE FROM {table}"),
                ] {
                    for connection in [&by_own_login, &by_shared_login] {
                        let error = connection.execute_unprepared(&sql).await.err().with_context(|| sql.clone())?;
                        assert!(error.to_string().contains("permission denied"), "{service}: {sql}: {error}");
                        tried += 1;
                    }
                }
            }
            let take = format!("SET ROLE {}", role(foreign));
            let error = by_own_login.execute_unprepared(&take).await.err().context("another's role")?;
            assert!(error.to_string().contains("permission denied"), "{service}: {take}: {error}");
        }
    }
    assert!(tried > 100, "{tried}");
    Ok(())
}

/// An installation from before there was a role for each service: one role had the rights in all schemas.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_installation_is_upgraded_by_migrating() -> Result<()> {
    let site = migrated().await?;
    let owner = connect(&owner_url(&site)?).await?;
    for service in services_that_store() {
        for sql in [
            format!("GRANT USAGE ON SCHEMA \"{service}\" TO {ALL_SERVICES}"),
            format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"{service}\" TO {ALL_SERVICES}"),
            format!("REVOKE ALL ON ALL TABLES IN SCHEMA \"{service}\" FROM {}", role(service)),
        ] {
            owner.execute_unprepared(&sql).await?;
        }
    }
    // The roles are not there yet, and their owner may make them.
    let postgres = site.postgres.as_ref().context("PostgreSQL")?;
    let url = owner_url(&site)?;
    let admin = connect(&postgres.url("postgres", url.rsplit_once('/').context("a database")?.1)).await?;
    for role in services_that_store().map(role) {
        admin.execute_unprepared(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await?;
    }
    let refused = refusal(&site.output(&["migrate"]));
    assert!(refused.contains("there is no role armada_identity, and armada_owner may not make it"), "{refused}");
    admin.execute_unprepared("ALTER ROLE armada_owner CREATEROLE").await?;
    let output = site.output(&["migrate"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // The login of before still lets a process with all services in, and has no right of its own any more.
    let app = connect(&site.logins.as_ref().context("PostgreSQL")?.services).await?;
    for service in services_that_store() {
        let sql = format!("SELECT count(*) FROM \"{service}\".seaql_migrations");
        let error = number(&app, &sql).await.err().context("the rights of before")?;
        assert!(format!("{error:#}").contains("permission denied"), "{error:#}");
    }
    let _armada = site.run().await;
    site.owner().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn platform_rows_are_read_only_for_tenants() -> Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let _armada = site.run().await;
    let owner = site.owner().await?;
    let own = tenant_with_device(&owner, "Own", "356307042441013").await?;
    let foreign = tenant_with_device(&owner, "Foreign", "356307042441021").await?;
    for tenant in [&own, &foreign] {
        let warehouse = json!({ "tenant_id": tenant, "kind": "warehouse", "name": "Cakung" });
        owner.post("/api/v1/master-data", warehouse).await?.expect(StatusCode::CREATED);
    }
    let services = connect_as(&site, "fleet").await?;
    let entries = "SELECT count(*) FROM fleet.master_data WHERE";
    services.execute_unprepared(&format!("BEGIN; SELECT set_config('app.tenant_id', '{own}', true)")).await?;
    assert!(number(&services, &format!("{entries} tenant_id IS NULL")).await? > 100);
    assert_eq!(number(&services, &format!("{entries} tenant_id IS NOT NULL")).await?, 1, "their own");
    for sql in ["UPDATE fleet.master_data SET name = 'x'", "DELETE FROM fleet.master_data"] {
        let of_others = format!("{sql} WHERE tenant_id IS NULL OR tenant_id = '{foreign}'");
        assert_eq!(services.execute_unprepared(&of_others).await?.rows_affected(), 0, "{sql}");
    }
    let made_common = services.execute_unprepared("UPDATE fleet.master_data SET tenant_id = NULL").await;
    let error = made_common.err().context("nobody gives all what is theirs")?;
    assert!(error.to_string().contains("row-level security"), "{error}");
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
    let services = connect_as(&site, "fleet").await?;
    let identity = connect_as(&site, "identity").await?;
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
    identity.execute_unprepared(&scope).await?;
    assert_eq!(number(&identity, "SELECT count(*) FROM identity.tenant").await?, 1);
    identity.execute_unprepared("COMMIT").await?;
    for (connection, sql, what) in [
        (&services, devices, "devices"),
        (&services, "SELECT count(*) FROM fleet.device_matching('%')", "devices by the index of searches"),
        (&identity, "SELECT count(*) FROM identity.tenant", "tenants"),
        (&identity, "SELECT count(*) FROM identity.\"user\"", "users"),
        (&identity, "SELECT count(*) FROM identity.user_matching('%')", "users by the index of searches"),
        (&identity, "SELECT count(*) FROM identity.session", "sessions"),
    ] {
        assert_eq!(number(connection, sql).await?, 0, "{what}, on a connection that had a tenant a moment ago");
    }
    services.execute_unprepared(&scope).await?;
    let found = number(&services, "SELECT count(*) FROM fleet.device_matching('%')").await?;
    assert_eq!(found, 1, "the index of searches knows the devices of one tenant");
    services.execute_unprepared("COMMIT").await?;

    for sql in [
        format!("UPDATE fleet.device SET tenant_id = '{foreign}'"),
        format!(
            "INSERT INTO fleet.device_member (id, device_id, user_id, tenant_id, role, ends_on, device_name_folded, search, \
                 row_version, created_at, updated_at) \
                 SELECT id, id, id, '{foreign}', 'owner', '', '', '', 1, 0, 0 FROM fleet.device"
        ),
    ] {
        services.execute_unprepared(&scope).await?;
        let error = services.execute_unprepared(&sql).await.err().context("it must be refused")?.to_string();
        assert!(error.contains("row-level security"), "{error}");
        services.execute_unprepared("ROLLBACK").await?;
    }
    let outside = format!("INSERT INTO identity.tenant SELECT * FROM identity.tenant WHERE id = '{own}'");
    assert_eq!(identity.execute_unprepared(&outside).await?.rows_affected(), 0);
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
    assert!(refused.contains("permission denied to set role \"armada_identity\""), "{refused}");
    let admin = connect(&postgres.url("postgres", database)).await?;
    admin.execute_unprepared("GRANT armada_identity TO armada_owner").await?;
    let refused = refusal(&serve_as(&owner)?);
    assert!(refused.starts_with("armada: database of identity: armada_owner owns its tables; "), "{refused}");

    // Nor is a service with a login that could read what is another's.
    let refused = refusal(&serve_as(&postgres.url(ALL_SERVICES, database))?);
    let wanted = "armada: database of identity: armada_app could read the schema of fleet; ";
    assert!(refused.starts_with(wanted), "{refused}");
    admin.execute_unprepared("GRANT armada_fleet TO armada_identity").await?;
    let refused = refusal(&serve_as(&postgres.url("armada_identity", database))?);
    let wanted = "armada: database of identity: armada_identity could read the schema of fleet; ";
    assert!(refused.starts_with(wanted), "{refused}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn services_do_not_serve_with_rights_on_the_server() -> Result<()> {
    let site = migrated().await?;
    let owner = owner_url(&site)?;
    let postgres = site.postgres.as_ref().context("PostgreSQL")?;
    let (_, database) = owner.rsplit_once('/').context("a database")?;
    let admin = connect(&postgres.url("postgres", database)).await?;
    let url = postgres.url("armada_identity", database);
    for (given, taken, problem) in [
        ("ALTER ROLE armada_identity CREATEROLE", "ALTER ROLE armada_identity NOCREATEROLE", "may make roles"),
        ("ALTER ROLE armada_identity CREATEDB", "ALTER ROLE armada_identity NOCREATEDB", "may make databases"),
        (
            "ALTER ROLE armada_identity REPLICATION",
            "ALTER ROLE armada_identity NOREPLICATION",
            "may replicate the server",
        ),
        (
            "GRANT pg_read_server_files TO armada_identity",
            "REVOKE pg_read_server_files FROM armada_identity",
            "belongs to pg_read_server_files",
        ),
        (
            "CREATE ROLE between IN ROLE pg_signal_backend; GRANT between TO armada_identity",
            "DROP ROLE between",
            "belongs to pg_signal_backend",
        ),
    ] {
        admin.execute_unprepared(given).await?;
        let mut command = site.command(&["run", "--only", "identity"]);
        // Others may have the usual port.
        command.env("ARMADA_GRPC_ADDR", "127.0.0.1:0");
        let refused = refusal(&command.env("DATABASE_URL", &url).env_remove("DATABASE_OWNER_URL").output()?);
        let wanted = format!("armada: database of identity: armada_identity {problem}; ");
        assert!(refused.starts_with(&wanted), "{refused}");
        admin.execute_unprepared(taken).await?;
    }
    Ok(())
}

/// As `deploy/postgres/roles.sh` leaves a server.
#[tokio::test(flavor = "multi_thread")]
async fn logins_connect_to_their_own_database_alone() -> Result<()> {
    let site = migrated().await?;
    let owner = owner_url(&site)?;
    let postgres = site.postgres.as_ref().context("PostgreSQL")?;
    let (_, database) = owner.rsplit_once('/').context("a database")?;
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/postgres/roles.sh");
    let logins = services_that_store().map(str::to_owned).chain(["owner".to_owned(), "app".to_owned()]);
    let passwords = logins.map(|login| (format!("ARMADA_{}_PASSWORD", login.to_uppercase().replace('-', "_")), "p"));
    let mut command = std::process::Command::new("sh");
    command.arg(script).envs(passwords).env("PGHOST", "127.0.0.1").env("PGPORT", postgres.port().to_string());
    let made = command.env("POSTGRES_USER", "postgres").env("POSTGRES_DB", database).output()?;
    assert!(made.status.success(), "{made:?}");
    for login in services_that_store().map(role).chain([ALL_SERVICES.to_owned()]) {
        connect(&postgres.url(&login, database)).await?;
        for other in ["postgres", "template1"] {
            let refused = connect(&postgres.url(&login, other)).await.err().with_context(|| login.clone())?.to_string();
            assert!(refused.contains("permission denied for database"), "{login} on {other}: {refused}");
        }
    }
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
    admin.execute_unprepared(&format!("REVOKE SELECT ON identity.\"user\" FROM {}", role("identity"))).await?;
    site.owner().await.err().context("nobody can sign in any more")?;
    Ok(())
}
