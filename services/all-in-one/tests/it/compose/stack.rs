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

use super::{EMAIL, variables};
use crate::support::{
    SOON,
    chart::Chart,
    compose::{Compose, Service},
    services,
    site::Armada,
};

/// All services in one pod of the chart.
pub(crate) const TOGETHER: &str = "all-in-one";

/// The stack of the file, on this machine.
pub(crate) struct Stack {
    pub(crate) compose: Compose,
    /// What `.env` has.
    pub(crate) variables: BTreeMap<String, String>,
    /// What runs the program, by its name.
    processes: BTreeMap<String, Process>,
    nats_process: Process,
    ports: HashMap<(String, u16), u16>,
    postgres: Postgres,
    nats: Option<Child>,
    /// Logs, volumes, and what tests put there.
    pub(crate) files: TempDir,
}

/// What a container runs.
struct Process {
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
}

impl Stack {
    pub(crate) async fn new() -> Result<Self> {
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
        // The edge is a part of it.
        ports.insert((TOGETHER.to_owned(), 8080), ports[&("bff".to_owned(), 8080)]);
        ports.insert((TOGETHER.to_owned(), 8081), free_port());
        let variables = variables(&format!("http://127.0.0.1:{}", ports[&("bff".to_owned(), 8080)]))?;
        let compose = Compose::read(&variables)?;
        let of = |service: &Service| Process {
            arguments: service.command.clone(),
            environment: service.environment.clone(),
        };
        let processes = compose.services.iter().map(|(name, service)| (name.clone(), of(service))).collect();
        let nats_process = nats_of(&compose.services["nats"])?;
        let files = temp_dir("compose-");
        Ok(Self { compose, variables, processes, nats_process, ports, postgres, nats: None, files })
    }

    /// The same with what pods of a rendering of the chart are told in the place of the containers, by a Secret with what `.env`
    /// has. The database is made as for the containers; it speaks no TLS here.
    pub(crate) async fn of_chart(rendering: &str) -> Result<Self> {
        let mut stack = Self::new().await?;
        let chart = Chart::read(rendering)?;
        let volume = stack.files.path().join("data").to_string_lossy().into_owned();
        let public_url = &stack.variables["ARMADA_PUBLIC_URL"];
        stack.processes.clear();
        for container in chart.containers()?.iter().filter(|container| container.kind != "CronJob") {
            let mut environment = container.environment(&stack.variables)?;
            for value in environment.values_mut() {
                let named = |value: String, (host, port): &(String, u16)| {
                    value.replace(&format!("armada-{host}:{port}"), &format!("{host}:{port}"))
                };
                let value_here = stack.ports.keys().fold(value.clone(), named);
                *value = value_here.replace("verify-full", "disable").replace("/var/lib/armada", &volume);
            }
            environment.entry("ARMADA_PUBLIC_URL".to_owned()).and_modify(|url| url.clone_from(public_url));
            // As somebody may say in `settings`.
            if environment.contains_key("ARMADA_ADMIN_PASSWORD") {
                environment.insert("ARMADA_ADMIN_EMAIL".to_owned(), EMAIL.to_owned());
            }
            let process = Process { arguments: container.arguments()?, environment };
            if container.component == "nats" {
                stack.nats_process = process;
            } else {
                stack.processes.insert(container.component.clone(), process);
            }
        }
        let config = stack.files.path().join("nats.conf");
        let pid_file = stack.files.path().join("nats.pid");
        fs::write(&config, chart.nats_conf()?.replace("/run/nats/nats.pid", &pid_file.to_string_lossy()))?;
        let [flag, _] = &stack.nats_process.arguments[..] else { anyhow::bail!("{:?}", stack.nats_process.arguments) };
        stack.nats_process.arguments = vec![flag.clone(), config.to_string_lossy().into_owned()];
        Ok(stack)
    }

    /// The names of the processes that serve.
    pub(crate) fn serving(&self) -> impl Iterator<Item = &str> {
        let serve =
            self.processes.iter().filter(|(_, process)| process.arguments.first().is_some_and(|first| first == "run"));
        serve.map(|(name, _)| name.as_str())
    }

