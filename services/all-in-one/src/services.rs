//! The services there are, and how a process is put together from some of them.

use std::{collections::HashMap, str::FromStr};

use anyhow::{Context as _, Result, bail};
use armada_runtime::{
    Bus, Context, Database, KeyRing, Peers, Policies, Service, ServiceKey, audit, db::Location, service::Process,
};

use crate::config::Config;

/// A service, in the order of the dependency graph: each one calls only those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Identity,
    Fleet,
    PositionIngest,
    Bff,
}

impl Role {
    /// Every service.
    pub(crate) const ALL: [Self; 4] = [Self::Identity, Self::Fleet, Self::PositionIngest, Self::Bff];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Identity => armada_identity::NAME,
            Self::Fleet => armada_fleet::NAME,
            Self::PositionIngest => armada_position_ingest::NAME,
            Self::Bff => armada_bff::NAME,
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

/// What the services of one process are built from.
pub(crate) async fn context(config: &Config, bus: Bus, roles: &[Role], process: &str) -> Result<Context> {
    let keys = KeyRing::open(&bus).await?;
    let policies = Policies::open(&bus).await?;
    let service_key = ServiceKey::publish(process, &keys).await?;
    let databases = databases(&config.location(), roles).await?;
    Ok(Context::new(bus, keys, policies, service_key, Peers::new(config.peers()), databases))
}

/// Brings streams, buckets and schemas of all services to the state that this program needs.
pub(crate) async fn migrate(config: &Config, bus: &Bus) -> Result<()> {
    KeyRing::migrate(bus).await?;
    Policies::migrate(bus).await?;
    audit::migrate(bus).await?;
    armada_bff::migrate(bus, &config.bff).await?;
    let databases = databases(&config.location(), &Role::ALL).await?;
    let of = |role: Role| &databases[role.name()];
    let at = || config.database_name();
    armada_identity::migrate(bus, of(Role::Identity), &config.identity).await.with_context(at)?;
    armada_fleet::migrate(bus, of(Role::Fleet), &config.fleet).await.with_context(at)?;
    armada_position_ingest::migrate(bus, of(Role::PositionIngest), &config.position_ingest).await.with_context(at)
}

/// Builds services in the order of their dependencies. Nothing runs yet.
pub(crate) async fn build(context: &Context, config: &Config, roles: &[Role]) -> Result<Process> {
    let mut process = Process::new(context.clone());
    let follow = context.keys.clone().follow(context.bus.clone(), context.shutdown.clone());
    let rights = context.policies.clone().follow(context.bus.clone(), context.shutdown.clone());
    process.add(Service::new("callers").task("keys", follow).task("policies", rights));
    for role in Role::ALL.into_iter().filter(|role| roles.contains(role)) {
        process.add(match role {
            Role::Identity => armada_identity::build(context, config.identity()?).await?,
            Role::Fleet => armada_fleet::build(context, config.fleet.clone()).await?,
            Role::PositionIngest => armada_position_ingest::build(context, config.position_ingest.clone()).await?,
            Role::Bff => armada_bff::build(context, config.bff.clone()).await?,
        });
    }
    Ok(process)
}
