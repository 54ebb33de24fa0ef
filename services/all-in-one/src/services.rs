//! The services there are, and how a process is put together from some of them.

use std::{
    collections::{BTreeMap, HashMap},
    str::FromStr,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use armada_bff::ConsoleFile;
use armada_declarations::{Declaration, each_service, nats::Account};
use armada_runtime::{
    Bus, Context, Database, KeyRing, Peers, Policies, Secret, Service, ServiceSecrets, audit,
    db::{Location, copies},
    events,
    service::{Parts, Process, Running},
};

use crate::config::Config;

/// What the list of services says of each, as code.
macro_rules! roles {
    ([$(($role:ident, $section:ident, $service:ident, $file:literal))*] ($edge_role:ident, $edge:ident, $edge_crate:ident, $edge_file:literal)) => {
        /// A service, in the order of the dependency graph: each one calls only those before it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Role {
            $($role,)*
            $edge_role,
        }

        impl Role {
            /// Every service.
            pub(crate) const ALL: &[Self] = &[$(Self::$role,)* Self::$edge_role];

            /// Its name.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$role => $service::NAME,)*
                    Self::$edge_role => $edge_crate::NAME,
                }
            }

            /// The migrations that this program knows of its schema, in their order; none where it has no schema.
            pub(crate) fn migrations(self) -> Vec<String> {
                match self {
                    $(Self::$role => copies::migrations::<$service::Migrator>(),)*
                    Self::$edge_role => Vec::new(),
                }
            }
        }

        /// Brings streams, buckets and schemas of all services to the state that this program needs.
        async fn migrate_each(config: &Config, bus: &Bus, databases: &HashMap<&'static str, Database>) -> Result<()> {
            $edge_crate::migrate(bus, &config.$edge).await?;
            $(
                let db = &databases[$service::NAME];
                $service::migrate(bus, db, &config.$section).await.context($service::NAME)?;
            )*
            Ok(())
        }

        /// One service. `config` has what it needs of others' sections.
        async fn build_one(context: &Context, config: &Config, role: Role) -> Result<Service> {
            Ok(match role {
                $(Role::$role => $service::build(context, config.$section.clone()).await?,)*
                Role::$edge_role => $edge_crate::build(context, config.$edge.clone(), console_file).await?,
            })
        }
    };
}
each_service!(roles);

impl Role {
    /// What it says of itself.
    pub(crate) fn declaration(self) -> &'static Declaration {
        armada_declarations::of(self.name()).expect("it is made of the list of declarations")
    }

    /// Its users of NATS in an account. The first one in that of services is its own.
    pub(crate) fn users(self, account: Account) -> impl Iterator<Item = &'static str> {
        self.declaration().users.iter().filter(move |user| user.account == account).map(|user| user.name)
    }

    /// Whether others call it. The edge calls, and is called by nobody.
    pub(crate) const fn has_grpc(self) -> bool {
        !matches!(self, Self::Bff)
    }

    /// Whether it has a database.
    pub(crate) fn stores(self) -> bool {
        self.declaration().stores
    }
}

impl FromStr for Role {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.iter().copied();
        let Some(role) = known.clone().find(|role| role.name() == name) else {
            bail!("there is no service {name}; there are {}", known.map(Self::name).collect::<Vec<_>>().join(", "));
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

/// Refuses what lacks streams, buckets or schemas that these services need: `armada migrate` of this version is still to be
/// run.
pub(crate) async fn verify_migrated(
    config: &Config,
    connections: &HashMap<&'static str, Bus>,
    roles: &[Role],
) -> Result<()> {
    verify_schemas(config, roles).await?;
    let users = roles.iter().flat_map(|role| role.declaration().users);
    for user in users.filter(|user| user.account == Account::Services) {
        connections[user.name].has_streams(user.needs_streams()).await?;
    }
    Ok(())
}

async fn verify_schemas(config: &Config, roles: &[Role]) -> Result<()> {
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
    let known = if roles.contains(&Role::Identity) { Role::ALL } else { roles };
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
    let lock = config.location().lock_streams().await.with_context(|| config.database_name())?;
    KeyRing::migrate(bus).await?;
    Policies::migrate(bus).await?;
    audit::migrate(bus).await?;
    events::migrate(bus).await?;
    let databases = databases(&config.location(), Role::ALL).await?;
    migrate_each(config, bus, &databases).await?;
    if let Some(lock) = lock {
        lock.release().await?;
    }
    Ok(())
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
    let config = with_sections(config, roles)?;
    for role in Role::ALL.iter().copied().filter(|role| roles.contains(role)) {
        process.add(build_one(context, &config, role).await?);
    }
    Ok(process)
}

/// The configuration in which sections say what follows from other settings.
fn with_sections(config: &Config, roles: &[Role]) -> Result<Config> {
    let mut sections = config.clone();
    sections.bff = bff(config, roles);
    if roles.contains(&Role::Identity) {
        sections.identity = config.identity()?;
    }
    if roles.contains(&Role::Fleet) {
        sections.fleet = fleet(config, roles)?;
    }
    Ok(sections)
}
