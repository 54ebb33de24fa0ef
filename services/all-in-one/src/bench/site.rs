//! The Armada that is measured: a process of its own in a folder of its own, on free ports.

use std::{
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use armada_runtime::nats_server;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use super::scratch::ScratchDatabase;
use crate::config::{Config, Secret};

/// Whoever looks at it.
pub(crate) const EMAIL: &str = "bench@armada.local";
/// Their password.
pub(crate) const PASSWORD: &str = "measured-and-thrown-away";
const START_DEADLINE: Duration = Duration::from_secs(60);

/// A running Armada and an HTTP client of it.
pub(crate) struct Site {
    /// Its configuration.
    pub(crate) config: Config,
    http: reqwest::Client,
    child: Child,
    folder: std::path::PathBuf,
    database: Option<ScratchDatabase>,
}

impl Site {
    /// Starts it with a database of its own on the server that `config` names, else on SQLite.
    pub(crate) async fn start(config: &Config) -> Result<Self> {
        Self::start_program(config, None).await
    }

    /// The same with another program than this one.
    pub(crate) async fn start_program(config: &Config, program: Option<&Path>) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("armada-bench-{}", std::process::id()));
        let database = match config.database_owner_url.as_ref().or(config.database_url.as_ref()) {
            Some(server) => Some(ScratchDatabase::create(server).await?),
            None => None,
        };
        let there = |login: &Option<Secret>| match (&database, login) {
            (Some(database), Some(login)) => database.url(login).map(Some),
            _ => Ok(None),
        };
        let config = Config {
            database_url: there(&config.database_url)?,
            database_owner_url: there(&config.database_owner_url)?,
            http_addr: format!("127.0.0.1:{}", free_port()?),
            admin_addr: format!("127.0.0.1:{}", free_port()?),
            nats_port: free_port()?,
            nats_url: None,
            nats_urls: Default::default(),
            data_dir: folder.clone(),
            ..config.clone()
        };
        let program = match program {
            Some(program) => program.to_owned(),
            None => std::env::current_exe()?,
        };
        let child = Command::new(program)
            .arg("run")
            .env("ARMADA_HTTP_ADDR", &config.http_addr)
            .env("ARMADA_ADMIN_ADDR", &config.admin_addr)
            .env("ARMADA_NATS_PORT", config.nats_port.to_string())
            .env("ARMADA_DATA_DIR", &folder)
            // Loads have addresses of their own, as behind a proxy.
            .env("ARMADA_BFF__TRUSTED_PROXIES", "[\"127.0.0.1\"]")
            .env("ARMADA_ADMIN_EMAIL", EMAIL)
            .env("ARMADA_ADMIN_PASSWORD", PASSWORD)
            .env("ARMADA_LOG", "warn,async_nats=error")
            .env("DATABASE_URL", config.database_url.as_ref().map_or("", Secret::reveal))
            .env("DATABASE_OWNER_URL", config.database_owner_url.as_ref().map_or("", Secret::reveal))
            .env_remove("ARMADA_NATS_URL")
            .env_remove("ARMADA_GRPC_ADDR")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("armada run")?;
        let site = Self { config, http: reqwest::Client::new(), child, folder, database };
        site.ready().await?;
        Ok(site)
    }

    async fn ready(&self) -> Result<()> {
        let started = Instant::now();
        let url = format!("http://{}/readyz", self.config.admin_addr);
        while !self.http.get(&url).send().await.is_ok_and(|reply| reply.status().is_success()) {
            ensure!(started.elapsed() < START_DEADLINE, "armada run is not ready after {START_DEADLINE:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Stops it, and removes its files.
    pub(crate) async fn stop(&mut self) -> Result<()> {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGTERM)?;
        let status = self.child.wait()?;
        std::fs::remove_dir_all(&self.folder)?;
        if let Some(database) = self.database.take() {
            database.remove().await?;
        }
        ensure!(status.success(), "armada run ended with {status}");
        Ok(())
    }

    /// The process id of the program.
    pub(crate) fn pid(&self) -> i32 {
        self.child.id() as i32
    }

    /// Where its services connect.
    pub(crate) fn nats_url(&self) -> Result<String> {
        let url = nats_server::url_of(&self.config.nats_folder(), self.config.nats_port);
        url.context("the managed nats-server has no password yet")
    }

    /// Positions committed to history since it started.
    pub(crate) async fn stored(&self) -> Result<u64> {
        let text = self.http.get(format!("http://{}/metrics", self.config.admin_addr)).send().await?.text().await?;
        let line = text.lines().find_map(|line| line.strip_prefix("armada_ingest_positions_stored_total "));
        Ok(line.context("the counter of stored positions")?.trim().parse()?)
    }

    /// An access token of the platform owner.
    pub(crate) async fn token(&self) -> Result<String> {
        let body = json!({"email": EMAIL, "password": PASSWORD}).to_string();
        let reply = self.post("/auth/login", None, body).await?;
        Ok(reply["token"].as_str().context("a token")?.to_owned())
    }

    /// A ticket for the live socket.
    pub(crate) async fn ticket(&self) -> Result<String> {
        let token = self.token().await?;
        let reply = self.post("/api/v1/ws-ticket", Some(&token), "{}".to_owned()).await?;
        Ok(reply["ticket"].as_str().context("a ticket")?.to_owned())
    }

    /// Asks as the platform owner.
    pub(crate) async fn get(&self, path: &str) -> Result<Value> {
        let token = self.token().await?;
        let url = format!("http://{}{path}", self.config.http_addr);
        let reply = self.http.get(url).bearer_auth(token).send().await?.error_for_status()?;
        Ok(reply.json().await?)
    }

    /// Posts JSON.
    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: String) -> Result<Value> {
        let url = format!("http://{}{path}", self.config.http_addr);
        let mut request = self.http.post(url).header("content-type", "application/json").body(body);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        Ok(request.send().await?.error_for_status()?.json().await?)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn free_port() -> Result<u16> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port() {
        0 => bail!("no free port"),
        port => Ok(port),
    }
}
