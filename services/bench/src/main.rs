//! Measurements of a whole Armada, a process of its own in a folder of its own. Not part of the program, which nobody is to
//! carry it around with.

mod blocks;
mod browser;
mod connections;
mod console;
mod delays;
mod devices;
mod disk;
mod fleet;
mod fuzz;
mod gateways;
mod history;
mod imports;
mod ingest;
mod latency;
mod live;
mod load;
mod month;
mod neighbours;
mod open_files;
mod report;
mod room;
mod scratch;
mod sign_in;
mod single;
mod single_report;
mod site;
mod usage;

use std::process::ExitCode;

use anyhow::Result;
use armada_runtime::{error::one_line, telemetry::Telemetry};
use clap::{Parser, Subcommand};

use crate::site::Target;

/// The load is part of what is measured, so it allocates as the program does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures Armada on this machine.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    target: Target,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The path of a position: publication, history, socket.
    Ingest(ingest::IngestArgs),
    /// One fix a message: rates, CPU, latencies, and many connections.
    Single(single::SingleArgs),
    /// The live sockets: positions to people of different rights, quiet ones, and a slow reader.
    Live(live::LiveArgs),
    /// A tenant with many devices: imports, lists, bulk acts.
    Fleet(fleet::FleetArgs),
    /// Tenants that take in the largest files, and one beside them.
    Neighbours(neighbours::NeighboursArgs),
    /// Nonsense of all kinds through the subjects of gateways: each message must be answered.
    Fuzz(fuzz::FuzzArgs),
    /// Many connections of a gateway at once, and again when the NATS server has died.
    Gateways(gateways::GatewaysArgs),
    /// The console's map and list in a browser.
    Console(console::ConsoleArgs),
    /// Signing in while others guess.
    #[command(name = "signin")]
    SignIn(sign_in::SignInArgs),
    /// Sealing, erasing and reading, once there is much history.
    History(history::HistoryArgs),
}

#[tokio::main]
async fn main() -> ExitCode {
    match execute(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("armada-bench: {}", one_line(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

async fn execute(Cli { target, command }: Cli) -> Result<()> {
    let telemetry = Telemetry::init(None)?;
    let outcome = match command {
        Command::Ingest(args) => ingest::run(&args, &target).await,
        Command::Single(args) => single::run(&args, &target).await,
        Command::Live(args) => live::run(&args, &target).await,
        Command::Fleet(args) => fleet::run(&args, &target).await,
        Command::Neighbours(args) => neighbours::run(&args, &target).await,
        Command::Fuzz(args) => fuzz::run(&args, &target).await,
        Command::Gateways(args) => gateways::run(&args, &target).await,
        Command::Console(args) => console::run(&args, &target).await,
        Command::SignIn(args) => sign_in::run(&args, &target).await,
        Command::History(args) => history::run(&args, &target).await,
    };
    telemetry.finish();
    outcome
}
