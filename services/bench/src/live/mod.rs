//! `armada-bench live`: positions on their way to the sockets of people who may see different things, what a socket takes
//! that hears nothing, and what one that hardly reads costs the others.

mod flood;
mod people;
mod quiet;
mod report;
mod slow;
mod socket;

use anyhow::{Result, ensure};
use armada_runtime::Bus;
use clap::Args;

use self::{
    flood::{Load, open_maps},
    people::{Person, Session, Tenant},
    report::Measured,
};
use crate::{
    open_files,
    site::{Site, Target},
};

/// Tenants whose vehicles report.
const TENANTS: usize = 4;
/// Sockets of one user.
const SOCKETS_EACH: usize = 4;
/// Fewer positions a second than these are none in some rounds of 20 ms.
const RATE_MIN: usize = 50;
/// Files and connections besides those of the sockets.
const SPARE_FILES: usize = 2_000;

/// What is measured.
#[derive(Args)]
pub struct LiveArgs {
    /// Devices that report, of four tenants.
    #[arg(long, default_value_t = 20_000)]
    devices: usize,
    /// Positions a second, of one device after the other.
    #[arg(long, default_value_t = 20_000)]
    rate: usize,
    /// Sockets of maps.
    #[arg(long, default_value_t = 200)]
    sockets: usize,
    /// Sockets of other screens, in tenants where nothing happens; 0 leaves them out.
    #[arg(long, default_value_t = 5_000)]
    quiet: usize,
    /// Seconds of publishing, three times.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
}

/// Prints lines and adds them to docs/BENCHMARKS.md as well.
pub async fn run(args: &LiveArgs, target: &Target) -> Result<()> {
    ensure!(args.devices >= TENANTS && args.sockets > 0 && args.seconds > 0, "nothing to measure");
    ensure!(args.rate >= RATE_MIN, "--rate is {RATE_MIN} at least");
    let connections = args.quiet.max(args.sockets) + SPARE_FILES;
    open_files::allow(connections + SPARE_FILES)?;
    let settings = vec![("ARMADA_BFF__LIMITS__CONNECTIONS", connections.to_string())];
    let mut site = Site::start_with(target, settings).await?;
    let measured = measure(args, &site).await;
    site.stop().await?;
    report::print_and_append(&measured?)
}

async fn measure(args: &LiveArgs, site: &Site) -> Result<Measured> {
    let bus = Bus::connect_without_streams(&site.gateways_url()?, "armada-bench").await?;
    // First: what the others leave behind would be used again.
    let quiet = match args.quiet {
        0 => None,
        count => Some(quiet::measure(site, &bus, count).await?),
    };
    eprintln!("making {} devices", args.devices);
    let mut tenants = Vec::new();
    for number in 1..=TENANTS {
        tenants.push(Tenant::make(site, &format!("live-{number}"), args.devices / TENANTS).await?);
    }
    let people = Person::mixed(site, "live", &tenants, args.sockets.div_ceil(SOCKETS_EACH)).await?;
    let sessions = Session::of(site, &people).await?;
    let load = Load::new(bus, &tenants, args.rate, args.seconds);
    eprintln!("{} positions a second and {} sockets for {} s", args.rate, args.sockets, args.seconds);
    let flood = load.publish(site, open_maps(site, &sessions, args.sockets).await?).await?;
    let slow = slow::measure(site, &load, &people).await?;
    Ok(Measured {
        postgres: site.is_postgres(),
        devices: args.devices,
        rate: args.rate,
        seconds: args.seconds,
        sockets: sessions.iter().cycle().take(args.sockets).map(|session| session.rights).collect(),
        flood,
        quiet,
        slow,
    })
}
