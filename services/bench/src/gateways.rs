//! `armada-bench gateways`: many connections of a gateway that come at once, and come back at once when the NATS server has
//! died. Each waits until identity has said that it may.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use clap::Args;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;
use tokio::{sync::Notify, task::JoinSet};

use crate::{
    connections::Connection,
    site::{Site, Target},
    usage::{self, Usage},
};

const GATEWAY: &str = "storm";
/// How long one waits that was refused: from this to twice as long.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// How many.
#[derive(Args)]
pub struct GatewaysArgs {
    /// Connections.
    #[arg(long, default_value_t = 10_000)]
    connections: usize,
}

/// Prints how long it took until all were let in.
#[allow(clippy::print_stdout, reason = "what came of it is what the command is for")]
pub async fn run(args: &GatewaysArgs, target: &Target) -> Result<()> {
    let mut site = Site::start(target).await?;
    let measured = measure(&site, args.connections).await;
    site.stop().await?;
    println!(
        "{:<12}{:>14}{:>12}{:>12}{:>16}{:>17}",
        "", "connections", "seconds", "attempts", "broker µs each", "program µs each"
    );
    for (what, storm) in ["first", "again"].into_iter().zip(measured?) {
        let each = |seconds: f64| seconds * 1e6 / args.connections as f64;
        println!(
            "{what:<12}{:>14}{:>12.1}{:>12}{:>16.0}{:>17.0}",
            args.connections,
            storm.took.as_secs_f64(),
            storm.attempts,
            each(storm.usage.broker_seconds),
            each(storm.usage.program_seconds),
        );
    }
    Ok(())
}

struct ConnectResult {
    took: Duration,
    attempts: usize,
    usage: Usage,
}

/// What all connections of a measurement have in common.
#[derive(Default)]
struct Progress {
    /// Those that were let in, again and again: one that is lost and comes back counts twice.
    admitted: AtomicUsize,
    attempts: AtomicUsize,
    changed: Notify,
}

async fn measure(site: &Site, count: usize) -> Result<[ConnectResult; 2]> {
    let token = site.token().await?;
    let made = site.post("/api/v1/gateways", Some(&token), json!({ "name": GATEWAY }).to_string()).await?;
    let secret: Arc<str> = made["secret"].as_str().context("a secret")?.into();
    let (progress, address): (Arc<Progress>, Arc<str>) = (Arc::default(), site.nats_address().into());
    let before = Usage::of(site)?;
    let started = Instant::now();
    let mut connections = JoinSet::new();
    for number in 0..count {
        connections.spawn(keep_open(progress.clone(), address.clone(), secret.clone(), number));
    }
    let first = connect_all(site, &progress, count, started, before).await?;
    let attempts = progress.attempts.load(Ordering::Relaxed);
    let before = Usage::of(site)?;
    let server = usage::child_of(site.pid()).context("a nats-server")?;
    let started = Instant::now();
    kill(Pid::from_raw(server), Signal::SIGKILL)?;
    // The server that comes instead begins at nothing, and so does what it uses.
    let before = Usage { broker_seconds: 0.0, ..before };
    let mut again = connect_all(site, &progress, 2 * count, started, before).await?;
    again.attempts -= attempts;
    connections.abort_all();
    Ok([first, again])
}

async fn connect_all(
    site: &Site,
    progress: &Progress,
    wanted: usize,
    started: Instant,
    before: Usage,
) -> Result<ConnectResult> {
    while progress.admitted.load(Ordering::Relaxed) < wanted {
        progress.changed.notified().await;
    }
    let (took, usage) = (started.elapsed(), Usage::of(site)?.since(&before));
    Ok(ConnectResult { took, attempts: progress.attempts.load(Ordering::Relaxed), usage })
}

async fn keep_open(progress: Arc<Progress>, address: Arc<str>, secret: Arc<str>, number: usize) {
    loop {
        progress.attempts.fetch_add(1, Ordering::Relaxed);
        if let Ok(connection) = Connection::open_as(&address, GATEWAY, &secret).await {
            progress.admitted.fetch_add(1, Ordering::Relaxed);
            progress.changed.notify_one();
            connection.until_closed().await;
        }
        tokio::time::sleep(RETRY_DELAY + RETRY_DELAY.mul_f64((number % 100) as f64 / 100.0)).await;
    }
}
