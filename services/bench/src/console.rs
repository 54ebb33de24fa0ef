//! `armada-bench console`: the map and the first page of devices in a browser, while vehicles report. The browser's part
//! is `web-console/bench/`.

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, ensure};
use armada_runtime::Bus;
use clap::Args;

use crate::{
    browser, devices,
    load::Load,
    site::{Site, Target},
};

/// Positions of a frame.
const FRAME: usize = 1_000;

/// What is measured.
#[derive(Args)]
pub struct ConsoleArgs {
    /// Devices of the tenant.
    #[arg(long, default_value_t = 10_000)]
    devices: usize,
    /// Positions a second, of one device after the other.
    #[arg(long, default_value_t = 1_000)]
    rate: usize,
    /// Seconds of watching the map.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Minutes in which the memory of the open map is looked at.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// With trails of fifty vehicles and a street map, besides the names that there are anyhow.
    #[arg(long)]
    layers: bool,
    /// The street map, as PMTiles; a file with nothing but land when absent.
    #[arg(long, value_name = "FILE", requires = "layers")]
    street_map: Option<PathBuf>,
}

/// Measures, prints a table and adds a line to docs/BENCHMARKS.md.
pub async fn run(args: &ConsoleArgs, target: &Target) -> Result<()> {
    ensure!(args.devices > 0 && args.rate >= 10 && args.seconds > 0, "nothing to measure");
    let mut site = Site::start(target).await?;
    let measured = measure(args, &site).await;
    site.stop().await?;
    measured
}

async fn measure(args: &ConsoleArgs, site: &Site) -> Result<()> {
    let bus = Bus::connect_without_streams(&site.gateways_url()?, "armada-bench").await?;
    let names: Vec<String> = (0..args.devices).map(|number| format!("bench-{number:05}")).collect();
    eprintln!("making {} devices", names.len());
    let devices = devices::register(site, &names).await?;
    let mut load = Load::new(&devices, FRAME);
    load.report(&bus, args.devices, Duration::ZERO).await?;
    let browser = browser(args, site);
    tokio::select! {
        failed = load.publish_until_stopped(&bus, args.rate) => match failed? {},
        measured = browser => measured,
    }
}

async fn browser(args: &ConsoleArgs, site: &Site) -> Result<()> {
    // The browser's part runs in a folder of its own.
    let street_map = args.street_map.as_deref().map(std::fs::canonicalize).transpose()?;
    let settings = [
        ("ARMADA_BENCH_DEVICES", args.devices.to_string().into()),
        ("ARMADA_BENCH_RATE", args.rate.to_string().into()),
        ("ARMADA_BENCH_SECONDS", args.seconds.to_string().into()),
        ("ARMADA_BENCH_MINUTES", args.minutes.to_string().into()),
        ("ARMADA_BENCH_LAYERS", args.layers.to_string().into()),
        ("ARMADA_BENCH_STREET_MAP", street_map.unwrap_or_default().into()),
    ];
    browser::run(site, "console.bench.ts", settings).await
}
