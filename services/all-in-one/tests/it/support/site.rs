//! A place where the real program runs: a data folder, ports, a database, a first sign-in.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use armada_runtime::{
    db::{Logins, Owner},
    nats_server,
};
use armada_testkit::{
    Api, Durability, Kind, NatsServer, Postgres, children_of, eventually, free_port, nats_program, spawn_until_death,
    temp_dir,
};
use http::StatusCode;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::ChildStdout,
};

use super::SOON;

const EMAIL: &str = "owner@example.com";
const PASSWORD: &str = "correct horse battery";

/// Where the program runs.
pub struct Site {
    pub postgres: Option<Postgres>,
    pub http: String,
    pub admin: String,
    pub nats_port: u16,
    files: TempDir,
    pub logins: Option<Logins>,
    variables: Vec<(String, String)>,
}

impl Site {
    /// A site with a database of its own, which waits for the disk as in production.
    pub async fn new(kind: Kind) -> Self {
        let postgres = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => {
                let started = tokio::task::spawn_blocking(|| Postgres::start(Durability::Fsync));
                Some(started.await.expect("PostgreSQL starts"))
            }
        };
        let logins = match &postgres {
            Some(postgres) => Some(postgres.create_database().await),
            None => None,
        };
        Self {
            postgres,
            http: format!("127.0.0.1:{}", free_port()),
            admin: format!("127.0.0.1:{}", free_port()),
            nats_port: free_port(),
            files: temp_dir("site-"),
            logins,
            // The days of traces are long over, and what happened on them is to be found.
            variables: vec![
                ("ARMADA_NOTIFICATION__EVENT_DAYS".to_owned(), "10000".to_owned()),
                // Machines for tests need not keep their clocks in step.
                ("ARMADA_CLOCK_TRUSTED".to_owned(), "1".to_owned()),
            ],
        }
    }

    /// Sets a variable for every process of this site.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.files.path().join("data")
    }

    /// A folder for files of the test.
    pub fn folder(&self) -> &Path {
        self.files.path()
    }

    /// Has the program use a server that the test has started.
    pub fn use_nats(&mut self, nats: &NatsServer) {
        self.use_nats_at(&nats.url(), &nats.gateways_url());
    }

    /// The same by the addresses of whoever runs the machine, and of the account of gateways.
    pub fn use_nats_at(&mut self, url: &str, gateways: &str) {
        self.set("ARMADA_NATS_URL", url);
        for user in ["FLEET", "RECEIVER", "OPERATOR"] {
            self.set(&format!("ARMADA_NATS_URLS__{user}_GATEWAYS"), gateways);
        }
    }

    /// Where whoever runs the machine connects to the managed nats-server.
    pub fn operators_nats_url(&self) -> anyhow::Result<String> {
        nats_server::url_of(&self.data().join("nats"), self.nats_port).context("a password")
    }

    /// Where whoever runs the machine speaks with gateways.
    pub fn gateways_url(&self) -> anyhow::Result<String> {
        nats_server::gateways_url_of(&self.data().join("nats"), self.nats_port).context("a password")
    }

    /// The program with this site's configuration and nothing of the caller's.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_armada"));
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| {
                ["ARMADA_", "DATABASE_", "OTEL_", "SSL_CERT_"].iter().any(|prefix| name.starts_with(prefix))
            }) {
                command.env_remove(name);
            }
        }
        command
            .args(arguments)
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .env("ARMADA_HTTP_ADDR", &self.http)
            .env("ARMADA_ADMIN_ADDR", &self.admin)
            .env("ARMADA_DATA_DIR", self.data())
            .env("ARMADA_NATS_PORT", self.nats_port.to_string())
            .env("ARMADA_NATS_SERVER", nats_program())
            .env("ARMADA_ADMIN_EMAIL", EMAIL)
            .env("ARMADA_ADMIN_PASSWORD", PASSWORD);
        if let Some(logins) = &self.logins {
            command.env("DATABASE_URL", &logins.services);
            command.env("ARMADA_DATABASE_MAX_CONNECTIONS", logins.max_connections.to_string());
            if let Owner::Url(url) = &logins.owner {
                command.env("DATABASE_OWNER_URL", url);
            }
        }
        command.envs(self.variables.iter().cloned());
        command
    }

    /// Runs a command to its end.
    pub fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// Starts `armada run` with further arguments.
    pub fn start(&self, arguments: &[&str]) -> Armada {
        self.start_as("armada", arguments, &[])
    }

    /// The same, with a name for its log and variables of its own.
    pub fn start_as(&self, name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Armada {
        let mut command = self.command(&[&["run"], arguments].concat());
        command.envs(variables.iter().copied());
        Armada::spawn(command, &self.folder().join(format!("{name}.log")))
    }

    /// Starts `armada run` and waits until it serves.
    pub async fn run(&self) -> Armada {
        let mut armada = self.start(&[]);
        armada.ready(&self.admin).await;
        armada
    }

    /// Starts `armada replay`, which makes the tenant and the devices first.
    pub fn replay(&self, file: &Path, tenant: &str, arguments: &[&str]) -> Armada {
        let file = file.to_str().expect("a path that is text");
        let command = self.command(&[&["replay", file, "--register", "--tenant", tenant], arguments].concat());
        Armada::spawn(command, &self.folder().join("replay.log"))
    }

    /// The platform owner, signed in.
    pub async fn owner(&self) -> anyhow::Result<Api> {
        self.owner_at(&self.http).await
    }

    /// The same at another edge.
    pub async fn owner_at(&self, edge: &str) -> anyhow::Result<Api> {
        Api::new(&format!("http://{edge}")).sign_in(EMAIL, PASSWORD).await
    }

    /// The parts that `/readyz` says are missing, whether or not they take the process out of service.
    pub async fn missing(&self) -> anyhow::Result<BTreeSet<String>> {
        let reply = Api::new(&format!("http://{}", self.admin)).get("/readyz").await?;
        let body = reply.json();
        let checks = body["checks"].as_array().context("a list of checks")?;
        let failed = checks.iter().filter(|check| check["ok"] == false);
        let names = failed.map(|check| check["name"].as_str().map(str::to_owned).context("a name"));
        let names = names.collect::<anyhow::Result<BTreeSet<_>>>()?;
        let ready = body["ready"] == true;
        let wanted = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        anyhow::ensure!(reply.status == wanted && (ready || !names.is_empty()), "{} {}", reply.status, reply.text);
        Ok(names)
    }

    /// Somebody with a web browser.
    pub fn anybody(&self) -> Api {
        Api::new(&format!("http://{}", self.http))
    }

    /// Makes a user, who comes in by an invitation and chooses this password; their id. A password that the owner gave
    /// them would have to be changed first.
    pub async fn invited(&self, owner: &Api, mut user: Value, password: &str) -> anyhow::Result<String> {
        user["invite"] = json!(true);
        let made = owner.post("/api/v1/users", user).await?.expect(StatusCode::CREATED);
        let id = made["id"].as_str().context("an id")?.to_owned();
        let token = handed_over(owner, &id, "invitation").await?;
        let used = json!({ "token": token, "new_password": password });
        self.anybody().post("/auth/links/use", used).await?.expect(StatusCode::NO_CONTENT);
        Ok(id)
    }

    /// Signs in, and waits until the services know what this user may do.
    pub async fn sign_in(&self, email: &str, password: &str) -> anyhow::Result<Api> {
        let api = self.anybody().sign_in(email, password).await?;
        eventually("the services know who that is", SOON, async || {
            let reply = api.get("/api/v1/auth/me").await?;
            anyhow::ensure!(reply.status == StatusCode::OK, "{} {}", reply.status, reply.text);
            Ok(())
        })
        .await;
        Ok(api)
    }
}

