//! `armada history`: what is done to the stored positions.

use anyhow::Result;
use armada_position_ingest as ingest;
use clap::Subcommand;

use crate::{config::Config, nats::Nats};

/// Work on stored positions.
#[derive(Subcommand)]
pub(crate) enum HistoryCommand {
    /// Seal the recent positions into blocks now, instead of within a minute. Needs a running Armada.
    Seal,
}

/// Asks the owner of each partition.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) async fn run(command: HistoryCommand, config: &Config) -> Result<()> {
    let HistoryCommand::Seal = command;
    let nats = Nats::running(config)?;
    let bus = nats.connect("armada-history").await?;
    let mut total = 0;
    for partition in 0..config.position_ingest.partitions {
        total += ingest::seal_now(&bus, partition).await?;
    }
    println!("{total} positions sealed");
    Ok(())
}
