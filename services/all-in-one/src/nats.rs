//! Which NATS server a command uses: the one it is told, the managed one of a running Armada, or one that it manages
//! itself for as long as it runs.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use armada_runtime::{
    Bus,
    bus::Addresses,
    nats_server::{self, GatewayLogins, NatsServer},
};

use crate::config::{Config, OPERATOR, OPERATOR_OF_GATEWAYS};

/// How long a server that was killed a moment ago may still write, and hold its port.
const PORT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one attempt to connect may take where another one follows.
const ATTEMPT: Duration = Duration::from_secs(2);

/// A NATS server to talk to. The managed one stops when this is dropped, so keep it until nothing needs it any more.
pub(crate) struct Nats {
    logins: Logins,
    /// Copies of each stream and bucket.
    replicas: usize,
    /// The process runs some of the services: a login is of one account then, and does for no user of another.
    runs_some: bool,
    /// The managed server, when it is this process's own.
    _managed: Option<NatsServer>,
}

/// As whom one connects.
enum Logins {
    /// What is configured: one for each service, and one for the others.
    Configured { each: BTreeMap<String, Addresses>, others: Option<Addresses> },
    /// The users of the managed server.
    Managed { folder: PathBuf, port: u16 },
}

impl Nats {
    /// For the process that runs all services: the server it is told, or one of its own.
    pub(crate) fn own(config: &Config) -> Result<Self> {
        match Self::configured(config) {
            Some(nats) => Ok(nats),
            None => Self::start(config),
        }
    }

    /// For every other process: the server it is told, else the managed one of these data if it runs, else one of its
    /// own.
    pub(crate) fn running_or_own(config: &Config) -> Result<Self> {
        Self::running(config).or_else(|_| Self::own(config))
    }

    /// The same for a process that runs some of the services.
    pub(crate) fn of_some(config: &Config) -> Result<Self> {
        Ok(Self { runs_some: true, ..Self::running_or_own(config)? })
    }

    /// For what only a running Armada can do: the server it is told, or the managed one of these data.
    pub(crate) fn running(config: &Config) -> Result<Self> {
        if let Some(nats) = Self::configured(config) {
            return Ok(nats);
        }
        let runs = TcpStream::connect((Ipv4Addr::LOCALHOST, config.nats_port)).is_ok();
        if !runs || nats_server::url_of(&config.nats_folder(), config.nats_port).is_none() {
            bail!("no Armada runs on the data directory {}", config.data_dir.display());
        }
        Ok(Self { logins: Logins::managed(config), replicas: config.stream_replicas, runs_some: false, _managed: None })
    }

    fn configured(config: &Config) -> Option<Self> {
        if !config.has_own_nats() {
            return None;
        }
        let logins = Logins::Configured { each: config.nats_urls.clone(), others: config.nats_url.clone() };
        Some(Self { logins, replicas: config.stream_replicas, runs_some: false, _managed: None })
    }

    fn start(config: &Config) -> Result<Self> {
        let program = nats_server::find()?;
        if let Some(pid) = nats_server::wait_for_former(&config.nats_folder(), PORT_TIMEOUT) {
            bail!("the nats-server of {} still runs as process {pid}", config.nats_folder().display());
        }
        wait_for_port(config.nats_port)?;
        let server = NatsServer::start(
            &program,
            &config.nats_folder(),
            config.nats_port,
            config.position_ingest.partitions,
            GatewayLogins::Identity,
        )?;
        let (logins, replicas) = (Logins::managed(config), config.stream_replicas);
        Ok(Self { logins, replicas, runs_some: false, _managed: Some(server) })
    }

    /// Connects as whoever runs the machine: to make streams and buckets, and for the tools.
    pub(crate) async fn connect(&self, name: &str) -> Result<Bus> {
        Ok(Bus::connect(self.logins.addresses(None)?, name).await?.with_replicas(self.replicas))
    }

    /// The same, or as a user, for who has so much time left and tries again until then: it says soon what is wrong.
    pub(crate) async fn try_connect(&self, user: Option<&str>, process: &str, left: Duration) -> Result<Bus> {
        let name = user.map_or_else(|| process.to_owned(), |user| format!("{process} {user}"));
        let patience = match self.logins {
            Logins::Configured { .. } => ATTEMPT.min(left),
            // It was started a moment ago.
            Logins::Managed { .. } => PORT_TIMEOUT,
        };
        let bus = Bus::connect_within(patience, self.logins.addresses(user)?, &name).await?;
        Ok(if user.is_none() { bus.with_replicas(self.replicas) } else { bus })
    }

