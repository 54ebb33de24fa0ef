//! Which NATS server a command uses: the one it is told, the managed one of a running Armada, or one that it manages
//! itself for as long as it runs.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use armada_runtime::{
    Bus,
    nats_server::{self, NatsServer},
};

use crate::config::Config;

/// How long a server that was killed a moment ago may hold its port.
const PORT_PATIENCE: Duration = Duration::from_secs(2);

/// A NATS server to talk to. The managed one stops when this is dropped, so keep it until nothing needs it any more.
pub(crate) struct Nats {
    url: String,
    /// The managed server, when it is this process's own.
    _managed: Option<NatsServer>,
}

impl Nats {
    /// For the process that runs all services: the server it is told, or one of its own.
    pub(crate) fn own(config: &Config) -> Result<Self> {
        match &config.nats_url {
            Some(url) => Ok(Self { url: url.reveal().to_owned(), _managed: None }),
            None => Self::start(config),
        }
    }

    /// For every other process: the server it is told, else the managed one of these data if it runs, else one of its
    /// own.
    pub(crate) fn running_or_own(config: &Config) -> Result<Self> {
        Self::running(config).or_else(|_| Self::own(config))
    }

    /// For what only a running Armada can do: the server it is told, or the managed one of these data.
    pub(crate) fn running(config: &Config) -> Result<Self> {
        if let Some(url) = &config.nats_url {
            return Ok(Self { url: url.reveal().to_owned(), _managed: None });
        }
        let runs = TcpStream::connect((Ipv4Addr::LOCALHOST, config.nats_port)).is_ok();
        match nats_server::url_of(&config.nats_folder(), config.nats_port) {
            Some(url) if runs => Ok(Self { url, _managed: None }),
            _ => bail!("no Armada runs on the data directory {}", config.data_dir.display()),
        }
    }

    fn start(config: &Config) -> Result<Self> {
        let program = nats_server::find()?;
        wait_for_port(config.nats_port)?;
        let server = NatsServer::start(&program, &config.nats_folder(), config.nats_port)?;
        Ok(Self { url: server.url(), _managed: Some(server) })
    }

    /// Connects as a service.
    pub(crate) async fn connect(&self, name: &str) -> Result<Bus> {
        Ok(Bus::connect(&self.url, name).await?)
    }
}

/// The server would be started again and again on a port that somebody else has; better to say so at once.
fn wait_for_port(port: u16) -> Result<()> {
    let started = Instant::now();
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(_) => return Ok(()),
            Err(error) if started.elapsed() > PORT_PATIENCE => bail!(
                "nats-server cannot listen on 127.0.0.1:{port}: {error}; ARMADA_NATS_PORT names another port, \
                 ARMADA_NATS_URL a server to use"
            ),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}
