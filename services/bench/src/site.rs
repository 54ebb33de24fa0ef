//! The Armada that is measured: a process of its own in a folder of its own, on free ports.

use std::{
    convert::Infallible,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use armada_runtime::{
    Secret,
    db::{Location, Logins, Owner},
    nats_server,
};
use clap::Args;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::scratch::ScratchDatabase;

/// Whoever looks at it.
pub const EMAIL: &str = "bench@armada.local";
/// Their password.
pub const PASSWORD: &str = "measured-and-thrown-away";
const START_DEADLINE: Duration = Duration::from_secs(60);

/// What is measured, and where it stores.
#[derive(Args)]
pub struct Target {
    /// Another program than the `armada` beside this one, e.g. of the version before.
    #[arg(long, global = true, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The PostgreSQL server on which a database is made for this; SQLite when absent.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, default_value = "", hide_default_value = true, value_parser = secret)]
    database_url: Secret,
    /// The same for migrations, as the owner of its tables.
    #[arg(long, env = "DATABASE_OWNER_URL", hide_env_values = true, default_value = "", hide_default_value = true, value_parser = secret)]
    database_owner_url: Secret,
}

fn secret(text: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(text.to_owned()))
}

/// A running Armada and an HTTP client of it.
pub struct Site {
    /// Where it serves the console and REST.
    pub http_addr: String,
    /// Where it serves metrics.
    pub admin_addr: String,
    /// Its data.
    pub folder: PathBuf,
    nats_port: u16,
    program: PathBuf,
    database_url: Option<Secret>,
    database_owner_url: Option<Secret>,
    http: reqwest::Client,
    child: Option<Child>,
    database: Option<ScratchDatabase>,
    settings: Vec<(&'static str, String)>,
}

impl Site {
    /// Starts it with a database of its own on the server that is named, else on SQLite.
    pub async fn start(target: &Target) -> Result<Self> {
        Self::start_with(target, Vec::new()).await
    }

    /// The same with settings that are not the usual ones, as variables of its environment.
    pub async fn start_with(target: &Target, settings: Vec<(&'static str, String)>) -> Result<Self> {
        let logins = [&target.database_url, &target.database_owner_url];
        let [login, owner] = logins.map(|url| Some(url).filter(|url| !url.reveal().is_empty()));
        let database = match owner.or(login) {
            Some(server) => Some(ScratchDatabase::create(server).await?),
            None => None,
        };
        let url =
            |login: Option<&Secret>| database.as_ref().zip(login).map(|(made, login)| made.url(login)).transpose();
        let mut site = Self {
            http_addr: format!("127.0.0.1:{}", free_port()?),
            admin_addr: format!("127.0.0.1:{}", free_port()?),
            folder: std::env::temp_dir().join(format!("armada-bench-{}", std::process::id())),
            nats_port: free_port()?,
            program: match &target.program {
                Some(program) => program.clone(),
                None => std::env::current_exe()?.with_file_name("armada"),
            },
            database_url: url(login)?,
            database_owner_url: url(owner)?,
            http: reqwest::Client::new(),
            child: None,
            database,
            settings,
        };
        site.run().await?;
        Ok(site)
    }

    /// Stops it and starts it again in the same place: nothing is in its memory then.
    pub async fn restart(&mut self) -> Result<()> {
        self.end()?;
        self.run().await
    }

    async fn run(&mut self) -> Result<()> {
        let child = self.command("run").stdout(Stdio::null()).spawn();
        self.child = Some(child.with_context(|| self.program.display().to_string())?);
        self.ready().await
    }

    /// Ends the process, if there is one.
    fn end(&mut self) -> Result<()> {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM)?;
        let status = child.wait()?;
        ensure!(status.success(), "armada run ended with {status}");
        Ok(())
    }

    /// A command of the program, with the configuration of this site.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg(name)
            .env("ARMADA_HTTP_ADDR", &self.http_addr)
            .env("ARMADA_ADMIN_ADDR", &self.admin_addr)
            .env("ARMADA_NATS_PORT", self.nats_port.to_string())
            .env("ARMADA_DATA_DIR", &self.folder)
            // Loads have addresses of their own, as behind a proxy.
            .env("ARMADA_BFF__TRUSTED_PROXIES", "[\"127.0.0.1\"]")
            .env("ARMADA_ADMIN_EMAIL", EMAIL)
            .env("ARMADA_ADMIN_PASSWORD", PASSWORD)
            .env("ARMADA_LOG", "warn,async_nats=error")
            .env("DATABASE_URL", self.database_url.as_ref().map_or("", Secret::reveal))
            .env("DATABASE_OWNER_URL", self.database_owner_url.as_ref().map_or("", Secret::reveal))
            .env_remove("ARMADA_NATS_URL")
            .env_remove("ARMADA_GRPC_ADDR")
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// Where its databases are.
    pub fn location(&self) -> Location {
        let Some(url) = &self.database_url else { return Location::Sqlite(self.folder.clone()) };
        let owner = self.database_owner_url.as_ref();
        let owner = owner.map_or(Owner::SameLogin, |url| Owner::Url(url.reveal().to_owned()));
        let max_connections = Logins::MAX_CONNECTIONS;
        Location::Postgres(Logins { services: url.reveal().to_owned(), owner, max_connections })
    }

    /// Whether it stores in PostgreSQL.
    pub fn is_postgres(&self) -> bool {
        self.database_url.is_some()
    }

