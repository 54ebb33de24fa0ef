//! How long a month of history takes to be read at the edge: the track of one vehicle with a fix every ten seconds, as the
//! console asks for it, and the trips and stops of a thousand others, for which every block of theirs is read. All of it is
//! sealed, and the program has just been started when the first of it is asked for. At last a browser opens the track of the
//! first (`web-console/bench/playback.bench.ts`).

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use armada_position_ingest as ingest;
use armada_proto::{Timestamp, v1::TrackColumns};
use armada_runtime::{Bus, Database};
use armada_track::split_by_utc_day;
use futures::{StreamExt, TryStreamExt, stream};
use prost::Message;

use crate::{
    blocks::{BlockWriter, Owner},
    browser,
    devices::{self, Device},
    load,
    report::{add_rows, machine},
    site::Site,
    usage::Usage,
};

/// How the head of its table begins.
const TABLE: &str = "| date | machine | database | fixes of one vehicle, of the others";
const DAY_MS: i64 = 24 * 3600 * 1000;
const DAYS: i64 = 30;
/// Milliseconds between two fixes of the vehicle whose track is read, and of the others.
const STEP_MS: i64 = 10_000;
const OTHERS_STEP_MS: i64 = 60_000;
const OTHERS: usize = 1_000;
/// How often the track is read.
const READS: usize = 20;
/// Vehicles that are scanned at a time: as many as a tenant has turns for what is heavy.
const AT_ONCE: usize = 4;

/// Limits under which one user may ask for the history of a thousand vehicles within seconds.
pub fn settings() -> Vec<(&'static str, String)> {
    let limits = [
        "ARMADA_BFF__LIMITS__USER_RATE",
        "ARMADA_BFF__LIMITS__USER_BURST",
        "ARMADA_BFF__LIMITS__ADDRESS_RATE",
        "ARMADA_BFF__LIMITS__ADDRESS_BURST",
    ];
    limits.map(|name| (name, "1000000".to_owned())).into()
}

/// Prints a line and adds it to docs/BENCHMARKS.md; `scale` divides the number of the others.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub async fn measure(site: &mut Site, scale: usize) -> Result<()> {
    let others = (OTHERS / scale.max(1)).max(1);
    let names: Vec<String> = (0..=others).map(|number| format!("month-{number:04}")).collect();
    let devices = devices::register(site, &names).await?;
    let span = Span::until_today();
    let began = Instant::now();
    let fixes = write(site, &devices, span).await?;
    eprintln!("{} and {} fixes written within {:?}", fixes.one, fixes.others, began.elapsed());
    site.restart().await?;
    let token = site.token().await?;
    let (one, others) = devices.split_first().context("devices")?;
    let path = format!("/api/v1/devices/{}/track?{}&format=columns", one.id, span.query());
    let packed = reads(site, &token, &path, "gzip").await?;
    let plain = reads(site, &token, &path, "identity").await?;
    let track = TrackColumns::decode(plain.body.as_slice())?;
    ensure!(track.complete, "the track is not whole");
    ensure!(track.recorded_at.len() == fixes.one, "{} of {} fixes found", track.recorded_at.len(), fixes.one);
    let scan = scan(site, &token, others, span).await?;
    eprintln!("{} trips and stops of {} vehicles", scan.segments, others.len());
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let line = format!(
        "| {} | {} | {} | {}, {} | {:.0} ms; {:.0} ms, {:.0} ms | {:.0} kB | {:.0} ms, {:.0} ms | {:.1} s, {:.1} s |",
        &Timestamp::now().to_rfc3339()[..10],
        machine(),
        if site.is_postgres() { "PostgreSQL" } else { "SQLite" },
        fixes.one,
        fixes.others,
        ms(packed.first),
        ms(packed.at(0.5)),
        ms(packed.at(0.95)),
        packed.body.len() as f64 / 1e3,
        ms(plain.at(0.5)),
        ms(plain.at(0.95)),
        scan.took.as_secs_f64(),
        scan.cpu_seconds,
    );
    println!("{line}");
    add_rows(TABLE, vec![line])?;
    let settings = [
        ("ARMADA_BENCH_VEHICLE", names[0].clone().into()),
        ("ARMADA_BENCH_FIXES", fixes.one.to_string().into()),
        ("ARMADA_BENCH_FROM", date(span.first).into()),
        ("ARMADA_BENCH_TO", date(span.end).into()),
    ];
    browser::run(site, "playback.bench.ts", settings).await
}

