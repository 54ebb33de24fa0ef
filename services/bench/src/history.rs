//! `armada-bench history`: what sealing, erasing and reading cost once there is much history. A fleet of many devices and
//! one day, or of fewer and a year, is written straight into the database of a program that runs on its own; what the
//! program uses meanwhile is read from `/proc`. How much room history takes is measured apart (`room.rs`), and how long
//! reading a month takes (`month.rs`).

use std::time::Instant;

use anyhow::{Context as _, Result};
use armada_position_ingest as ingest;
use armada_proto::{DeviceId, TenantId, Timestamp};
use armada_runtime::{Bus, Database};
use armada_track::HotBuilder;
use clap::{Args, ValueEnum};
use sea_orm::Value;

use crate::{
    blocks::{BlockWriter, Owner, ROWS_AT_ONCE, insert},
    devices::{self, Device},
    load, month,
    report::machine,
    room,
    site::{Site, Target},
    usage::Usage,
};

const DAY_MS: i64 = 24 * 3600 * 1000;
/// Milliseconds between two fixes of a device.
const STEP_MS: i64 = 10_000;
/// Positions of a block of a device that is not read: its rows count, their length does not.
const SHORT: usize = 60;
/// Devices that are read, with whole blocks.
const READ: usize = 10;
/// Hot frames of each partition: a minute of rounds of 25 ms.
const FRAMES: usize = 2_400;
/// Tenants in the ledger of erased ones.
const ERASED: usize = 100;
/// Sealings that are measured, of all partitions each.
const ROUNDS: u32 = 10;

/// What is measured.
#[derive(Args)]
pub struct HistoryArgs {
    /// Many devices and a day, or fewer and a year; what days take that went the whole way; or how long a month is read.
    #[arg(long, value_enum, default_value_t = Shape::Day)]
    shape: Shape,
    /// Divides the number of devices.
    #[arg(long, default_value_t = 1)]
    scale: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// 100,000 devices, the present day in eight blocks each.
    Day,
    /// 1,000 devices, 365 days that are over in one block each.
    Year,
    /// 100 devices, three days that are published and sealed: bytes of the blocks and of the whole database.
    Sealed,
    /// A month of one vehicle, 260,000 fixes, beside that of 1,000 others: reading its track, and scanning theirs.
    Read,
}

impl Shape {
    fn devices(self) -> usize {
        if self == Self::Day { 100_000 } else { 1_000 }
    }

    /// Days since 1970, and the blocks of each.
    fn days(self) -> (std::ops::Range<i64>, usize) {
        let today = Timestamp::now().millis().div_euclid(DAY_MS);
        if self == Self::Day { (today..today + 1, 8) } else { (today - 365..today, 1) }
    }
}

/// Measures, and prints a line for docs/BENCHMARKS.md.
pub async fn run(args: &HistoryArgs, target: &Target) -> Result<()> {
    let settings = if args.shape == Shape::Read { month::settings() } else { Vec::new() };
    let mut site = Site::start_with(target, settings).await?;
    let measured = match args.shape {
        Shape::Day | Shape::Year => measure(args, &site).await,
        Shape::Sealed => room::measure(&site, args.scale).await,
        Shape::Read => month::measure(&mut site, args.scale).await,
    };
    site.stop().await?;
    measured
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn measure(args: &HistoryArgs, site: &Site) -> Result<()> {
    let bus = Bus::connect(&site.nats_url()?, "armada-bench").await?;
    let db = Database::open(&site.location(), ingest::NAME).await?;
    let names: Vec<String> = (0..READ).map(|number| format!("read-{number}")).collect();
    let read = devices::register(site, &names).await?;
    let tenant = devices::tenant_of(site, &read[0]).await?;
    let fleet = Fleet { db: &db, partitions: ingest::admin::partitions(&bus).await? };
    let began = Instant::now();
    let blocks = fleet.write(args, tenant, &read).await?;
    eprintln!("{blocks} blocks written within {:?}", began.elapsed());

    let first = seal(site, &bus, 1).await?;
    let usual = seal(site, &bus, ROUNDS).await?;
    for _ in 0..ERASED {
        ingest::admin::erase_tenant(&db, TenantId::new()).await?;
    }
    let with_ledger = seal(site, &bus, ROUNDS).await?;
    let track = tracks(args.shape, site, &read).await?;
    let (erase, again) = (erase(site, &db, tenant).await?, erase(site, &db, tenant).await?);
    db.close().await?;
    println!(
        "| {} | {} | {} | {}, {:?} | {} | {first:.0} | {usual:.1} | {with_ledger:.1} | {track:.1} | {erase:.0}, {again:.0} |",
        &Timestamp::now().to_rfc3339()[..10],
        machine(),
        if site.is_postgres() { "PostgreSQL" } else { "SQLite" },
        args.shape.devices() / args.scale,
        args.shape,
        blocks,
    );
    Ok(())
}

/// Milliseconds of CPU of one sealing of all partitions, with nothing to seal.
async fn seal(site: &Site, bus: &Bus, rounds: u32) -> Result<f64> {
    let before = Usage::of(site)?;
    for _ in 0..rounds {
        for partition in 0..ingest::admin::partitions(bus).await? {
            ingest::admin::seal_now(bus, partition).await?;
        }
    }
    Ok(Usage::of(site)?.since(&before).cpu_seconds * 1e3 / f64::from(rounds))
}

/// Milliseconds of CPU of reading an hour of one device's track, among the hot frames of a minute.
async fn tracks(shape: Shape, site: &Site, devices: &[Device]) -> Result<f64> {
    let day = shape.days().0.start;
    let at = |hour: i64| Timestamp::from_millis(day * DAY_MS + hour * 3_600_000).to_rfc3339();
    let before = Usage::of(site)?;
    for device in devices {
        let path = format!("/api/v1/devices/{}/track?from={}&to={}", device.id, at(6), at(7));
        let found = site.get(&path).await?["items"].as_array().context("a track")?.len();
        anyhow::ensure!(found == 360, "{found} of 360 fixes found");
    }
    Ok(Usage::of(site)?.since(&before).cpu_seconds * 1e3 / devices.len() as f64)
}

/// Milliseconds of CPU of erasing a tenant.
async fn erase(site: &Site, db: &Database, tenant: TenantId) -> Result<f64> {
    let before = Usage::of(site)?;
    ingest::admin::erase_tenant(db, tenant).await?;
    Ok(Usage::of(site)?.since(&before).cpu_seconds * 1e3)
}

/// Writes history.
struct Fleet<'a> {
    db: &'a Database,
    partitions: u32,
}

