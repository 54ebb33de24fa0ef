//! `armada seed`: makes the demonstration or takes it away, beside a running Armada or alone.

use std::{
    collections::HashMap,
    io::{IsTerminal, Write, stdin},
};

use anyhow::{Result, bail};
use clap::Args;

use crate::{
    config::Config,
    data_dir,
    nats::Nats,
    services::{self, Role},
};

/// Make what there is to look at, or take it away.
#[derive(Args)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub(crate) struct SeedArgs {
    /// Make the demonstration: a tenant with fifty vehicles, which `armada run` drives with ARMADA_DEMO=1.
    #[arg(long, group = "what")]
    demo: bool,
    /// Remove it, with its users and all its history.
    #[arg(long, group = "what")]
    remove_demo: bool,
    /// Do not ask.
    #[arg(long, requires = "remove_demo")]
    yes: bool,
}

/// Does it.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) async fn run(args: SeedArgs, config: &Config) -> Result<()> {
    if args.remove_demo && !args.yes && !confirmed()? {
        println!("nothing was removed");
        return Ok(());
    }
    data_dir::create(&config.data_dir)?;
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-seed").await?;
    let roles = [Role::Identity, Role::Fleet, Role::PositionIngest];
    let context = services::context(config, bus, HashMap::new(), &roles, "seed").await?;
    let work = async {
        match args.demo {
            true => armada_demo::make(&config.data_dir, &context).await,
            false => armada_demo::remove(&config.data_dir, config.position_ingest.partitions, &context).await,
        }
    };
    // Ingest itself does not run here.
    println!("{}", services::while_they_run(config, &context, &roles[..2], work).await?);
    Ok(())
}

/// Asks whoever sits there.
#[allow(clippy::print_stdout, reason = "a question")]
fn confirmed() -> Result<bool> {
    if !stdin().is_terminal() {
        bail!("--remove-demo needs --yes where nobody can be asked");
    }
    print!("Remove the demonstration, with its users, its devices and all their history? [y/N] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(["y", "yes", "ya"].contains(&answer.trim().to_lowercase().as_str()))
}
