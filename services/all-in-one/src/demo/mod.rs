//! The demonstration: a tenant whose vehicles are made up, and a simulator that drives them.
//!
//! [`vehicles`] says what there is, [`roads`] where one can drive. [`rota`] and [`drive`] tell where a vehicle is at any
//! instant, [`tracker`] what its tracker reports of it, and [`simulator`] publishes that as any gateway does.
//! [`registrar`] makes the tenant through the services, [`removal`] takes it away again.

mod calendar;
mod decision;
mod drive;
mod imeis;
#[cfg(test)]
mod motion_tests;
mod path;
mod random;
mod registrar;
mod removal;
mod roads;
mod rota;
mod simulator;
mod tracker;
mod vehicles;

use std::collections::HashMap;

use anyhow::Result;
use armada_runtime::{
    Context, Service,
    service::{Process, Running},
};
use clap::Args;

use self::{
    decision::Decision,
    registrar::{NewUser, Registrar},
};
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

/// Makes or removes it; beside a running Armada, whose services share the databases, or alone.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) async fn run(args: SeedArgs, config: &Config) -> Result<()> {
    if args.remove_demo && !args.yes && !removal::confirmed()? {
        println!("nothing was removed");
        return Ok(());
    }
    data_dir::create(&config.data_dir)?;
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-seed").await?;
    let roles = [Role::Identity, Role::Fleet, Role::PositionIngest];
    let context = services::context(config, bus, HashMap::new(), &roles, "seed").await?;
    // Fleet's tasks run, too: they tell ingest of the devices. Ingest itself does not run here.
    let running = services::build(&context, config, &roles[..2]).await?.start(None, None);
    let running = tokio::spawn(Running::finish(running));
    let outcome = if args.demo { make(config, &context).await } else { removal::run(config, &context).await };
    context.shutdown.cancel();
    running.await??;
    println!("{}", outcome?);
    Ok(())
}

async fn make(config: &Config, context: &Context) -> Result<String> {
    let registrar = Registrar::new(context)?;
    let made = registrar.complete().await?;
    registrar.wait_for_bindings().await?;
    Decision::Made.write(config)?;
    let mut lines = vec![format!("{} devices made; `make run` drives them", made.devices)];
    lines.extend(sign_ins(&made.users));
    Ok(lines.join("\n"))
}

/// For `armada run` with ARMADA_DEMO=1: makes the demonstration if it is time for it, and lets the process drive its
/// vehicles. Returns the lines that say how to sign in. A demonstration that fails is no reason not to serve.
pub(crate) async fn start(config: &Config, context: &Context, process: &mut Process) -> Vec<String> {
    process.add(Service::new("demo").task("simulator", simulator::run(context.clone())));
    make_once(config, context).await.unwrap_or_else(|error| {
        tracing::warn!(error = format!("{error:#}"), "the demonstration cannot be made");
        Vec::new()
    })
}

/// Makes the demonstration in an installation that has no tenants yet, or completes it. What was removed, or changed by
/// its users, stays as it is.
async fn make_once(config: &Config, context: &Context) -> Result<Vec<String>> {
    if Decision::read(config)?.is_some() {
        return Ok(Vec::new());
    }
    let registrar = Registrar::new(context)?;
    if registrar.others_only().await? {
        return Ok(Vec::new());
    }
    let made = registrar.complete().await?;
    Decision::Made.write(config)?;
    Ok(sign_ins(&made.users))
}

/// Passwords are shown here and nowhere else.
fn sign_ins(users: &[NewUser]) -> Vec<String> {
    let line = |user: &NewUser| format!("  demo      {}  {}  ({})", user.email, user.password, user.role);
    users.iter().map(line).collect()
}
