//! `armada run`: config → listen → NATS → migrate → build → start → drain.

mod disk;
mod durability;
mod listeners;
mod signals;
mod welcome;

use std::{borrow::Cow, collections::HashMap, time::Duration};

use anyhow::{Result, ensure};
use armada_declarations::nats::Account;
use armada_runtime::{
    Bus, Context, descriptors,
    health::{Health, Part},
    service::Process,
};
use clap::Args;
use tokio_util::sync::CancellationToken;

pub(crate) use self::welcome::reachable;

use self::listeners::Listeners;
use crate::{
    backup,
    config::Config,
    data_dir::{self, Lock},
    nats::Nats,
    services::{self, Role},
    wait_args::WaitArgs,
};

/// What the process calls itself.
const PROCESS: &str = "armada";
/// What `/readyz` lists as missing until everything serves, and from when on it ends.
const START: Part = Part::required(Cow::Borrowed("start"));

/// Run the services.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// Run only these, e.g. `bff,fleet`. Schemas and streams are checked then, not changed.
    #[arg(long, value_delimiter = ',', value_name = "SERVICE")]
    only: Vec<Role>,
    /// Bring schemas and streams up to date first, although only some services run.
    #[arg(long, requires = "only")]
    migrate: bool,
    #[command(flatten)]
    wait_args: WaitArgs,
}

impl RunArgs {
    /// What the process calls itself in traces: by its service when it runs one alone.
    pub(crate) fn process_name(&self) -> String {
        match self.only[..] {
            [role] => format!("armada-{}", role.name()),
            _ => "armada".to_owned(),
        }
    }
}

/// Runs until SIGINT or SIGTERM, or until a part fails.
pub(crate) async fn run(args: RunArgs, config: Config) -> Result<()> {
    let everything = args.only.is_empty();
    let migrate = everything || args.migrate;
    let roles = if everything { Role::ALL.to_vec() } else { args.only };
    let stored = roles.iter().filter(|role| role.stores()).map(|role| role.name());
    let config = Config { only_serves: (!migrate).then(|| stored.collect()), ..config };
    ensure!(everything || !config.demo, "ARMADA_DEMO is for a process that runs all services");
    // The managed NATS server inherits it.
    descriptors::raise_limit();
    // What fails fast comes first: a second instance ends here.
    let listeners = Listeners::bind(&config, &roles, everything)?;
    let stores = roles.iter().any(|role| role.stores());
    if everything || config.needs_data_dir(stores) {
        data_dir::create(&config.data_dir)?;
    }
    let _lock = if everything { Some(Lock::take(&config.data_dir)?) } else { None };
    backup::refuse_unfinished(&config.data_dir)?;
    // Declared before everything that uses it, so that it is stopped after everything has drained.
    let nats = if everything { Nats::own(&config)? } else { Nats::of_some(&config)? };

    let health = Health::default();
    health.missing(&START, "starting");
    let addresses = listeners.addresses.clone();
    let admin = tokio::spawn(listeners::serve_admin(listeners.admin, health.clone()));
    let shutdown = signals::shutdown()?;

    let started = async {
        let on_missing = |missing: &str| health.missing(&START, format!("waiting for {missing}"));
        // Who only serves needs nobody's rights but those of its services.
        let user = roles.first().filter(|_| !migrate).map(|role| role.name());
        let connect = async |left| nats.try_connect(user, PROCESS, left).await;
        let bus = args.wait_args.connect(&config, connect, stores, on_missing).await?;
        let mut connections = connect_each(&nats, &bus, &roles, migrate).await?;
        if migrate {
            services::migrate(&config, &bus).await?;
        } else {
            let verify = async || services::verify_migrated(&config, &connections, &roles).await;
            args.wait_args.migrated(verify, on_missing).await?;
        }
        health.missing(&START, "starting");
        if config.demo {
            connections.insert(armada_demo::GATEWAYS_USER, nats.connect_to_gateways(PROCESS).await?);
        }
        let (mut process, context) = assemble(&config, bus, connections, &roles, &health).await?;
        let sign_in = welcome::first_sign_in(&config, &context, &roles).await?;
        let demo =
            if config.demo { armada_demo::start(&config.data_dir, &context, &mut process).await } else { Vec::new() };
        anyhow::Ok((process, context, sign_in, demo))
    };
    // A signal while it starts has nothing to drain.
    let Some(started) = shutdown.run_until_cancelled(started).await else { return Ok(()) };
    let (process, context, sign_in, demo) = started?;
    end_on(&shutdown, &context, Duration::from_secs(config.shutdown_delay_seconds));
    let running = process.start(listeners.http, listeners.grpc);
    // Until everything was looked at nothing is known to be missing, which is not the same as being there.
    health.run_checks().await;
    health.present(&START);
    welcome::print(&config, &addresses, sign_in, &demo);

    let ended = running.finish().await;
    admin.abort();
    Ok(ended?)
}

/// The connections of these services to NATS, each under a user of its own.
async fn connect_each(nats: &Nats, bus: &Bus, roles: &[Role], migrate: bool) -> Result<HashMap<&'static str, Bus>> {
    let mut connections = HashMap::new();
    for role in roles {
        let own = match roles.len() {
            1 if !migrate => bus.clone(),
            _ => nats.connect_as(role.name(), PROCESS).await?,
        };
        connections.insert(role.name(), own);
        for user in role.users(Account::Services).filter(|user| *user != role.name()) {
            connections.insert(user, nats.connect_as(user, PROCESS).await?);
        }
        for user in role.users(Account::Gateways) {
            connections.insert(user, nats.connect_to_gateways_as(user, PROCESS).await?);
        }
        for user in role.users(Account::System) {
            let connection = nats.connect_to_system(user, PROCESS).await?;
            connections.extend(connection.map(|connection| (user, connection)));
        }
    }
    Ok(connections)
}

async fn assemble(
    config: &Config,
    bus: Bus,
    connections: HashMap<&'static str, Bus>,
    roles: &[Role],
    health: &Health,
) -> Result<(Process, Context)> {
    let mut context = services::context(config, bus, connections, roles, PROCESS).await?;
    context.health = health.clone();
    durability::watch(health, config)?;
    disk::watch(health, config, roles.iter().any(|role| role.stores()));
    let process = services::build(&context, config, roles).await?;
    Ok((process, context))
}

/// Passes the signal on: `/readyz` says no at once, and the services drain after `delay`.
fn end_on(signal: &CancellationToken, context: &Context, delay: Duration) {
    let (signal, context) = (signal.clone(), context.clone());
    tokio::spawn(async move {
        signal.cancelled().await;
        context.health.missing(&START, "stopping");
        // Whoever asks `/readyz` now and then sends requests here until they have asked again.
        tokio::time::sleep(delay).await;
        context.shutdown.cancel();
    });
}