    fn service(&self, name: &str) -> &Service {
        &self.compose.services[name]
    }

    pub(crate) fn address(&self, name: &str, port: u16) -> String {
        format!("127.0.0.1:{}", self.ports[&(name.to_owned(), port)])
    }

    pub(crate) fn api(&self) -> Api {
        Api::new(&format!("http://{}", self.address("bff", 8080)))
    }

    pub(crate) fn nats_url(&self, login: &str) -> String {
        format!("nats://{login}{}", self.address("nats", 4222))
    }

    /// As PostgreSQL's image does it: an administrator runs the mounted script on the new database.
    pub(crate) async fn initialise_postgres(&self) -> Result<()> {
        let service = self.service("postgres");
        let mounts = service.mounts();
        let script = mounts.iter().find(|(_, place)| place.starts_with("/docker-entrypoint-initdb.d/"));
        let (script, _) = script.context("a script of initialisation")?;
        self.postgres.initialise_with(script, &service.environment["POSTGRES_DB"], &service.environment).await;
        Ok(())
    }

    /// The server with its configuration; ports and folder are this machine's.
    pub(crate) fn start_nats(&mut self) -> Result<()> {
        let mut command = Command::new(nats_program());
        command
            .args(&self.nats_process.arguments)
            .env_clear()
            .envs(&self.nats_process.environment)
            .stdin(Stdio::null());
        command.env("NATS_STORE_DIR", self.files.path().join("nats"));
        command.args(["--addr", "127.0.0.1", "--port", &self.ports[&("nats".to_owned(), 4222)].to_string()]);
        command.args(["--http_port", &self.ports[&("nats".to_owned(), 8222)].to_string()]);
        command.arg("--log").arg(self.files.path().join("nats.log"));
        self.nats = Some(spawn_until_death(command, Signal::SIGKILL)?);
        Ok(())
    }

    /// The program with what a container of that name has, and nothing else. Its data folder cannot be made, as in a
    /// container whose root is read-only.
    pub(crate) fn command(&self, name: &str, arguments: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_armada"));
        command.args(arguments).env_clear().env("ARMADA_DATA_DIR", "/proc/armada");
        command.envs(self.processes[name].environment.iter().map(|(key, value)| (key, self.here(name, value))));
        command.current_dir(self.folder()).stdin(Stdio::null());
        command
    }

    pub(crate) fn start(&self, name: &str) -> Armada {
        let command = self.command(name, &self.processes[name].arguments);
        Armada::spawn(command, &self.files.path().join(format!("{name}.log")))
    }

    pub(crate) fn folder(&self) -> PathBuf {
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
    pub(crate) async fn start_everything(&mut self) -> Result<Vec<Armada>> {
        let migrate = self.start("migrate");
        self.start_nats()?;
        self.initialise_postgres().await?;
        let (status, _) = migrate.end(SOON).await?;
        ensure!(status.success(), "{}", self.log("migrate"));
        let mut running = Vec::new();
        for name in self.serving() {
            running.push((name, self.start(name)));
        }
        for (name, armada) in &mut running {
            armada.ready(&self.address(name, 8081)).await;
        }
        Ok(running.into_iter().map(|(_, armada)| armada).collect())
    }

    pub(crate) fn log(&self, name: &str) -> String {
        fs::read_to_string(self.files.path().join(format!("{name}.log"))).unwrap_or_default()
    }
}

/// The server as the container runs it, with the mounted configuration.
fn nats_of(service: &Service) -> Result<Process> {
    let [flag, place] = &service.command[..] else { anyhow::bail!("{:?}", service.command) };
    let mounts = service.mounts();
    let (config, _) = mounts.iter().find(|(_, there)| there == place).context("the mounted configuration")?;
    let arguments = vec![flag.clone(), config.to_string_lossy().into_owned()];
    Ok(Process { arguments, environment: service.environment.clone() })
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some(mut nats) = self.nats.take() {
            let _ = nats.kill();
            let _ = nats.wait();
        }
    }
}