impl Fleet<'_> {
    /// The devices that are read belong to `tenant`, and so does every hundredth of the others. How many blocks that were.
    async fn write(&self, args: &HistoryArgs, tenant: TenantId, read: &[Device]) -> Result<usize> {
        let (days, parts) = args.shape.days();
        let stranger = TenantId::new();
        let (mut devices, mut blocks) = (Vec::new(), BlockWriter::new(self.db));
        for number in 0..args.shape.devices() / args.scale {
            let whole = read.get(number);
            let (device, partition) = match whole {
                Some(device) => (device.id.parse()?, device.imei.partition(self.partitions)),
                None => (DeviceId::new(), number as u32 % self.partitions),
            };
            let tenant = if whole.is_some() || number % 100 == 0 { tenant } else { stranger };
            let owner = Owner { tenant, device, partition };
            devices.push(owner);
            for day in days.clone() {
                // Of the year, the devices that are read have one whole day: the first.
                let is_whole = whole.is_some() && day == days.start;
                let count = if is_whole { (DAY_MS / STEP_MS) as usize } else { SHORT };
                let positions = load::drive(number, day * DAY_MS, STEP_MS, count);
                for (part, positions) in positions.chunks(count.div_ceil(parts)).enumerate() {
                    blocks.push(owner, day, part, positions).await?;
                }
            }
        }
        blocks.flush().await?;
        self.hot(&devices).await?;
        blocks.note_days().await?;
        Ok(blocks.count)
    }

    /// A minute of hot frames, numbered far behind those that the program makes, so that it leaves them alone.
    async fn hot(&self, devices: &[Owner]) -> Result<()> {
        let now = Timestamp::now().millis();
        for partition in 0..self.partitions {
            let mine: Vec<_> = devices.iter().filter(|owner| owner.partition == partition).collect();
            let each = (mine.len() * 6).div_ceil(FRAMES);
            let mut builder = HotBuilder::default();
            let mut rows = Vec::new();
            for frame in 0..FRAMES {
                for row in 0..each {
                    let owner = mine[(frame * each + row) % mine.len()];
                    let position = load::drive(row, now + frame as i64 * 25, STEP_MS, 1);
                    builder.push(owner.tenant, owner.device, &position[0]);
                }
                // They reach from the first fix of the history to now, so that no read passes them by.
                let (seq, since) = (1_000_000_000 + frame as i64, now - 400 * DAY_MS);
                let values: [Value; 8] = [
                    (partition as i32).into(),
                    seq.into(),
                    0_i64.into(),
                    now.into(),
                    (each as i32).into(),
                    since.into(),
                    now.into(),
                    builder.finish().into(),
                ];
                rows.push(values.to_vec());
                if rows.len() == ROWS_AT_ONCE || frame + 1 == FRAMES {
                    let columns = "partition, seq, stream_seq, stream_ts, n, t_min, t_max, data";
                    insert(self.db, "hot_frame", columns, std::mem::take(&mut rows)).await?;
                }
            }
        }
        Ok(())
    }
}
