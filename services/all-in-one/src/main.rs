//! Armada in one program: all services or some of them, and the tools around them.

mod backup;
mod config;
mod data_dir;
mod dlq;
mod erasures;
mod healthcheck;
mod history;
mod http;
mod migrate;
mod nats;
mod openapi;
mod owner;
mod positions;
mod replay;
mod reseal;
mod run;
mod seed;
mod services;
mod wait_args;

use std::{path::PathBuf, process::ExitCode};

use armada_replay::ReplayArgs;
use armada_runtime::{error::one_line, telemetry::Telemetry, trust};
use clap::{Parser, Subcommand};

use crate::config::Config;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Armada tracks fleets of vehicles.
#[derive(Parser)]
#[command(version, disable_help_subcommand = false)]
struct Cli {
    /// A TOML file with a section per service; environment variables win over it.
    #[arg(long, env = "ARMADA_CONFIG", global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the services.
    Run(run::RunArgs),
    /// Make or update schemas, streams and buckets.
    Migrate(wait_args::WaitArgs),
    /// Ask the admin port of the process beside this one whether it serves.
    Healthcheck,
    /// Print the OpenAPI document.
    Openapi,
    /// Make what there is to look at, or take it away.
    Seed(seed::SeedArgs),
    /// Publish a recorded trace.
    Replay(ReplayArgs),
    /// Show dead letters, or publish them again.
    #[command(subcommand)]
    Dlq(dlq::DlqCommand),
    /// Make platform owners, or let them in again.
    #[command(subcommand)]
    Owner(owner::OwnerCommand),
    /// Copy all that is stored into a folder, while Armada runs or not.
    Backup(backup::BackupArgs),
    /// Put a backup in the place of what is stored, while Armada does not run.
    Restore(backup::RestoreArgs),
    /// Seal secrets in the databases anew after ARMADA_SECRET_KEY was changed.
    Reseal,
    /// Keep a copy of the erase ledger, or carry it to another NATS cluster.
    #[command(subcommand)]
    Erasures(erasures::ErasuresCommand),
    /// Work on stored positions.
    #[command(subcommand)]
    History(history::HistoryCommand),
    /// Work on the stream of positions.
    #[command(subcommand)]
    Positions(positions::PositionsCommand),
}

impl Command {
    /// The name of this process in traces; none for tools, whose work is not traced.
    fn traced_as(&self) -> Option<String> {
        match self {
            Self::Run(args) => Some(args.process_name()),
            _ => None,
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match execute(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("armada: {}", one_line(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

fn execute(cli: Cli) -> anyhow::Result<()> {
    // The document is the same whatever is configured.
    if let Command::Openapi = cli.command {
        openapi::print();
        return Ok(());
    }
    let config = Config::load(cli.config.as_deref())?;
    // It changes variables, which only the one thread of a process may.
    trust::begin()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let telemetry = {
        let _within = runtime.enter();
        Telemetry::init(cli.command.traced_as().as_deref())?
    };
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Run(args) => run::run(args, config).await,
            Command::Migrate(wait_args) => migrate::run(wait_args, &config).await,
            Command::Healthcheck => healthcheck::run(&config).await,
            Command::Openapi => unreachable!("it was printed before"),
            Command::Seed(args) => seed::run(args, &config).await,
            Command::Replay(args) => replay::run(args, &config).await,
            Command::Dlq(command) => dlq::run(command, &config).await,
            Command::Owner(command) => owner::run(command, &config).await,
            Command::Backup(args) => backup::make(args, &config).await,
            Command::Restore(args) => backup::restore(args, &config).await,
            Command::Reseal => reseal::run(&config).await,
            Command::Erasures(command) => erasures::run(command, &config).await,
            Command::History(command) => history::run(command, &config).await,
            Command::Positions(command) => positions::run(command, &config).await,
        }
    });
    telemetry.finish();
    // Blocking work that nobody waits for any more must not keep the process.
    runtime.shutdown_background();
    outcome
}
