//! `armada-bench history`: what sealing, erasing and reading cost once there is much history. A fleet of many devices and
//! one day, or of fewer and a year, is written straight into the database of a program that runs on its own; what the
//! program uses meanwhile is read from `/proc`. How much room history takes is measured apart (`room.rs`).

use std::time::Instant;

use anyhow::{Context as _, Result};
use armada_position_ingest as ingest;
use armada_proto::{DeviceId, TenantId, Timestamp};
use armada_runtime::{Bus, Database, Scope};
use armada_track::{BlockSummary, HotBuilder, Position, encode_block};
use clap::{Args, ValueEnum};
use sea_orm::{ConnectionTrait, Statement, Value};

use crate::{
    devices::{self, Device},
    load,
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
/// Rows of one insert statement.
const ROWS_AT_ONCE: usize = 500;
/// Sealings that are measured, of all partitions each.
const ROUNDS: u32 = 10;

/// What is measured.
#[derive(Args)]
pub struct HistoryArgs {
    /// Many devices and a day, or fewer and a year; or what days take that went the whole way.
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
    let mut site = Site::start(target).await?;
    let measured = match args.shape {
        Shape::Day | Shape::Year => measure(args, &site).await,
        Shape::Sealed => room::measure(&site, args.scale).await,
    };
    site.stop().await?;
    measured
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn measure(args: &HistoryArgs, site: &Site) -> Result<()> {
    let bus = Bus::connect(&site.nats_url()?, "armada-bench").await?;
    let db = Database::open(&site.location(), ingest::NAME).await?;
    let names: Vec<String> = (0..READ).map(|number| format!("read-{number}")).collect();
    let read = devices::register(site, &names)?;
    let device = site.get(&format!("/api/v1/devices/{}", read[0].id)).await?;
    let tenant: TenantId = device["tenant_id"].as_str().context("a tenant")?.parse()?;
    let mut fleet =
        Fleet { db: &db, partitions: ingest::streams::partitions(&bus).await?, rows: Vec::new(), blocks: 0 };
    let began = Instant::now();
    fleet.write(args, tenant, &read).await?;
    eprintln!("{} blocks written within {:?}", fleet.blocks, began.elapsed());

    let first = seal(site, &bus, 1).await?;
    let usual = seal(site, &bus, ROUNDS).await?;
    for _ in 0..ERASED {
        ingest::erase_tenant(&db, TenantId::new()).await?;
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
        fleet.blocks,
    );
    Ok(())
}

/// Milliseconds of CPU of one sealing of all partitions, with nothing to seal.
async fn seal(site: &Site, bus: &Bus, rounds: u32) -> Result<f64> {
    let before = Usage::of(site)?;
    for _ in 0..rounds {
        for partition in 0..ingest::streams::partitions(bus).await? {
            ingest::seal_now(bus, partition).await?;
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
    ingest::erase_tenant(db, tenant).await?;
    Ok(Usage::of(site)?.since(&before).cpu_seconds * 1e3)
}

/// Writes history.
struct Fleet<'a> {
    db: &'a Database,
    partitions: u32,
    rows: Vec<[Value; 10]>,
    blocks: usize,
}

impl Fleet<'_> {
    /// The devices that are read belong to `tenant`, and so does every hundredth of the others.
    async fn write(&mut self, args: &HistoryArgs, tenant: TenantId, read: &[Device]) -> Result<()> {
        let (days, parts) = args.shape.days();
        let stranger = TenantId::new();
        let mut devices = Vec::new();
        for number in 0..args.shape.devices() / args.scale {
            let whole = read.get(number);
            let (device, partition) = match whole {
                Some(device) => (device.id.parse()?, device.imei.partition(self.partitions)),
                None => (DeviceId::new(), number as u32 % self.partitions),
            };
            let tenant = if whole.is_some() || number % 100 == 0 { tenant } else { stranger };
            devices.push((tenant, device, partition));
            for day in days.clone() {
                // Of the year, the devices that are read have one whole day: the first.
                let is_whole = whole.is_some() && day == days.start;
                let count = if is_whole { (DAY_MS / STEP_MS) as usize } else { SHORT };
                let positions = load::drive(number, day * DAY_MS, STEP_MS, count);
                for (part, positions) in positions.chunks(count.div_ceil(parts)).enumerate() {
                    self.block(tenant, device, day, partition, part, positions).await?;
                }
            }
        }
        self.flush().await?;
        self.hot(&devices).await?;
        // What sealing itself would have noted; the versions before have no such table.
        let noted = "INSERT INTO compaction_backlog (partition, day) SELECT DISTINCT partition, day FROM track_block";
        if let Err(error) = self.execute(noted, Vec::new()).await {
            eprintln!("no backlog of compaction: {error:#}");
        }
        Ok(())
    }

    async fn block(
        &mut self,
        tenant: TenantId,
        device: DeviceId,
        day: i64,
        partition: u32,
        part: usize,
        positions: &[Position],
    ) -> Result<()> {
        let summary = BlockSummary::of(positions).context("positions")?;
        self.rows.push([
            tenant.0.into(),
            device.0.into(),
            (day as i32).into(),
            (partition as i32).into(),
            (part as i64 + 1).into(),
            summary.t_start.into(),
            summary.t_end.into(),
            (summary.n as i32).into(),
            summary.encode().into(),
            encode_block(positions).into(),
        ]);
        self.blocks += 1;
        if self.rows.len() == ROWS_AT_ONCE { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let columns = "tenant_id, device_id, day, partition, seq, t_start, t_end, n, summary, data";
        insert(self, "track_block", columns, rows.into_iter().map(Vec::from).collect()).await
    }

    /// A minute of hot frames, numbered far behind those that the program makes, so that it leaves them alone.
    async fn hot(&self, devices: &[(TenantId, DeviceId, u32)]) -> Result<()> {
        let now = Timestamp::now().millis();
        for partition in 0..self.partitions {
            let mine: Vec<_> = devices.iter().filter(|(_, _, other)| *other == partition).collect();
            let each = (mine.len() * 6).div_ceil(FRAMES);
            let mut builder = HotBuilder::default();
            let mut rows = Vec::new();
            for frame in 0..FRAMES {
                for row in 0..each {
                    let (tenant, device, _) = mine[(frame * each + row) % mine.len()];
                    let position = load::drive(row, now + frame as i64 * 25, STEP_MS, 1);
                    builder.push(*tenant, *device, &position[0]);
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
                    insert(self, "hot_frame", columns, std::mem::take(&mut rows)).await?;
                }
            }
        }
        Ok(())
    }

    async fn execute(&self, sql: &str, values: Vec<Value>) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        tx.execute_raw(Statement::from_sql_and_values(self.db.backend(), sql, values)).await?;
        Ok(tx.commit().await?)
    }
}

async fn insert(fleet: &Fleet<'_>, table: &str, columns: &str, rows: Vec<Vec<Value>>) -> Result<()> {
    let Some(width) = rows.first().map(Vec::len) else { return Ok(()) };
    let places = |row: usize| {
        let numbers: Vec<String> = (1..=width).map(|column| format!("${}", row * width + column)).collect();
        format!("({})", numbers.join(", "))
    };
    let places: Vec<String> = (0..rows.len()).map(places).collect();
    let sql = format!("INSERT INTO {table} ({columns}) VALUES {}", places.join(", "));
    fleet.execute(&sql, rows.into_iter().flatten().collect()).await
}
