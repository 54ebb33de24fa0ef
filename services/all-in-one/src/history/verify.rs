//! `armada history verify`: reads all that is stored and tells what is wrong with it.

use std::io::IsTerminal;

use anyhow::{Result, bail, ensure};
use armada_position_ingest::{
    self as ingest,
    admin::verify::{Problem, Totals, Verified, VerifyUpdate, Which, verify},
};
use armada_proto::{DeviceId, TenantId, Timestamp};
use armada_runtime::{Database, db::Location};
use clap::Args;
use serde_json::{Value, json};

use crate::config::Config;

/// The most problems that are named with `--json`; all are counted.
const LISTED: usize = 10_000;

/// Which blocks are looked at.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The blocks of one tenant alone, and no hot frames.
    #[arg(long, value_name = "ID")]
    tenant: Option<TenantId>,
    /// The blocks of one device alone, and no hot frames.
    #[arg(long, value_name = "ID")]
    device: Option<DeviceId>,
    /// Print everything as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Looks through history; an error when something is wrong with it.
pub(crate) async fn run(args: VerifyArgs, config: &Config) -> Result<()> {
    let db = open(config).await?;
    let shown = std::io::stderr().is_terminal();
    let mut listed = Vec::new();
    let which = Which { tenant: args.tenant, device: args.device };
    let verified = verify(&db, which, |update| match update {
        VerifyUpdate::Problem(problem) if !args.json => print_problem(&problem),
        VerifyUpdate::Problem(problem) if listed.len() < LISTED => listed.push(problem),
        VerifyUpdate::Problem(_) => {}
        VerifyUpdate::Progress(blocks) if shown => eprint!("\r{blocks} blocks"),
        VerifyUpdate::Progress(_) => {}
    });
    let verified = verified.await?;
    if shown {
        eprint!("\r");
    }
    let whole = ingest::admin::whole_bytes(&db).await?;
    if args.json {
        print_json(&verified, &listed, whole)
    } else {
        print_table(&verified, whole)
    }
    match verified.problems() {
        0 => Ok(()),
        1 => bail!("1 problem was found in history"),
        problems => bail!("{problems} problems were found in history"),
    }
}

/// A database that is not there is not made.
pub(super) async fn open(config: &Config) -> Result<Database> {
    let location = config.location();
    if let Location::Sqlite(folder) = &location {
        let file = folder.join(format!("{}.db", ingest::NAME));
        ensure!(file.is_file(), "there is no {}", file.display());
    }
    let db = Database::open(&location, ingest::NAME).await?;
    db.verify::<ingest::Migrator>(ingest::NAME).await?;
    Ok(db)
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
fn print_problem(problem: &Problem) {
    let Problem { table, tenant, device, span, what } = problem;
    let mut place = String::new();
    for (name, id) in [("tenant", tenant.map(|id| id.to_string())), ("device", device.map(|id| id.to_string()))] {
        if let Some(id) = id {
            place += &format!("  {name} {id}");
        }
    }
    if let Some((from, to)) = span.map(times) {
        place += &format!("  {from} to {to}");
    }
    println!("{table}{place}  {what}");
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
fn print_table(verified: &Verified, whole: i64) {
    println!(
        "{:<36}  {:>9}  {:>10}  {:>13}  {:>15}  {:>14}  {:>8}",
        "tenant", "devices", "blocks", "positions", "bytes", "bytes/position", "problems"
    );
    let rows = verified.tenants.iter().map(|(tenant, totals)| (tenant.to_string(), *totals));
    let hot = verified.hot.map(|hot| ("hot frames".to_owned(), hot));
    for (name, totals) in rows.chain([("all blocks".to_owned(), verified.blocks())]).chain(hot) {
        let Totals { devices, rows, positions, bytes, problems } = totals;
        let each = bytes_per_position(&totals);
        println!("{name:<36}  {devices:>9}  {rows:>10}  {positions:>13}  {bytes:>15}  {each:>14.2}  {problems:>8}");
    }
    if verified.hot.is_some() {
        println!("{:<36}  {:>9}  {:>10}  {:>13}  {whole:>15}", "everything in the database", "", "", "");
    }
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
fn print_json(verified: &Verified, listed: &[Problem], whole: i64) {
    let tenants: Vec<Value> = verified
        .tenants
        .iter()
        .map(|(tenant, totals)| {
            let mut row = totals_in_json(totals);
            row["tenant_id"] = json!(tenant);
            row
        })
        .collect();
    let found = json!({
        "tenants": tenants,
        "blocks": totals_in_json(&verified.blocks()),
        "hot_frames": verified.hot.as_ref().map(totals_in_json),
        "database_bytes": whole,
        "problem_count": verified.problems(),
        "problems": listed.iter().map(problem_in_json).collect::<Vec<_>>(),
    });
    println!("{found}");
}

fn totals_in_json(totals: &Totals) -> Value {
    let Totals { devices, rows, positions, bytes, problems } = totals;
    let each = bytes_per_position(totals);
    json!({
        "devices": devices, "rows": rows, "positions": positions, "bytes": bytes, "bytes_per_position": each,
        "problems": problems,
    })
}

fn problem_in_json(problem: &Problem) -> Value {
    let Problem { table, tenant, device, span, what } = problem;
    let (from, to) = span.map(times).unzip();
    json!({
        "table": table, "tenant_id": tenant, "device_id": device, "from": from, "to": to, "problem": what,
    })
}

fn times((from, to): (i64, i64)) -> (String, String) {
    let text = |at| Timestamp::from_millis(at).to_rfc3339();
    (text(from), text(to))
}

fn bytes_per_position(totals: &Totals) -> f64 {
    totals.bytes as f64 / totals.positions.max(1) as f64
}
