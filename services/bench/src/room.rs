//! How much room history takes once it is sealed: fixes of days that are over come as gateways send them, go through hot
//! frames, and become blocks. What the whole database takes then is compared with the blocks alone.

use std::{
    fs,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use armada_position_ingest as ingest;
use armada_proto::Timestamp;
use armada_runtime::{Bus, Database};

use crate::{devices, load::Load, report::machine, site::Site};

const DEVICES: usize = 100;
/// Three days of a fix every five seconds.
const FIXES: usize = 3 * 17_280;
/// Positions of a frame.
const FRAME: usize = 1_000;
/// How long it may take until everything is stored.
const DEADLINE: Duration = Duration::from_secs(600);

/// Prints a line for docs/BENCHMARKS.md; `scale` divides the number of devices.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub async fn measure(site: &Site, scale: usize) -> Result<()> {
    let bus = Bus::connect(&site.nats_url()?, "armada-bench").await?;
    let gateways = Bus::connect_without_streams(&site.gateways_url()?, "armada-bench").await?;
    let db = Database::open(&site.location(), ingest::NAME).await?;
    let names: Vec<String> = (0..(DEVICES / scale).max(1)).map(|number| format!("room-{number:03}")).collect();
    let devices = devices::register(site, &names).await?;
    Load::new(&devices, FRAME).publish(&gateways, FIXES).await?;
    let (total, started) = ((devices.len() * FIXES) as u64, Instant::now());
    while site.stored().await? < total {
        ensure!(started.elapsed() < DEADLINE, "not everything was stored within {DEADLINE:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let before = whole(site, &db).await?;
    for partition in 0..ingest::admin::partitions(&bus).await? {
        ingest::admin::seal_now(&bus, partition).await?;
    }
    let blocks = ingest::admin::storage(&db).await?.total();
    let after = whole(site, &db).await?;
    db.close().await?;
    ensure!(blocks.positions as u64 == total, "{} of {total} positions are stored", blocks.positions);
    println!(
        "| {} | {} | {} | {total} | {} ({:.2}) | {before} | {after} | {:.2} |",
        &Timestamp::now().to_rfc3339()[..10],
        machine(),
        if site.is_postgres() { "PostgreSQL" } else { "SQLite" },
        blocks.bytes,
        blocks.bytes_per_position(),
        after as f64 / blocks.bytes.max(1) as f64,
    );
    Ok(())
}

/// Bytes of the SQLite file with what belongs to it, or of all tables.
async fn whole(site: &Site, db: &Database) -> Result<u64> {
    if site.is_postgres() {
        return Ok(u64::try_from(ingest::admin::whole_bytes(db).await?).unwrap_or_default());
    }
    let file = format!("{}.db", ingest::NAME);
    let mut bytes = 0;
    for entry in fs::read_dir(&site.folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&file) {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}
