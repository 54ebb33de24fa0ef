//! The services there are, and how a process is put together from some of them.

use std::{
    collections::{BTreeMap, HashMap},
    str::FromStr,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use armada_bff::ConsoleFile;
use armada_runtime::{
    Bus, Context, Database, KeyRing, Peers, Policies, Secret, Service, ServiceSecrets, audit,
    db::Location,
    events,
    service::{Parts, Process, Running},
};

use crate::config::Config;

/// A service, in the order of the dependency graph: each one calls only those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Identity,
    Fleet,
    Notification,
    PositionIngest,
    Bff,
}

impl Role {
    /// Every service.
    pub(crate) const ALL: [Self; 5] =
        [Self::Identity, Self::Fleet, Self::Notification, Self::PositionIngest, Self::Bff];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Identity => armada_identity::NAME,
            Self::Fleet => armada_fleet::NAME,
            Self::Notification => armada_notification::NAME,
            Self::PositionIngest => armada_position_ingest::NAME,
            Self::Bff => armada_bff::NAME,
        }
    }

    /// The users of NATS that parts of it work as, beside its own.
    pub(crate) const fn more_users(self) -> &'static [&'static str] {
        match self {
            Self::PositionIngest => &[armada_position_ingest::receiver::NATS_USER],
            _ => &[],
        }
    }

    /// The user that it speaks with gateways as, in their account.
    pub(crate) const fn gateways_user(self) -> Option<&'static str> {
        match self {
            Self::Fleet => Some(armada_fleet::GATEWAYS_USER),
            Self::PositionIngest => Some(armada_position_ingest::receiver::GATEWAYS_USER),
            _ => None,
        }
    }

    /// The user of the server's own account that a part of it works as.
    pub(crate) const fn system_user(self) -> Option<&'static str> {
        match self {
            Self::Identity => Some(armada_identity::SYSTEM_NATS_USER),
            _ => None,
        }
    }

    /// Whether it has a database.
    pub(crate) const fn stores(self) -> bool {
        !matches!(self, Self::Bff)
    }
}

impl FromStr for Role {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        let Some(role) = Self::ALL.into_iter().find(|role| role.name() == name) else {
            bail!("there is no service {name}; there are {}", Self::ALL.map(Self::name).join(", "));
        };
        Ok(role)
    }
}

/// Opens the databases of some services.
pub(crate) async fn databases(location: &Location, roles: &[Role]) -> Result<HashMap<&'static str, Database>> {
    let mut databases = HashMap::new();
    for role in roles.iter().filter(|role| role.stores()) {
        databases.insert(role.name(), Database::open(location, role.name()).await?);
    }
    Ok(databases)
}

/// Refuses schemas that lack what these services need: `armada migrate` of this version is still to be run.
pub(crate) async fn verify_schemas(config: &Config, roles: &[Role]) -> Result<()> {
    let databases = databases(&config.location(), roles).await?;
    let mut verified = Ok(());
    for (name, database) in databases {
        let verified_now = match name.parse()? {
            Role::Identity => database.verify_schema::<armada_identity::Migrator>(name).await,
            Role::Fleet => database.verify_schema::<armada_fleet::Migrator>(name).await,
            Role::Notification => database.verify_schema::<armada_notification::Migrator>(name).await,
            Role::PositionIngest => database.verify_schema::<armada_position_ingest::Migrator>(name).await,
            Role::Bff => Ok(()),
        };
        database.close().await?;
        verified = verified.and(verified_now);
    }
    Ok(verified?)
}

/// What the services of one process are built from. `connections` has the services' own; the others use `bus`.
pub(crate) async fn context(
    config: &Config,
    bus: Bus,
    connections: HashMap<&'static str, Bus>,
    roles: &[Role],
    process: &'static str,
) -> Result<Context> {
    let secrets = secrets(config, roles, process)?;
    let reader = roles.first().map_or(process, |role| role.name());
    let reading = connections.get(reader).unwrap_or(&bus);
    let keys = KeyRing::open(reading, reader, &secrets).await?;
    let policies = Policies::open(reading, &keys).await?;
    let databases = databases(&config.location(), roles).await?;
    let peers = Peers::new(config.peers());
    let trusts_clock = config.clock_trusted;
    Ok(Context::new(Parts { bus, connections, keys, policies, peers, databases, trusts_clock })?)
}

/// The secrets of these services; of all there are for identity, who vouches for everybody's keys. What is not
/// configured is derived from the secret key.
fn secrets(config: &Config, roles: &[Role], process: &'static str) -> Result<ServiceSecrets> {
    let known = if roles.contains(&Role::Identity) { &Role::ALL } else { roles };
    let mut secrets = BTreeMap::new();
    for role in known {
        secrets.insert(role.name().to_owned(), secret_of(config, roles, *role)?);
    }
    Ok(ServiceSecrets::new(process, secrets, Duration::from_secs(config.service_key_seconds))?)
}