/// A day since 1970 as a date.
fn date(day: i64) -> String {
    Timestamp::from_millis(day * DAY_MS).to_rfc3339()[..10].to_owned()
}

/// The days that are read, since 1970: the thirty before today.
#[derive(Clone, Copy)]
struct Span {
    first: i64,
    end: i64,
}

impl Span {
    fn until_today() -> Self {
        let end = Timestamp::now().millis().div_euclid(DAY_MS);
        Self { first: end - DAYS, end }
    }

    /// As it stands in an address.
    fn query(self) -> String {
        let at = |day: i64| Timestamp::from_millis(day * DAY_MS).to_rfc3339();
        format!("from={}&to={}", at(self.first), at(self.end))
    }
}

/// Fixes that were written: of the first vehicle, and of all others.
struct Fixes {
    one: usize,
    others: usize,
}

/// Writes a block for each day of each vehicle, as sealing leaves them.
async fn write(site: &Site, devices: &[Device], span: Span) -> Result<Fixes> {
    let tenant = devices::tenant_of(site, devices.first().context("devices")?).await?;
    let partitions = {
        let bus = Bus::connect(&site.nats_url()?, "armada-bench").await?;
        ingest::admin::partitions(&bus).await?
    };
    let db = Database::open(&site.location(), ingest::NAME).await?;
    let (mut blocks, mut fixes) = (BlockWriter::new(&db), Fixes { one: 0, others: 0 });
    for (number, device) in devices.iter().enumerate() {
        let owner = Owner { tenant, device: device.id.parse()?, partition: device.imei.partition(partitions) };
        let step = if number == 0 { STEP_MS } else { OTHERS_STEP_MS };
        let positions = load::drive(number, span.first * DAY_MS, step, (DAYS * DAY_MS / step) as usize);
        for (day, positions) in split_by_utc_day(&positions) {
            blocks.push(owner, day, 0, positions).await?;
        }
        *if number == 0 { &mut fixes.one } else { &mut fixes.others } += positions.len();
    }
    blocks.flush().await?;
    blocks.note_days().await?;
    db.close().await?;
    Ok(fixes)
}

/// How long reading took, again and again.
struct Reads {
    first: Duration,
    sorted: Vec<Duration>,
    /// The last answer.
    body: Vec<u8>,
}

impl Reads {
    fn at(&self, share: f64) -> Duration {
        let place = (self.sorted.len() as f64 * share) as usize;
        self.sorted.get(place.min(self.sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

/// Asks for a path, one time after the other, until each answer has come as a whole.
async fn reads(site: &Site, token: &str, path: &str, encoding: &str) -> Result<Reads> {
    let (mut times, mut body) = (Vec::with_capacity(READS), Vec::new());
    for _ in 0..READS {
        let started = Instant::now();
        body = site.read(path, token, encoding).await?;
        times.push(started.elapsed());
    }
    let first = times.first().copied().unwrap_or_default();
    times.sort();
    Ok(Reads { first, sorted: times, body })
}

/// What came of reading all that there is of many vehicles.
struct Scan {
    took: Duration,
    /// CPU of everything but the load.
    cpu_seconds: f64,
    segments: usize,
}

/// The trips and stops of vehicles, a few of them at a time: nothing answers for many vehicles at once.
async fn scan(site: &Site, token: &str, devices: &[Device], span: Span) -> Result<Scan> {
    let query = span.query();
    let (before, started) = (Usage::of(site)?, Instant::now());
    let counts = stream::iter(devices).map(|device| {
        let path = format!("/api/v1/devices/{}/track/segments?{query}", device.id);
        async move {
            let answer = site.get_with(&path, token).await?;
            let found = answer["items"].as_array().map_or(0, Vec::len);
            ensure!(found > 0, "nothing was found of {}", device.id);
            anyhow::Ok(found)
        }
    });
    let counts: Vec<usize> = counts.buffer_unordered(AT_ONCE).try_collect().await?;
    let (took, used) = (started.elapsed(), Usage::of(site)?.since(&before));
    Ok(Scan { took, cpu_seconds: used.cpu_seconds - used.load_seconds, segments: counts.iter().sum() })
}
