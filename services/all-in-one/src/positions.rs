//! `armada positions`: what is done to the stream of positions.

use anyhow::{Result, ensure};
use armada_position_ingest::{self as ingest, admin::Consumers};
use armada_proto::Timestamp;
use armada_runtime::{Bus, Database};
use clap::Subcommand;

use crate::{config::Config, nats::Nats};

/// Work on the stream of positions.
#[derive(Subcommand)]
pub(crate) enum PositionsCommand {
    /// Accept a stream RAW that was made anew, or that lost its end, as a new beginning. What is stored stays.
    AdoptStream,
    /// Show or remove those for whom messages of RAW and POSITIONS are kept.
    #[command(subcommand)]
    Consumers(ConsumersCommand),
}

/// Work on the consumers that are registered.
#[derive(Subcommand)]
pub(crate) enum ConsumersCommand {
    /// List stream, consumer, partition, the next sequence that it needs, and seconds since it was last heard of.
    List,
    /// Forget one that is retired: nothing is kept for it any more. One that still runs registers again.
    Remove {
        /// RAW or POSITIONS.
        stream: String,
        /// Its name.
        consumer: String,
    },
}

/// Does it.
pub(crate) async fn run(command: PositionsCommand, config: &Config) -> Result<()> {
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-positions").await?;
    match command {
        PositionsCommand::AdoptStream => adopt_stream(config, &bus).await,
        PositionsCommand::Consumers(command) => consumers(command, &bus).await,
    }
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn consumers(command: ConsumersCommand, bus: &Bus) -> Result<()> {
    let consumers = Consumers::open(bus).await?;
    match command {
        ConsumersCommand::List => {
            for mark in consumers.list().await? {
                let silent = (Timestamp::now().millis() - mark.heard.millis()).max(0) / 1000;
                let (stream, consumer, partition, next) = (&mark.stream, &mark.consumer, mark.partition, mark.next);
                println!("{stream:<10}  {consumer:<20}  {partition:>4}  {next:>12}  {silent:>8} s");
            }
        }
        ConsumersCommand::Remove { stream, consumer } => {
            ensure!(consumers.remove(&stream, &consumer).await? > 0, "{stream} has no consumer {consumer}");
            println!("{consumer} of {stream} is forgotten");
        }
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn adopt_stream(config: &Config, bus: &Bus) -> Result<()> {
    let db = Database::open(&config.location(), ingest::NAME).await?;
    let partitions = ingest::admin::adopt_stream(bus, &db, &config.position_ingest).await?;
    println!("{partitions} partitions begin anew with the stream as it is");
    Ok(())
}
