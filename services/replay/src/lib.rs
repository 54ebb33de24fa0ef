//! Publishes a recorded trace, as any gateway does: in frames, or one fix a message.

#![warn(missing_docs)]

mod pace;
mod register;
mod report;
mod shuffle;
mod trace;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use armada_gateway::{Form, Limits, Publisher};
use armada_proto::Timestamp;
use armada_runtime::{Bus, Code, Context, Database, error::one_line};
use armada_track::validate;
use clap::Args;

pub use self::{register::Registered, report::print_devices};

use self::{
    pace::{Pace, Speed},
    report::ReplayCounts,
    trace::{Trace, TraceSummary},
};
/// Frames that are published before the first of them must be answered, and single fixes.
const FRAMES_IN_FLIGHT: u32 = 64;
const FIXES_IN_FLIGHT: u32 = 1_000;
/// Rows of a frame.
const ROWS: usize = 1_000;
/// How long positions wait for others to share a frame with.
const BATCH_DELAY: Duration = Duration::from_millis(20);

/// How long NATS or the database may be away while a replay begins. Once it has begun, it waits for ever.
pub const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Pause before the beginning is tried again.
pub const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Publish a recorded trace.
#[derive(Args)]
pub struct ReplayArgs {
    /// The trace: CSV with the columns device, recorded_at, lat, lng, speed_kmh, course, extra (a JSON object, of which
    /// `ignition` and `alarm` are read as in a message of a gateway); `.gz` is unpacked.
    file: PathBuf,
    /// The tenant that gets the devices; by default the name of the file, or of its folder when it is called `norm`.
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Make the tenant and the devices first, as far as they are not there.
    #[arg(long)]
    register: bool,
    /// Make them, print `name,imei,device_id` for each device, and publish nothing.
    #[arg(long)]
    register_only: bool,
    /// How many times faster than recorded, or `max`.
    #[arg(long, default_value = "1", value_name = "N|max")]
    speed: Speed,
    /// Publish the rows in an order that this number decides.
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Publish one fix a message, in JSON, instead of frames of a thousand.
    #[arg(long)]
    single: bool,
    /// How many messages may be under way without an answer: by default 64 frames, or 1,000 fixes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    inflight: Option<u32>,
    /// The gateway's name in the subjects.
    #[arg(long, default_value = "replay", value_name = "NAME")]
    gateway: String,
}

/// A replay, from its file on.
pub struct Replay {
    args: ReplayArgs,
    summary: TraceSummary,
}

impl Replay {
    /// Looks through the whole file.
    pub fn open(args: ReplayArgs) -> Result<Self> {
        ensure!(
            args.shuffle.is_none() || args.speed == Speed::Max,
            "shuffled rows have no order in time: --shuffle needs --speed max"
        );
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        ensure!(
            !args.gateway.is_empty() && args.gateway.chars().all(plain),
            "--gateway: letters, digits, - and _ only"
        );
        let summary = trace::scan_trace(&args.file)?;
        Ok(Self { args, summary })
    }

    /// Whether [`register`](Self::register) comes first.
    pub fn registers(&self) -> bool {
        self.args.register || self.args.register_only
    }

    /// Makes the tenant and the devices, as far as they are not there, through identity and fleet. What was made before
    /// something went away is found again.
    pub async fn register(&self, context: &Context) -> Result<Vec<Registered>> {
        let tenant = self.args.tenant.clone().unwrap_or_else(|| trace::default_tenant(&self.args.file));
        register::register(context, &tenant, &self.summary.devices).await
    }

    /// Whether the devices are to be made and printed, and nothing else.
    pub fn only_registers(&self) -> bool {
        self.args.register_only
    }

    /// Publishes over a connection to the account of `gateways`, and says what came of it; `ingest` is the database of
    /// position-ingest.
    pub async fn publish(&self, bus: &Bus, gateways: &Bus, ingest: &Database) -> Result<()> {
        let before = report::refused(ingest).await?;
        let tally = publish(&self.args, gateways, &self.summary).await?;
        report::print(&tally, bus, ingest, &before).await;
        Ok(())
    }
}

/// Tries again while NATS or the database is away; any other failure is final.
pub async fn with_retries<T>(attempt: impl AsyncFn() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    loop {
        match attempt().await {
            Err(error) if is_away(&error) && started.elapsed() < START_TIMEOUT => {
                eprintln!("will try again: {}", one_line(error.as_ref()));
                tokio::time::sleep(RETRY_DELAY).await;
            }
            outcome => return outcome,
        }
    }
}

fn is_away(error: &anyhow::Error) -> bool {
    let own = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<armada_runtime::Error>().is_some_and(|error| error.class == Code::Unavailable)
    };
    error.chain().any(own)
}

/// How the arguments want it published.
fn form(args: &ReplayArgs) -> Form {
    match args.single {
        true => Form::Single(args.inflight.unwrap_or(FIXES_IN_FLIGHT) as usize),
        false => Form::Frames(Limits { rows: ROWS, window: args.inflight.unwrap_or(FRAMES_IN_FLIGHT) as usize }),
    }
}

async fn publish(args: &ReplayArgs, bus: &Bus, summary: &TraceSummary) -> Result<ReplayCounts> {
    let mut publisher = with_retries(async || Publisher::new(bus, &args.gateway, form(args)).await).await?;
    let progress = report::watch(publisher.counts(), summary.rows);
    let mut tally = ReplayCounts::default();
    let mut pace = Pace::new(args.speed, BATCH_DELAY);
    let mut trace = Trace::open(&args.file)?;
    let mut shuffled = args.shuffle.map(|seed| shuffle::all(&mut trace, seed)).transpose()?;
    loop {
        let row = match &mut shuffled {
            Some(rows) => rows.next(),
            None => trace.next_row()?,
        };
        let Some(row) = row else { break };
        tally.rows += 1;
        match row {
            Ok(row) => {
                // A fix from the future will be refused; it must not hold up the others until it is due.
                let plausible = validate(&row.report, Timestamp::now().millis()).is_ok();
                if plausible && pace.is_early(row.report.recorded_at) {
                    publisher.flush().await?;
                    pace.wait(row.report.recorded_at).await;
                }
                publisher.push(row.imei, &row.report).await?;
            }
            Err(reason) => *tally.refused.entry(reason).or_default() += 1,
        }
    }
    tally.last_sequence = publisher.finish().await?;
    progress.abort();
    tally.counts = publisher.counts().read();
    Ok(tally)
}