/// The token of a link to a user's account that was handed over.
pub async fn handed_over(api: &Api, user: &str, purpose: &str) -> anyhow::Result<String> {
    let sent = api.post(&format!("/api/v1/users/{user}/links"), json!({ "purpose": purpose })).await?;
    let sent = sent.expect(StatusCode::OK);
    let (_, token) = sent["link"].as_str().and_then(|link| link.split_once('#')).context("a link")?;
    Ok(token.to_owned())
}

/// A running program. It is killed when dropped.
pub struct Armada {
    child: Child,
    log: PathBuf,
}

impl Armada {
    /// Starts a command; standard error goes to the end of a file.
    pub fn spawn(mut command: Command, log: &Path) -> Self {
        let file = File::options().create(true).append(true).open(log).expect("a log file");
        command.stdout(Stdio::piped()).stderr(file);
        let child = spawn_until_death(command, Signal::SIGKILL).expect("the program starts");
        Self { child, log: log.to_owned() }
    }

    /// Waits until its admin port says that it serves, and that nothing is missing.
    pub async fn ready(&mut self, admin: &str) {
        let api = Api::new(&format!("http://{admin}"));
        let started = Instant::now();
        eventually("the program serves", SOON, async || {
            if let Some(status) = self.child.try_wait()? {
                panic!("the program ended after {:?} with {status}: {}", started.elapsed(), self.log());
            }
            let reply = api.get("/readyz").await?;
            let has_everything =
                reply.json()["checks"].as_array().is_some_and(|checks| checks.iter().all(|check| check["ok"] == true));
            anyhow::ensure!(reply.status.is_success() && has_everything, "{} {}", reply.text, self.log());
            Ok(())
        })
        .await;
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// What it wrote to standard error, at the end.
    pub fn log(&self) -> String {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }

    /// What it prints while it runs, line by line. To be asked for once; `end` has nothing to tell then.
    pub fn lines(&mut self) -> anyhow::Result<Lines<BufReader<ChildStdout>>> {
        let stdout = self.child.stdout.take().context("it was piped")?;
        Ok(BufReader::new(ChildStdout::from_std(stdout)?).lines())
    }

    /// The process id of its nats-server.
    pub fn nats_pid(&self) -> Option<i32> {
        let children = children_of(self.child.id() as i32);
        children
            .into_iter()
            .find(|pid| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "nats-server"))
    }

    /// Its process id.
    pub fn pid(&self) -> i32 {
        self.child.id() as i32
    }

    /// The most memory that it has had at a time, in bytes.
    pub fn peak_memory(&self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid()))?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("a peak")?;
        Ok(peak.trim().trim_end_matches("kB").trim().parse::<u64>()? << 10)
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id() as i32), signal).expect("it runs");
    }

    /// Kills it with signal 9, and waits until it is gone.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().expect("it ends");
    }

    /// Sends a signal and waits for the end: its status and what it printed.
    pub async fn stop(self, signal: Signal) -> anyhow::Result<(ExitStatus, String)> {
        self.signal(signal);
        self.end(Duration::from_secs(30)).await
    }

    /// Waits for the end: the status and what it printed.
    pub async fn end(mut self, deadline: Duration) -> anyhow::Result<(ExitStatus, String)> {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            anyhow::ensure!(started.elapsed() < deadline, "it does not end: {}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let mut printed = String::new();
        let mut stdout = self.child.stdout.take().context("it was piped")?;
        std::io::Read::read_to_string(&mut stdout, &mut printed)?;
        Ok((status, printed))
    }
}

impl Drop for Armada {
    fn drop(&mut self) {
        self.kill();
    }
}
