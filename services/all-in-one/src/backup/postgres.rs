//! PostgreSQL: `pg_dump` and `pg_restore` of the schemas of all services, as the owner of their tables.

use std::{path::Path, process::Stdio, time::Duration};

use anyhow::{Context as _, Result, bail, ensure};
use armada_proto::Timestamp;
use armada_runtime::db::{Logins, search};
use sea_orm::DatabaseTransaction;
use tokio::io::AsyncWriteExt;

use super::{
    contents::{self, stored},
    digest,
    libpq::Programs,
    manifest::{Kind, Manifest},
};

/// The file of `pg_dump` in a copy.
const FILE: &str = "databases/armada.dump";
/// The folder that it is in.
const FOLDER: &str = "databases";
/// How long connections of services that have ended may take to go.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Dumps the schemas, all as of one moment, while services write them.
pub(super) async fn copy(logins: &Logins, backup: &Path, made_at: Timestamp) -> Result<Manifest> {
    let tx = logins.read_everything().await?;
    let server = major(&tx).await?;
    let programs = Programs::find(server, logins.owner_url()).await?;
    all_rows_are_seen(&tx).await?;
    // What is counted here is what is dumped there.
    let snapshot: String = contents::value(&tx, "SELECT pg_export_snapshot()".to_owned()).await?;
    digest::folder(&backup.join(FOLDER))?;
    eprintln!("dumps the databases of all services");
    let mut manifest = Manifest::new(made_at, Kind::Postgres(server));
    let counted = async {
        for service in stored() {
            manifest.services.push(contents::of(&tx, service).await?);
        }
        manifest.partitions = contents::progress(&tx).await?;
        anyhow::Ok(())
    };
    let file = backup.join(FILE);
    tokio::try_join!(dump(&programs, &snapshot, &file), counted)?;
    tx.rollback().await?;
    digest::keep(&file)?;
    manifest.add(backup, FILE)?;
    digest::sync_folder(&backup.join(FOLDER))?;
    Ok(manifest)
}

async fn dump(programs: &Programs, snapshot: &str, file: &Path) -> Result<()> {
    let mut command = programs.command("pg_dump");
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=60s", "--strict-names"]);
    // Row-level security binds the owner of the tables too; by this setting it sees the rows of all tenants.
    command.arg("--enable-row-security").env("PGOPTIONS", "-c app.platform=on -c statement_timeout=0");
    command.args(stored().map(|service| format!("--schema=\"{service}\"")));
    command.arg(format!("--snapshot={snapshot}")).arg("--file").arg(file);
    let output = command.stdin(Stdio::null()).output().await.context("pg_dump")?;
    ensure!(output.status.success(), "{}", last_line("pg_dump", &output.stderr));
    Ok(())
}

/// Fails when a policy would hide rows even from whoever sees the rows of all tenants.
async fn all_rows_are_seen(tx: &DatabaseTransaction) -> Result<()> {
    let sql = format!(
        "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname IN ({}) AND c.relrowsecurity \
         AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)) \
         AND NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = n.nspname AND p.tablename = c.relname \
                         AND p.permissive = 'PERMISSIVE' AND p.qual LIKE '%app.platform%')",
        schemas()
    );
    let hidden: Vec<String> = contents::column(tx, sql).await?;
    ensure!(hidden.is_empty(), "row-level security would hide rows of {}", hidden.join(", "));
    Ok(())
}

/// Whether the database has tables of services.
pub(super) async fn is_there(logins: &Logins) -> Result<bool> {
    let tx = logins.read_everything().await?;
    let sql = format!(
        "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname IN ({}) AND c.relkind IN ('r', 'p')",
        schemas()
    );
    let tables: i64 = contents::value(&tx, sql).await?;
    tx.rollback().await?;
    Ok(tables > 0)
}

/// Fails while services are connected.
pub(super) async fn nobody_serves(logins: &Logins) -> Result<()> {
    let services = stored().map(|service| format!("'armada-{service}'")).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "SELECT DISTINCT application_name FROM pg_stat_activity \
         WHERE datname = current_database() AND application_name IN ({services}) ORDER BY 1"
    );
    let begun = std::time::Instant::now();
    loop {
        let tx = logins.read_everything().await?;
        let connected: Vec<String> = contents::column(&tx, sql.clone()).await?;
        tx.rollback().await?;
        if connected.is_empty() {
            return Ok(());
        }
        ensure!(
            begun.elapsed() < CLOSE_TIMEOUT,
            "Armada runs on this database: {} are connected",
            connected.join(", ")
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Puts the schemas of a copy in the place of those that are there, in one transaction: all of it is restored or nothing
/// has changed.
pub(super) async fn restore(logins: &Logins, backup: &Path, made_with: u32) -> Result<()> {
    let tx = logins.read_everything().await?;
    let server = major(&tx).await?;
    tx.rollback().await?;
    // A dump is read by no program that is older than who wrote it.
    let programs = Programs::find(server.max(made_with), logins.owner_url()).await?;
    eprintln!("restores the databases of all services");
    let mut reader = programs.command("pg_restore");
    reader.args(["--no-owner", "--no-privileges", "--file=-"]).arg(backup.join(FILE));
    let reader = reader.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut reader = reader.context("pg_restore")?;
    let mut writer = programs.command("psql");
    writer.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]);
    let writer = writer.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut writer = writer.context("psql")?;
    let (Some(mut script), Some(mut input)) = (reader.stdout.take(), writer.stdin.take()) else {
        bail!("pg_restore and psql are not connected");
    };
    let passed = async {
        // Both ends are given up as soon as one fails, so that nobody waits for the other.
        let copied = async move {
            input.write_all(beginning().as_bytes()).await?;
            tokio::io::copy(&mut script, &mut input).await?;
            std::io::Result::Ok(input)
        };
        let (copied, read) = tokio::join!(copied, reader.wait_with_output());
        let (read, mut input) = (read.context("pg_restore")?, copied.context("psql")?);
        ensure!(read.status.success(), "{}", last_line("pg_restore", &read.stderr));
        // Without this nothing of it holds.
        input.write_all(b"\nCOMMIT;\n").await.context("psql")?;
        input.shutdown().await.context("psql")
    };
    let (passed, written) = tokio::join!(passed, writer.wait_with_output());
    let written = written.context("psql")?;
    // When it ends early, what it says is the reason, and not that nobody took the rest.
    ensure!(written.status.success(), "{}", last_line("psql", &written.stderr));
    passed
}

/// What comes before the copy: nobody migrates meanwhile, and what is there goes.
fn beginning() -> String {
    let drop = stored().map(|service| format!("DROP SCHEMA IF EXISTS \"{service}\" CASCADE;\n")).collect::<String>();
    format!(
        "BEGIN;\nSET LOCAL lock_timeout = '10s';\nSELECT pg_advisory_xact_lock(hashtext('armada migrate'));\n\
         DO $$ BEGIN {} END $$;\n{drop}",
        search::MAKE_EXTENSION
    )
}

async fn major(tx: &DatabaseTransaction) -> Result<u32> {
    let version: i32 =
        contents::value(tx, "SELECT current_setting('server_version_num')::integer / 10000".to_owned()).await?;
    u32::try_from(version).context("the version of PostgreSQL")
}

fn schemas() -> String {
    stored().map(|service| format!("'{service}'")).collect::<Vec<_>>().join(", ")
}

/// The last words of a program that failed, in one line.
fn last_line(program: &str, stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join("; ");
    if last.is_empty() { format!("{program} failed") } else { last }
}
