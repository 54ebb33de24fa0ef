//! `armada history`: what is done to the stored positions.

mod verify;

use anyhow::Result;
use armada_position_ingest as ingest;
use armada_proto::TenantId;
use clap::Subcommand;

use crate::{config::Config, nats::Nats};

/// Work on stored positions.
#[derive(Subcommand)]
pub(crate) enum HistoryCommand {
    /// Seal the recent positions into blocks now, instead of within a minute. Needs a running Armada.
    Seal,
    /// Read all that is stored and tell what is wrong with it, in a table and a line for each problem; the exit code is 1
    /// when there is any. Changes nothing, and may run beside Armada or without it.
    Verify(verify::VerifyArgs),
    /// Have odometers, engine time, days and trips of all vehicles derived anew from the first fix that is kept. A running Armada
    /// begins within half a minute, and does one vehicle after the other.
    Derive {
        /// The vehicles of one tenant alone.
        #[arg(long, value_name = "ID")]
        tenant: Option<TenantId>,
    },
}

/// Does it.
pub(crate) async fn run(command: HistoryCommand, config: &Config) -> Result<()> {
    match command {
        HistoryCommand::Seal => seal(config).await,
        HistoryCommand::Verify(args) => verify::run(args, config).await,
        HistoryCommand::Derive { tenant } => derive(tenant, config).await,
    }
}

/// Notes them for the owners of their partitions.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn derive(tenant: Option<TenantId>, config: &Config) -> Result<()> {
    let db = verify::open(config).await?;
    let devices = ingest::admin::derive_all(&db, tenant).await?;
    println!("{devices} vehicles are to be derived anew");
    Ok(())
}

/// Asks the owner of each partition.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn seal(config: &Config) -> Result<()> {
    let nats = Nats::running(config)?;
    let bus = nats.connect("armada-history").await?;
    let mut total = 0;
    for partition in 0..config.position_ingest.partitions {
        total += ingest::admin::seal_now(&bus, partition).await?;
    }
    println!("{total} positions sealed");
    Ok(())
}