/// The secret of one service.
fn secret_of(config: &Config, roles: &[Role], role: Role) -> Result<Secret> {
    let alone = config.service_secret.as_ref().filter(|_| roles == [role]);
    if let Some(secret) = config.service_secrets.get(role.name()).or(alone) {
        return Ok(secret.clone());
    }
    let key = config.secret_key().context("without ARMADA_SERVICE_SECRET, it is derived from ARMADA_SECRET_KEY")?;
    Ok(ServiceSecrets::derived(&key, role.name()))
}

/// The section of fleet, which seals with its own secret: identity's key is nothing for it to know.
pub(crate) fn fleet(config: &Config, roles: &[Role]) -> Result<armada_fleet::Config> {
    let secret_key = config.fleet.secret_key.clone().map_or_else(|| secret_of(config, roles, Role::Fleet), Ok)?;
    let files = armada_fleet::FilesConfig { url: files_url(config), ..config.fleet.files.clone() };
    let derived = || config.secret_key_former.as_ref().map(|key| ServiceSecrets::derived(key, armada_fleet::NAME));
    let secret_key_former = config.fleet.secret_key_former.clone().or_else(derived);
    Ok(armada_fleet::Config { secret_key: Some(secret_key), secret_key_former, files })
}

/// Where the files of documents are: in the data folder, where there is one, unless another place is named.
pub(crate) fn files_url(config: &Config) -> Option<String> {
    let has_folder = config.needs_data_dir(true);
    let own = || has_folder.then(|| format!("file://{}", config.data_dir.join("files").display()));
    config.fleet.files.url.clone().filter(|url| !url.is_empty()).or_else(own)
}

/// The section of the edge. Files of street maps and fetched tiles are in the data folder, where there is one, unless another
/// one is named.
fn bff(config: &Config, roles: &[Role]) -> armada_bff::Config {
    let mut bff = config.bff.clone();
    let has_folder = config.needs_data_dir(roles.iter().any(|role| role.stores()));
    bff.maps.data_dir = bff.maps.data_dir.or_else(|| has_folder.then(|| config.data_dir.clone()));
    bff
}

/// Brings streams, buckets and schemas of all services to the state that this program needs.
pub(crate) async fn migrate(config: &Config, bus: &Bus) -> Result<()> {
    KeyRing::migrate(bus).await?;
    Policies::migrate(bus).await?;
    audit::migrate(bus).await?;
    events::migrate(bus).await?;
    armada_bff::migrate(bus, &config.bff).await?;
    let databases = databases(&config.location(), &Role::ALL).await?;
    let of = |role: Role| &databases[role.name()];
    let at = || config.database_name();
    armada_identity::migrate(bus, of(Role::Identity), &config.identity).await.with_context(at)?;
    armada_fleet::migrate(bus, of(Role::Fleet), &config.fleet).await.with_context(at)?;
    armada_notification::migrate(bus, of(Role::Notification), &config.notification).await.with_context(at)?;
    armada_position_ingest::migrate(bus, of(Role::PositionIngest), &config.position_ingest).await.with_context(at)
}

/// Runs services in this process for as long as some work takes; beside a running Armada, whose services share the
/// databases, or alone. Their tasks run, too: they tell ingest of the devices when no other process does.
pub(crate) async fn while_they_run<T>(
    config: &Config,
    context: &Context,
    roles: &[Role],
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let running = build(context, config, roles).await?.start(None, None);
    let running = tokio::spawn(Running::finish(running));
    let outcome = work.await;
    context.shutdown.cancel();
    // Why the work failed says more than why a task of the services ended.
    let ended = running.await?;
    let outcome = outcome?;
    ended?;
    Ok(outcome)
}

/// The console that was built with this program.
fn console_file(path: &str) -> Option<ConsoleFile> {
    let file = armada_console_assets::file(path)?;
    Some(ConsoleFile { sha256: file.metadata.sha256_hash(), content: file.data })
}

/// Builds services in the order of their dependencies. Nothing runs yet.
pub(crate) async fn build(context: &Context, config: &Config, roles: &[Role]) -> Result<Process> {
    let mut process = Process::new(context.clone());
    let follow = context.keys.clone().follow(context.shutdown.clone());
    let rights = context.policies.clone().follow(context.shutdown.clone());
    process.add(Service::new("callers").task("keys", follow).task("policies", rights));
    for role in Role::ALL.into_iter().filter(|role| roles.contains(role)) {
        process.add(match role {
            Role::Identity => armada_identity::build(context, config.identity()?).await?,
            Role::Fleet => armada_fleet::build(context, fleet(config, roles)?).await?,
            Role::Notification => armada_notification::build(context, config.notification.clone()).await?,
            Role::PositionIngest => armada_position_ingest::build(context, config.position_ingest.clone()).await?,
            Role::Bff => armada_bff::build(context, bff(config, roles), console_file).await?,
        });
    }
    Ok(process)
}