    async fn ready(&self) -> Result<()> {
        let started = Instant::now();
        let url = format!("http://{}/readyz", self.admin_addr);
        while !self.http.get(&url).send().await.is_ok_and(|reply| reply.status().is_success()) {
            ensure!(started.elapsed() < START_DEADLINE, "armada run is not ready after {START_DEADLINE:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Stops it, and removes its files.
    pub async fn stop(&mut self) -> Result<()> {
        if self.child.is_none() {
            return Ok(());
        }
        let ended = self.end();
        std::fs::remove_dir_all(&self.folder)?;
        if let Some(database) = self.database.take() {
            database.remove().await?;
        }
        ended
    }

    /// The process id of the program.
    pub fn pid(&self) -> i32 {
        self.child.as_ref().map_or(0, |child| child.id() as i32)
    }

    /// Where its services connect.
    pub fn nats_url(&self) -> Result<String> {
        let url = nats_server::url_of(&self.folder.join("nats"), self.nats_port);
        url.context("the managed nats-server has no password yet")
    }

    /// Where whoever runs the machine publishes as gateways do.
    pub fn gateways_url(&self) -> Result<String> {
        let url = nats_server::gateways_url_of(&self.folder.join("nats"), self.nats_port);
        url.context("the managed nats-server has no password yet")
    }

    /// Where gateways connect that give no name: host and port.
    pub fn nats_address(&self) -> String {
        format!("127.0.0.1:{}", self.nats_port)
    }

    /// Positions committed to history since it started.
    pub async fn stored(&self) -> Result<u64> {
        Ok(self.metric("armada_ingest_positions_stored_total").await?.parse()?)
    }

    /// Seconds in which the receiver's tasks ran since it started.
    pub async fn receiver_seconds(&self) -> Result<f64> {
        Ok(self.metric("armada_receiver_busy_seconds_total").await?.parse()?)
    }

    async fn metric(&self, name: &str) -> Result<String> {
        let text = self.http.get(format!("http://{}/metrics", self.admin_addr)).send().await?.text().await?;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(value.with_context(|| format!("there is no metric {name}"))?.trim().to_owned())
    }

    /// An access token of the platform owner.
    pub async fn token(&self) -> Result<String> {
        let body = json!({"email": EMAIL, "password": PASSWORD}).to_string();
        let reply = self.post("/auth/login", None, body).await?;
        Ok(reply["token"].as_str().context("a token")?.to_owned())
    }

    /// A ticket for the live socket.
    pub async fn ticket(&self) -> Result<String> {
        let token = self.token().await?;
        let reply = self.post("/api/v1/ws-ticket", Some(&token), "{}".to_owned()).await?;
        Ok(reply["ticket"].as_str().context("a ticket")?.to_owned())
    }

    /// Asks as the platform owner.
    pub async fn get(&self, path: &str) -> Result<Value> {
        self.get_with(path, &self.token().await?).await
    }

    /// Asks with an access token.
    pub async fn get_with(&self, path: &str, token: &str) -> Result<Value> {
        let url = format!("http://{}{path}", self.http_addr);
        let reply = self.http.get(url).bearer_auth(token).send().await?.error_for_status()?;
        Ok(reply.json().await?)
    }

    /// The body of an answer as it came, in an encoding (`gzip`, `identity`).
    pub async fn read(&self, path: &str, token: &str, encoding: &str) -> Result<Vec<u8>> {
        let url = format!("http://{}{path}", self.http_addr);
        let request = self.http.get(url).bearer_auth(token).header("accept-encoding", encoding);
        Ok(request.send().await?.error_for_status()?.bytes().await?.to_vec())
    }

    /// Sends a file as the platform owner.
    pub async fn upload(&self, path: &str, kind: &str, file: String) -> Result<Value> {
        self.upload_as(path, kind, file, &self.token().await?).await
    }

    /// The same with an access token.
    pub async fn upload_as(&self, path: &str, kind: &str, file: String, token: &str) -> Result<Value> {
        let url = format!("http://{}{path}", self.http_addr);
        let request = self.http.post(url).header("content-type", kind).body(file);
        answer_of(request.bearer_auth(token)).await
    }

    /// Posts JSON.
    pub async fn post(&self, path: &str, token: Option<&str>, body: String) -> Result<Value> {
        answer_of(self.request(Method::POST, path, token, body)).await
    }

    /// The same from an address of its own, as a proxy tells it.
    pub async fn post_from(&self, address: &str, path: &str, token: Option<&str>, body: String) -> Result<Value> {
        answer_of(self.request(Method::POST, path, token, body).header("x-forwarded-for", address)).await
    }

    /// Puts JSON.
    pub async fn put(&self, path: &str, token: &str, body: String) -> Result<Value> {
        answer_of(self.request(Method::PUT, path, Some(token), body)).await
    }

    fn request(&self, method: Method, path: &str, token: Option<&str>, body: String) -> RequestBuilder {
        let url = format!("http://{}{path}", self.http_addr);
        let request = self.http.request(method, url).header("content-type", "application/json").body(body);
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }
}

/// The JSON of an answer; null where it has no body.
async fn answer_of(request: RequestBuilder) -> Result<Value> {
    let reply = request.send().await?;
    let (status, url) = (reply.status(), reply.url().path().to_owned());
    let body = reply.bytes().await?;
    ensure!(status.is_success(), "{url}: {status}: {}", String::from_utf8_lossy(&body));
    Ok(if body.is_empty() { Value::Null } else { serde_json::from_slice(&body)? })
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
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
