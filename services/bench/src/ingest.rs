//! `armada-bench ingest`: how many positions a second a machine stores, what each costs, and how long one takes to a socket.
//! A whole Armada of its own is measured, from publication to history, the load included.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use armada_position_ingest as ingest;
use armada_proto::Timestamp;
use armada_runtime::{Bus, Database};
use clap::Args;

use crate::{
    devices, latency,
    load::Load,
    report::{self, Row, Summary},
    site::{Site, Target},
    usage::Usage,
};

/// How long a run may take until everything is stored.
const RUN_DEADLINE: Duration = Duration::from_secs(600);
/// Devices whose history is read back after each run.
const SAMPLE: usize = 20;

/// What is measured.
#[derive(Args)]
pub struct IngestArgs {
    /// Runs; the table shows each and the median.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Devices that report.
    #[arg(long, default_value_t = 10_000)]
    devices: usize,
    /// Positions of each device in a run.
    #[arg(long, default_value_t = 300)]
    positions: usize,
    /// Positions of a frame.
    #[arg(long, default_value_t = 1_000)]
    frame: usize,
    /// Seconds of 5,000 positions a second for the latency to the socket.
    #[arg(long, default_value_t = 20)]
    latency_seconds: u64,
}

/// Adds a line to docs/BENCHMARKS.md as well.
pub async fn run(args: &IngestArgs, target: &Target) -> Result<()> {
    ensure!(args.runs > 0 && args.devices > 0 && args.positions > 0, "nothing to measure");
    let mut site = Site::start(target).await?;
    let measured = measure(args, &site).await;
    site.stop().await?;
    let summary = measured?;
    report::print(&summary);
    report::append(&summary)
}

async fn measure(args: &IngestArgs, site: &Site) -> Result<Summary> {
    let bus = Bus::connect(&site.nats_url()?, "armada-bench").await?;
    let gateways = Bus::connect_without_streams(&site.gateways_url()?, "armada-bench").await?;
    let db = Database::open(&site.location(), ingest::NAME).await?;
    let names: Vec<String> = (0..args.devices).map(|number| format!("bench-{number:05}")).collect();
    eprintln!("making {} devices", names.len());
    let devices = devices::register(site, &names).await?;
    let mut load = Load::new(&devices, args.frame);
    let mut rows = Vec::new();
    for number in 1..=args.runs {
        let row = one_run(args, site, (&bus, &gateways), &db, &mut load).await?;
        eprintln!("run {number}: {:.0} positions/s, {:.2} µs of CPU a position", row.rate(), row.cpu_micros());
        rows.push(row);
    }
    eprintln!("{} s of 5,000 positions a second", args.latency_seconds);
    let latency = latency::measure(site, &gateways, &devices, args.latency_seconds, latency::Form::Frames).await?;
    db.close().await?;
    Ok(Summary { rows, latency, devices: args.devices, frame: args.frame, postgres: site.is_postgres() })
}

/// Publishes the load and waits until all of it is stored; then reads a sample back, and seals.
async fn one_run(
    args: &IngestArgs,
    site: &Site,
    (bus, gateways): (&Bus, &Bus),
    db: &Database,
    load: &mut Load,
) -> Result<Row> {
    let before = ingest::admin::storage(db).await?;
    let stored_before = site.stored().await?;
    let total = (args.devices * args.positions) as u64;
    let usage = Usage::of(site)?;
    let started = Instant::now();
    let span = load.publish(gateways, args.positions).await?;
    while site.stored().await? < stored_before + total {
        ensure!(started.elapsed() < RUN_DEADLINE, "not everything was stored within {RUN_DEADLINE:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let elapsed = started.elapsed();
    let used = Usage::of(site)?.since(&usage);
    read_back(args, site, load, span).await?;
    let hot = ingest::admin::storage(db).await?;
    for partition in 0..ingest::admin::partitions(bus).await? {
        ingest::admin::seal_now(bus, partition).await?;
    }
    let sealed = ingest::admin::storage(db).await?;
    Ok(Row {
        positions: total,
        elapsed,
        cpu_seconds: used.cpu_seconds,
        rss_bytes: used.rss_bytes,
        hot: hot.hot_since(&before),
        sealed: sealed.sealed_since(&before),
    })
}

/// What was counted as stored must also be found, each position once.
async fn read_back(args: &IngestArgs, site: &Site, load: &Load, (from, to): (i64, i64)) -> Result<()> {
    let (from, to) = (Timestamp::from_millis(from).to_rfc3339(), Timestamp::from_millis(to).to_rfc3339());
    for device in load.sample(SAMPLE) {
        let track = site.get(&format!("/api/v1/devices/{device}/track?from={from}&to={to}")).await?;
        let found = track["items"].as_array().context("a track")?.len();
        ensure!(found == args.positions, "device {device}: {found} of {} positions found", args.positions);
    }
    Ok(())
}
