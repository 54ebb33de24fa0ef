//! `armada positions`: what is done to the stream of positions.

use anyhow::Result;
use armada_position_ingest as ingest;
use clap::Subcommand;

use crate::{config::Config, ingest::IngestData, nats::Nats};

/// Work on the stream of positions.
#[derive(Subcommand)]
pub(crate) enum PositionsCommand {
    /// Accept a stream RAW that was made anew, or that lost its end, as a new beginning. What is stored stays.
    AdoptStream,
}

/// Adopts it.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) async fn run(command: PositionsCommand, config: &Config) -> Result<()> {
    let PositionsCommand::AdoptStream = command;
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-positions").await?;
    let ingest = IngestData::open(config).await?;
    let partitions = ingest::adopt_stream(&bus, ingest.database(), &config.position_ingest).await?;
    println!("{partitions} partitions begin anew with the stream as it is");
    Ok(())
}
