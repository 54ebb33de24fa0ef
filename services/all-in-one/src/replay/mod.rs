//! `armada replay`: publishes a recorded trace through the frame door, as any gateway that batches does.

mod pace;
pub(crate) mod register;
mod report;
mod shuffle;
mod trace;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use armada_proto::Timestamp;
use armada_runtime::{Bus, Code};
use armada_track::validate;
use clap::Args;

use self::{
    pace::{Pace, Speed},
    report::Tally,
    trace::{Survey, Trace},
};
use crate::{
    config::Config,
    data_dir,
    frames::{FramePublisher, Limits},
    ingest::IngestData,
    nats::Nats,
};

/// Frames that are published before the first of them must be acknowledged.
const WINDOW: usize = 64;
/// How long positions wait for others to share a frame with.
const LINGER: Duration = Duration::from_millis(20);

/// How long NATS or the database may be away while a replay begins. Once it has begun, it waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause before the beginning is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// Publish a recorded trace.
#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The trace: CSV with the columns device, recorded_at, lat, lng, speed_kmh, course, extra; `.gz` is unpacked.
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
    /// The gateway's name in the subjects.
    #[arg(long, default_value = "replay", value_name = "NAME")]
    gateway: String,
}

/// Registers, publishes, and says what came of it.
pub(crate) async fn run(args: ReplayArgs, config: &Config) -> Result<()> {
    ensure!(
        args.shuffle.is_none() || args.speed == Speed::Max,
        "shuffled rows have no order in time: --shuffle needs --speed max"
    );
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    ensure!(!args.gateway.is_empty() && args.gateway.chars().all(plain), "--gateway: letters, digits, - and _ only");
    let survey = trace::survey(&args.file)?;
    if config.needs_data_dir(true) {
        data_dir::create(&config.data_dir)?;
    }
    let nats = nats(config).await?;
    let bus = patiently(async || nats.connect("armada-replay").await).await?;
    if args.register || args.register_only {
        let tenant = args.tenant.clone().unwrap_or_else(|| trace::default_tenant(&args.file));
        // What was made before something went away is found again.
        let devices = patiently(async || register::register(config, &bus, &tenant, &survey.devices).await).await?;
        if args.register_only {
            return report::print_devices(&devices);
        }
    }
    let ingest = IngestData::open(config).await?;
    let before = ingest.refused().await?;
    let tally = publish(&args, &bus, &survey).await?;
    report::print(&tally, &ingest, &before).await;
    Ok(())
}

/// The server that it is told, or that of a running Armada. Where one runs whose server is away for a moment, a second
/// server on the same files would only be in its way.
async fn nats(config: &Config) -> Result<Nats> {
    let started = Instant::now();
    loop {
        match Nats::running(config) {
            Ok(nats) => return Ok(nats),
            Err(_) if data_dir::Lock::is_taken(&config.data_dir) && started.elapsed() < PATIENCE => {
                tokio::time::sleep(AGAIN).await;
            }
            Err(_) => return Nats::running_or_own(config),
        }
    }
}

/// Tries again while NATS or the database is away; any other failure is final.
async fn patiently<T>(attempt: impl AsyncFn() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    loop {
        match attempt().await {
            Err(error) if is_away(&error) && started.elapsed() < PATIENCE => {
                eprintln!("will try again: {}", crate::one_line(&error));
                tokio::time::sleep(AGAIN).await;
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

async fn publish(args: &ReplayArgs, bus: &Bus, survey: &Survey) -> Result<Tally> {
    let limits = Limits { rows: 1_000, window: WINDOW };
    let mut publisher = patiently(async || FramePublisher::new(bus, &args.gateway, limits).await).await?;
    let progress = report::watch(publisher.counts(), survey.rows);
    let mut tally = Tally::default();
    let mut pace = Pace::new(args.speed, LINGER);
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
    tally.last_sequences = publisher.finish().await?;
    progress.abort();
    tally.counts = publisher.counts().read();
    Ok(tally)
}
