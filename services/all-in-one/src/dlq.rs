//! `armada dlq`: what could not be taken in, and another try for it.

use std::io::IsTerminal;

use anyhow::Result;
use armada_position_ingest::admin;
use armada_runtime::Bus;
use armada_track::Reject;
use clap::{Args, Subcommand};

use crate::{config::Config, nats::Nats};

/// How many are read at a time.
const PAGE: usize = 500;

/// Show dead letters, or publish them again.
#[derive(Subcommand)]
pub(crate) enum DlqCommand {
    /// List the newest first: sequence, time, reason, gateway, IMEI, positions, bytes.
    List {
        #[command(flatten)]
        which: Which,
        /// How many at most.
        #[arg(long, default_value_t = 100)]
        limit: usize,
    },
    /// Publish them again where they came from; what is still wrong with them comes back.
    Replay {
        #[command(flatten)]
        which: Which,
    },
}

/// Which ones.
#[derive(Args)]
pub(crate) struct Which {
    /// Only those refused for this reason, e.g. `unknown_device`.
    #[arg(long)]
    reason: Option<Reject>,
}

/// Lists or replays.
pub(crate) async fn run(command: DlqCommand, config: &Config) -> Result<()> {
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-dlq").await?;
    match command {
        DlqCommand::List { which, limit } => list(&bus, which.reason, limit).await,
        DlqCommand::Replay { which } => {
            replay(&bus, &nats.connect_to_gateways("armada-dlq").await?, which.reason).await
        }
    }
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn list(bus: &Bus, reason: Option<Reject>, limit: usize) -> Result<()> {
    let (mut before, mut left) = (None, limit);
    loop {
        let page = admin::list_dead_letters(bus, reason, before, left.min(PAGE)).await?;
        for item in &page.items {
            let received = item.received_at.unwrap_or_default().to_rfc3339();
            let (seq, reason, gateway, imei) = (item.seq, &item.reason, &item.gateway, &item.imei);
            println!(
                "{seq:>8}  {received:<24}  {reason:<22}  {gateway:<12}  {imei:<15}  {:>5}  {:>8}",
                item.count, item.size
            );
        }
        left -= page.items.len();
        before = page.next_before;
        if left == 0 || before.is_none() {
            eprintln!("{} of {} dead letters", limit - left, page.total);
            return Ok(());
        }
    }
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn replay(bus: &Bus, gateways: &Bus, reason: Option<Reject>) -> Result<()> {
    let shown = std::io::stderr().is_terminal();
    let played = admin::replay_dead_letters(bus, gateways, reason, |played| {
        if shown && played % 100 == 0 {
            eprint!("\r{played} published again");
        }
    });
    let played = played.await?;
    if shown {
        eprint!("\r");
    }
    println!("{played} dead letters published again");
    Ok(())
}
