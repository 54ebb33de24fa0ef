//! The services as processes, beside a PostgreSQL and a NATS server as the file wants them.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Api, Durability, Postgres, free_port, nats_program, spawn_until_death, temp_dir};
use nix::sys::signal::Signal;
use tempfile::TempDir;

use super::variables;
use crate::support::{
    SOON,
    compose::{Compose, Service},
    services,
    site::Armada,
};

/// The stack of the file, on this machine.
pub(super) struct Stack {
    pub(super) compose: Compose,
    /// What `.env` has.
    pub(super) variables: BTreeMap<String, String>,
    ports: HashMap<(String, u16), u16>,
    postgres: Postgres,
    nats: Option<Child>,
    /// Logs, volumes, and what tests put there.
    pub(super) files: TempDir,
}

impl Stack {
    pub(super) async fn new() -> Result<Self> {
        let postgres = tokio::task::spawn_blocking(|| Postgres::start(Durability::Fast)).await?;
        let mut ports = HashMap::from([(("postgres".to_owned(), 5432), postgres.port())]);
        for (name, port) in [("nats", 4222), ("nats", 8222), ("bff", 8080)] {
            ports.insert((name.to_owned(), port), free_port());
        }
        for name in services().chain(["migrate"]) {
            for port in [8081, 8082] {
                ports.insert((name.to_owned(), port), free_port());
            }
        }
        let variables = variables(&format!("http://127.0.0.1:{}", ports[&("bff".to_owned(), 8080)]))?;
        let compose = Compose::read(&variables)?;
        Ok(Self { compose, variables, ports, postgres, nats: None, files: temp_dir("compose-") })
    }

    fn service(&self, name: &str) -> &Service {
        &self.compose.services[name]
    }

    pub(super) fn address(&self, name: &str, port: u16) -> String {
        format!("127.0.0.1:{}", self.ports[&(name.to_owned(), port)])
    }

    pub(super) fn api(&self) -> Api {
        Api::new(&format!("http://{}", self.address("bff", 8080)))
    }

    pub(super) fn nats_url(&self, login: &str) -> String {
        format!("nats://{login}{}", self.address("nats", 4222))
    }

    /// As PostgreSQL's image does it: an administrator runs the mounted script on the new database.
    async fn initialise_postgres(&self) -> Result<()> {
        let service = self.service("postgres");
        let mounts = service.mounts();
        let script = mounts.iter().find(|(_, place)| place.starts_with("/docker-entrypoint-initdb.d/"));
        let (script, _) = script.context("a script of initialisation")?;
        self.postgres.initialise_with(script, &service.environment["POSTGRES_DB"], &service.environment).await;
        Ok(())
    }

    /// The server with the mounted configuration; ports and folder are this machine's.
    fn start_nats(&mut self) -> Result<()> {
        let service = self.service("nats");
        let [flag, place] = &service.command[..] else { anyhow::bail!("{:?}", service.command) };
        let mounts = service.mounts();
        let (config, _) = mounts.iter().find(|(_, there)| there == place).context("the mounted configuration")?;
        let mut command = Command::new(nats_program());
        command.arg(flag).arg(config).env_clear().envs(&service.environment).stdin(Stdio::null());
        command.env("NATS_STORE_DIR", self.files.path().join("nats"));
        command.args(["--addr", "127.0.0.1", "--port", &self.ports[&("nats".to_owned(), 4222)].to_string()]);
        command.args(["--http_port", &self.ports[&("nats".to_owned(), 8222)].to_string()]);
        command.arg("--log").arg(self.files.path().join("nats.log"));
        self.nats = Some(spawn_until_death(command, Signal::SIGKILL)?);
        Ok(())
    }

    /// The program with what a container of that name has, and nothing else. Its data folder cannot be made, as in a
    /// container whose root is read-only.
    pub(super) fn command(&self, name: &str, arguments: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_armada"));
        command.args(arguments).env_clear().env("ARMADA_DATA_DIR", "/proc/armada");
        command.envs(self.service(name).environment.iter().map(|(key, value)| (key, self.here(name, value))));
        command.current_dir(self.folder()).stdin(Stdio::null());
        command
    }

    fn start(&self, name: &str) -> Armada {
        let command = self.command(name, &self.service(name).command);
        Armada::spawn(command, &self.files.path().join(format!("{name}.log")))
    }

    pub(super) fn folder(&self) -> PathBuf {
        let folder = self.files.path().join("root");
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// A value with the addresses of containers replaced by those of this machine.
    fn here(&self, name: &str, value: &str) -> String {
        // The volume of files is a folder here.
        let files = format!("file://{}", self.files.path().join("files").display());
        self.ports.keys().fold(value.replace("file:///files", &files), |value, (host, port)| {
            let value = value.replace(&format!("{host}:{port}"), &self.address(host, *port));
            if host == name { value.replace(&format!("0.0.0.0:{port}"), &self.address(host, *port)) } else { value }
        })
    }

    /// Every service as a process, after the one that migrates, which starts before anything it needs is there.
    pub(super) async fn start_everything(&mut self) -> Result<Vec<Armada>> {
        let migrate = self.start("migrate");
        self.start_nats()?;
        self.initialise_postgres().await?;
        let (status, _) = migrate.end(SOON).await?;
        ensure!(status.success(), "{}", self.log("migrate"));
        let mut running = Vec::new();
        for (name, _) in self.compose.roles() {
            running.push((name, self.start(name)));
        }
        for (name, armada) in &mut running {
            armada.ready(&self.address(name, 8081)).await;
        }
        Ok(running.into_iter().map(|(_, armada)| armada).collect())
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.files.path().join(format!("{name}.log"))).unwrap_or_default()
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some(mut nats) = self.nats.take() {
            let _ = nats.kill();
            let _ = nats.wait();
        }
    }
}