    /// Connects as a service, or as a part of one that has a user of its own, with the rights of that user alone where the
    /// server knows it.
    pub(crate) async fn connect_as(&self, user: &str, process: &str) -> Result<Bus> {
        Ok(Bus::connect(self.logins.addresses(Some(user))?, &format!("{process} {user}")).await?)
    }

    /// Connects to the account of gateways as whoever runs the machine, to publish as those do.
    pub(crate) async fn connect_to_gateways(&self, name: &str) -> Result<Bus> {
        Ok(Bus::connect_without_streams(self.logins.addresses_of_gateways()?, name).await?)
    }

    /// The same as a service.
    pub(crate) async fn connect_to_gateways_as(&self, user: &str, process: &str) -> Result<Bus> {
        let addresses = match self.runs_some {
            true => self.logins.addresses_of(user)?,
            false => self.logins.addresses(Some(user))?,
        };
        Ok(Bus::connect_without_streams(addresses, &format!("{process} {user}")).await?)
    }

    /// Connects to the server's own account; none where nothing says how.
    pub(crate) async fn connect_to_system(&self, user: &str, process: &str) -> Result<Option<Bus>> {
        let addresses = match &self.logins {
            Logins::Configured { each, .. } => each.get(user).cloned(),
            Logins::Managed { folder, port } => parsed(nats_server::url_of_service(folder, *port, user))?,
        };
        let Some(addresses) = addresses else { return Ok(None) };
        Ok(Some(Bus::connect_without_streams(addresses, &format!("{process} {user}")).await?))
    }
}

impl Logins {
    fn managed(config: &Config) -> Self {
        Self::Managed { folder: config.nats_folder(), port: config.nats_port }
    }

    fn addresses_of_gateways(&self) -> Result<Addresses> {
        match self {
            Self::Configured { .. } => self.addresses(Some(OPERATOR_OF_GATEWAYS)),
            Self::Managed { folder, port } => {
                let addresses = parsed(nats_server::gateways_url_of(folder, *port))?;
                addresses.with_context(|| format!("{} has no password", folder.display()))
            }
        }
    }

    /// The login of a user, and no other in its place.
    fn addresses_of(&self, user: &str) -> Result<Addresses> {
        match self {
            Self::Configured { each, .. } => {
                let missing = || format!("{}: ARMADA_NATS_URL is of another account of NATS", not_set(user));
                Ok(each.get(user).with_context(missing)?.clone())
            }
            Self::Managed { .. } => self.addresses(Some(user)),
        }
    }

    fn addresses(&self, user: Option<&str>) -> Result<Addresses> {
        match self {
            Self::Configured { each, others } => {
                let name = user.unwrap_or(OPERATOR);
                let addresses = each.get(name).or(others.as_ref());
                Ok(addresses.with_context(|| not_set(name))?.clone())
            }
            Self::Managed { folder, port } => {
                let url = match user {
                    None => nats_server::url_of(folder, *port),
                    // A server that an older program started has one user for all.
                    Some(user) => {
                        nats_server::url_of_service(folder, *port, user).or_else(|| nats_server::url_of(folder, *port))
                    }
                };
                parsed(url)?.with_context(|| format!("{} has no password", folder.display()))
            }
        }
    }
}

fn not_set(user: &str) -> String {
    format!("ARMADA_NATS_URLS__{} is not set", user.to_uppercase().replace('-', "_"))
}

fn parsed(url: Option<String>) -> Result<Option<Addresses>> {
    Ok(url.map(Addresses::try_from).transpose()?)
}

/// The server would be started again and again on a port that somebody else has; better to say so at once.
fn wait_for_port(port: u16) -> Result<()> {
    let started = Instant::now();
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(_) => return Ok(()),
            Err(error) if started.elapsed() > PORT_TIMEOUT => bail!(
                "nats-server cannot listen on 127.0.0.1:{port}: {error}; ARMADA_NATS_PORT names another port, \
                 ARMADA_NATS_URL a server to use"
            ),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}
