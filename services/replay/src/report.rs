//! What a replay tells: progress while it runs, and what came of it.

use std::{
    collections::BTreeMap,
    io::Write,
    time::{Duration, Instant},
};

use anyhow::Result;
use armada_gateway::{Counts, Reading};
use armada_position_ingest as ingest;
use armada_proto::{Choice, v1::FixMark};
use armada_runtime::{Bus, Database};
use armada_track::Reject;
use tokio::task::JoinHandle;

use super::register::Registered;

/// How often progress is told.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// How long ingest may do nothing before the report is printed without it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// What became of the rows.
#[derive(Debug, Default)]
pub(super) struct ReplayCounts {
    /// Rows of the file.
    pub(super) rows: u64,
    /// Rows that cannot be put into a frame.
    pub(super) refused: BTreeMap<Reject, u64>,
    /// Positions sent.
    pub(super) counts: Reading,
    /// The last sequence of RAW that the receiver named.
    pub(super) last_sequence: u64,
}

/// Tells progress on standard error until it is aborted.
pub(super) fn watch(counts: Counts, rows: u64) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut before = Reading::default();
        let mut ticks = tokio::time::interval(REPORT_INTERVAL);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            let now = counts.read();
            let rate = (now.acknowledged - before.acknowledged) / REPORT_INTERVAL.as_secs();
            eprintln!(
                "{} of {rows} rows published, {} acknowledged ({rate}/s), {} messages sent again",
                now.published, now.acknowledged, now.repeated
            );
            before = now;
        }
    })
}

/// Positions of the last days that were refused or stored with a mark, by reason.
pub(super) async fn refused(db: &Database) -> Result<BTreeMap<String, u64>> {
    let mut refused = BTreeMap::new();
    for count in ingest::admin::rejection_counts(db).await? {
        *refused.entry(count.reason).or_default() += u64::from(count.count);
    }
    Ok(refused)
}

/// Waits until ingest has dealt with everything, and prints the table. `before` is what it had refused at the beginning.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(super) async fn print(tally: &ReplayCounts, bus: &Bus, db: &Database, before: &BTreeMap<String, u64>) {
    let line = |what: String, count: u64| println!("{what:<44}{count:>12}");
    line("rows".to_owned(), tally.rows);
    line("published".to_owned(), tally.counts.published);
    line("acknowledged".to_owned(), tally.counts.acknowledged);
    for (what, count) in [("held for whoever gets the device", tally.counts.held), ("rejected", tally.counts.rejected)]
    {
        if count > 0 {
            line(what.to_owned(), count);
        }
    }
    for (reason, count) in &tally.refused {
        line(format!("refused here: {reason}"), *count);
    }
    let drained = wait_for(bus, db, tally.last_sequence).await;
    match refused(db).await {
        Ok(after) if drained => {
            for (reason, count) in after {
                let new = count.saturating_sub(before.get(&reason).copied().unwrap_or_default());
                if new > 0 {
                    let is_stored = FixMark::named(&reason).is_some();
                    let what = if is_stored { "stored, and counts for nothing" } else { "refused by ingest" };
                    line(format!("{what}: {reason}"), new);
                }
            }
        }
        _ => println!("ingest has not read everything yet; GET /api/v1/position-rejections has what it refuses"),
    }
}

/// True once ingest has passed this sequence; false when it stands still before.
async fn wait_for(bus: &Bus, db: &Database, last_sequence: u64) -> bool {
    let (mut best, mut since) = (0, Instant::now());
    while since.elapsed() < IDLE_TIMEOUT {
        if let Ok(below) = ingest::admin::committed_watermark(bus, db).await {
            if below > last_sequence {
                return true;
            }
            if below > best {
                (best, since) = (below, Instant::now());
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

/// Prints the devices as CSV.
pub fn print_devices(devices: &[Registered]) -> Result<()> {
    let mut out = csv::Writer::from_writer(std::io::stdout().lock());
    out.write_record(["name", "imei", "device_id"])?;
    for device in devices {
        out.write_record([device.name.as_str(), &device.imei.to_string(), &device.device_id])?;
    }
    Ok(out.into_inner().map_err(|error| error.into_error())?.flush()?)
}
