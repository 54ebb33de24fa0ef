//! `armada-bench single`: one fix a message, as most gateways send. How many are acknowledged and stored a second, what each
//! costs, how long one takes to its acknowledgement, and what ten thousand connections take.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use armada_gateway::SinglePublisher;
use armada_runtime::Bus;
use clap::Args;

use crate::{
    connections,
    devices::{self, Device},
    disk::synced_writes,
    latency::{self, Form},
    load::Vehicles,
    report::machine,
    single_report::{self, Flood, Measured},
    site::{Site, Target},
    usage::Usage,
};

/// How long a run may take until everything is stored.
const RUN_DEADLINE: Duration = Duration::from_secs(300);
/// Fixes that are sent one after the other.
const SEQUENTIAL_FIXES: usize = 2_000;
/// Synced writes whose time is measured beside them.
const SYNCED_WRITES: usize = 500;
const GATEWAY: &str = "bench";

/// What is measured.
#[derive(Args)]
pub struct SingleArgs {
    /// Runs with each number of fixes in flight; the median counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Devices that report.
    #[arg(long, default_value_t = 10_000)]
    devices: usize,
    /// Fixes of a run.
    #[arg(long, default_value_t = 500_000)]
    fixes: usize,
    /// Seconds of 5,000 fixes a second for the latencies.
    #[arg(long, default_value_t = 20)]
    latency_seconds: u64,
    /// Connections that send a fix every ten seconds; 0 leaves them out.
    #[arg(long, default_value_t = 10_000)]
    connections: usize,
}

/// Adds a line to docs/BENCHMARKS.md as well.
pub async fn run(args: &SingleArgs, target: &Target) -> Result<()> {
    ensure!(args.runs > 0 && args.devices > 0 && args.fixes > 0, "nothing to measure");
    let mut site = Site::start(target).await?;
    let measured = measure(args, &site).await;
    site.stop().await?;
    let measured = measured?;
    single_report::print(&measured);
    single_report::append(&measured)
}

async fn measure(args: &SingleArgs, site: &Site) -> Result<Measured> {
    let bus = Bus::connect_as_gateway(&site.gateways_url()?, GATEWAY).await?;
    let names: Vec<String> = (0..args.devices).map(|number| format!("bench-{number:05}")).collect();
    eprintln!("making {} devices", names.len());
    let devices = devices::register(site, &names).await?;
    // First: what is sealed after the floods takes memory of its own.
    let connections = match args.connections {
        0 => None,
        count => Some(connections::measure(site, &devices, count).await?),
    };
    let mut vehicles = Vehicles::new(&devices);
    let mut floods = Vec::new();
    for in_flight in [1_000, 10_000] {
        for number in 1..=args.runs {
            let flood = flood(args, site, &bus, &mut vehicles, in_flight).await?;
            eprintln!("{in_flight} in flight, run {number}: {flood}");
            floods.push(flood);
        }
    }
    let synced = synced_writes(&site.folder, SYNCED_WRITES)?;
    let one = one_by_one(&bus, &devices).await?;
    eprintln!("{} s of 5,000 fixes a second", args.latency_seconds);
    let to_socket = latency::measure(site, &bus, &devices, args.latency_seconds, Form::Single).await?;
    let to_answer = latency::to_answer(&bus, GATEWAY, &devices, args.latency_seconds).await?;
    Ok(Measured {
        machine: machine(),
        postgres: site.is_postgres(),
        devices: args.devices,
        floods,
        synced,
        one,
        to_answer,
        to_socket,
        connections,
    })
}

/// Publishes as fast as answers come, and waits until everything is stored.
async fn flood(args: &SingleArgs, site: &Site, bus: &Bus, vehicles: &mut Vehicles, in_flight: usize) -> Result<Flood> {
    let stored_before = site.stored().await?;
    let receiver_before = site.receiver_seconds().await?;
    let usage = Usage::of(site)?;
    let started = Instant::now();
    let mut publisher = SinglePublisher::new(bus, GATEWAY, in_flight).await?;
    for _ in 0..args.fixes {
        let (imei, report) = vehicles.next();
        publisher.push(imei, &report).await?;
    }
    publisher.finish().await?;
    let acknowledged = started.elapsed();
    let counts = publisher.counts().read();
    ensure!(counts.rejected == 0 && counts.held == 0, "not everything was taken in: {counts:?}");
    let total = args.fixes as u64;
    while site.stored().await? < stored_before + total {
        ensure!(started.elapsed() < RUN_DEADLINE, "not everything was stored within {RUN_DEADLINE:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let stored = started.elapsed();
    let used = Usage::of(site)?.since(&usage);
    let receiver = site.receiver_seconds().await? - receiver_before;
    Ok(Flood { in_flight, fixes: total, acknowledged, stored, used, receiver_seconds: receiver })
}

/// Seconds from publication to answer, one fix after the other.
async fn one_by_one(bus: &Bus, devices: &[Device]) -> Result<Vec<f64>> {
    let mut seconds = Vec::with_capacity(SEQUENTIAL_FIXES);
    for (step, device) in devices.iter().cycle().take(SEQUENTIAL_FIXES).enumerate() {
        let body = latency::body(step as i32);
        let begun = Instant::now();
        let answer = bus.client.request(format!("gps.{GATEWAY}.{}", device.imei), body.into()).await?;
        seconds.push(begun.elapsed().as_secs_f64());
        ensure!(answer.payload.starts_with(b"{\"stream\""), "{:?}", answer.payload);
    }
    Ok(seconds)
}
