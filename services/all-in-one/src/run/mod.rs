//! `armada run`: config → listen → NATS → migrate → build → start → drain.

mod listeners;
mod signals;
mod welcome;

use anyhow::Result;
use armada_runtime::{Context, health::Health, service::Process};
use clap::Args;
use tokio_util::sync::CancellationToken;

use self::listeners::Listeners;
use crate::{
    config::Config,
    data_dir::{self, Lock},
    nats::Nats,
    services::{self, Role},
};

/// What `/readyz` lists as missing until everything serves.
const START: &str = "start";

/// Run the services.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// Run only these, e.g. `bff,fleet`. Schemas and streams are checked then, not changed.
    #[arg(long, value_delimiter = ',', value_name = "SERVICE")]
    only: Vec<Role>,
    /// Bring schemas and streams up to date first, although only some services run.
    #[arg(long, requires = "only")]
    migrate: bool,
}

/// Runs until SIGINT or SIGTERM, or until a part fails.
pub(crate) async fn run(args: RunArgs, config: Config) -> Result<()> {
    let everything = args.only.is_empty();
    let roles = if everything { Role::ALL.to_vec() } else { args.only };
    // What fails fast comes first: a second instance ends here.
    let listeners = Listeners::bind(&config, &roles, everything)?;
    data_dir::create(&config.data_dir)?;
    let _lock = if everything { Some(Lock::take(&config.data_dir)?) } else { None };
    // Declared before everything that uses it, so that it is stopped after everything has drained.
    let nats = if everything { Nats::own(&config)? } else { Nats::running_or_own(&config)? };

    let health = Health::default();
    health.missing(START, "starting");
    let addresses = listeners.addresses.clone();
    let admin = tokio::spawn(listeners::serve_admin(listeners.admin, health.clone()));
    let shutdown = signals::shutdown()?;

    let started = async {
        let (process, context) = assemble(&config, &nats, &roles, everything || args.migrate, &health).await?;
        let sign_in = welcome::first_sign_in(&config, &context, &roles).await?;
        anyhow::Ok((process, context, sign_in))
    };
    // A signal while it starts has nothing to drain.
    let Some(started) = shutdown.run_until_cancelled(started).await else { return Ok(()) };
    let (process, context, sign_in) = started?;
    end_on(&shutdown, &context);
    let running = process.start(listeners.http, listeners.grpc);
    health.present(START);
    welcome::print(&config, &addresses, sign_in);

    let ended = running.finish().await;
    admin.abort();
    Ok(ended?)
}

async fn assemble(
    config: &Config,
    nats: &Nats,
    roles: &[Role],
    migrate: bool,
    health: &Health,
) -> Result<(Process, Context)> {
    let bus = nats.connect("armada").await?;
    if migrate {
        services::migrate(config, &bus).await?;
    }
    let mut context = services::context(config, bus, roles, "armada").await?;
    context.health = health.clone();
    let process = services::build(&context, config, roles).await?;
    Ok((process, context))
}

/// Passes the signal on: `/readyz` says no at once, and the services drain.
fn end_on(signal: &CancellationToken, context: &Context) {
    let (signal, context) = (signal.clone(), context.clone());
    tokio::spawn(async move {
        signal.cancelled().await;
        context.health.missing(START, "stopping");
        context.shutdown.cancel();
    });
}
