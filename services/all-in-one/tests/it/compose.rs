//! `docker-compose.yml` without an engine: the same programs with the same arguments, variables and files as in the
//! containers, as processes of this machine. Names of containers become ports here; nothing else is different.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_runtime::{Bus, nkey::AccountKey};
use armada_testkit::{
    Api, Durability, Gateway, Postgres, Socket, eventually, free_port, nats_program, spawn_until_death, temp_dir,
};
use armada_track::partition_of;
use async_nats::{ConnectOptions, Event};
use futures::StreamExt;
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    SOON,
    compose::{self, Compose, Service},
    history,
    site::Armada,
    trace,
};

const IMEI: &str = "356307042441013";
const EMAIL: &str = "root@example.org";

/// Variables as `deploy/make-env` writes them, with a first sign-in.
fn variables(public_url: &str) -> Result<BTreeMap<String, String>> {
    let mut variables = compose::example()?;
    for (name, value) in &mut variables {
        if is_made(name) {
            *value = made(name);
        }
    }
    let issuer = AccountKey::generate()?;
    variables.insert("NATS_CALLOUT_ISSUER".to_owned(), issuer.public());
    variables.insert("ARMADA_IDENTITY__GATEWAY_ISSUER_SEED".to_owned(), issuer.seed());
    variables.insert("ARMADA_ADMIN_EMAIL".to_owned(), EMAIL.to_owned());
    variables.insert("ARMADA_PUBLIC_URL".to_owned(), public_url.to_owned());
    Ok(variables)
}

/// Which container has which login of the database, the owner's apart.
const LOGINS: [(&str, &str); 5] = [
    ("migrate", "ARMADA_APP_PASSWORD"),
    ("identity", "ARMADA_IDENTITY_PASSWORD"),
    ("fleet", "ARMADA_FLEET_PASSWORD"),
    ("notification", "ARMADA_NOTIFICATION_PASSWORD"),
    ("position-ingest", "ARMADA_POSITION_INGEST_PASSWORD"),
];

/// Whether a container is told the password that [`variables`] has under this name.
fn knows(service: &Service, variable: &str) -> bool {
    service.environment.values().any(|value| value.contains(&made(variable)))
}

/// A password or key as [`variables`] has it: a different one for each name, and long enough for a key.
fn made(name: &str) -> String {
    let name: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("p{name:0<40}")
}

/// Whether `deploy/make-env` makes the value of a variable.
fn is_made(name: &str) -> bool {
    name.ends_with("_PASSWORD") || name.ends_with("_SECRET_KEY")
}

/// The stack of the file, on this machine.
struct Stack {
    compose: Compose,
    variables: BTreeMap<String, String>,
    ports: HashMap<(String, u16), u16>,
    postgres: Postgres,
    nats: Option<Child>,
    files: TempDir,
}

impl Stack {
    async fn new() -> Result<Self> {
        let postgres = tokio::task::spawn_blocking(|| Postgres::start(Durability::Fast)).await?;
        let mut ports = HashMap::from([(("postgres".to_owned(), 5432), postgres.port())]);
        for (name, port) in [("nats", 4222), ("nats", 8222), ("bff", 8080)] {
            ports.insert((name.to_owned(), port), free_port());
        }
        for name in ["identity", "fleet", "notification", "position-ingest", "bff", "migrate"] {
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

    fn address(&self, name: &str, port: u16) -> String {
        format!("127.0.0.1:{}", self.ports[&(name.to_owned(), port)])
    }

    fn api(&self) -> Api {
        Api::new(&format!("http://{}", self.address("bff", 8080)))
    }

    fn nats_url(&self, login: &str) -> String {
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
    fn command(&self, name: &str, arguments: &[String]) -> Command {
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

    fn folder(&self) -> PathBuf {
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
    async fn start_everything(&mut self) -> Result<Vec<Armada>> {
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

#[tokio::test(flavor = "multi_thread")]
async fn the_stack_serves_from_a_gateway_to_the_map() -> Result<()> {
    let mut stack = Stack::new().await?;
    let running = stack.start_everything().await?;
    assert_eq!(running.len(), 5);
    for (name, service) in stack.compose.roles() {
        let check = service.healthcheck.as_ref().context("a health check")?;
        let test: Vec<String> = serde_yaml_ng::from_value(check["test"].clone())?;
        assert_eq!(test[..2], ["CMD", "/usr/local/bin/armada"], "{name}");
        let checked = stack.command(name, &test[2..]).output()?;
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
    }

    let owner = stack.api().sign_in(EMAIL, &stack.variables["ARMADA_ADMIN_PASSWORD"]).await?;
    let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
    let device = json!({ "tenant_id": tenant["id"], "imei": IMEI, "name": "Truck 1" });
    let device = owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
    let made = owner.post("/api/v1/gateways", json!({ "name": "harbour" })).await?.expect(StatusCode::CREATED);
    let secret = made["secret"].as_str().context("a secret")?;
    let gateway = Gateway::connect_to(&stack.nats_url(&format!("harbour:{secret}@")), "harbour").await;
    let fix = json!({ "recorded_at": Timestamp::now().to_rfc3339(), "lat": -6.1754, "lng": 106.8272, "speed": 38 });
    gateway.report(IMEI, &fix).await?;
    gateway.report("356307042441021", &fix).await?;
    eventually("the position is on the map", SOON, async || {
        let last = owner.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
        let found = last["items"].as_array().context("items")?.iter().find(|item| item["device_id"] == device["id"]);
        ensure!(found.is_some_and(|item| item["lat"] == -6.1754), "{last}");
        Ok(())
    })
    .await;
    open_and_close_socket(&owner).await?;
    replay_a_trace(&stack, &owner).await?;
    shown_numbers_exist(&stack).await?;

    for armada in running {
        let (status, _) = armada.stop(Signal::SIGTERM).await?;
        assert_eq!(status.code(), Some(0));
    }
    assert_eq!(fs::read_dir(stack.folder())?.count(), 0, "a container has nowhere to write");
    Ok(())
}

/// As the container of `migrate` can be told to: vehicles to look at.
async fn replay_a_trace(stack: &Stack, owner: &Api) -> Result<()> {
    let file = stack.files.path().join("trace.csv.gz");
    trace::generate(&file, 1, 2, 20, 1_000, false);
    let file_name = file.to_str().context("a path that is text")?;
    let arguments = ["replay", file_name, "--register", "--tenant", "Trial", "--speed", "max"].map(str::to_owned);
    let replayed = stack.command("migrate", &arguments).output()?;
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    history::equals(owner, "Trial", &trace::expected(&file), SOON).await;
    Ok(())
}

async fn open_and_close_socket(owner: &Api) -> Result<()> {
    let ticket = owner.post("/api/v1/ws-ticket", json!({})).await?.json();
    let ticket = ticket["ticket"].as_str().context("a ticket")?;
    Socket::open(&owner.url(&format!("/ws?token={ticket}&userId=&context=maps"))).await?.close().await
}

/// What Grafana and Prometheus ask for is there to be scraped.
async fn shown_numbers_exist(stack: &Stack) -> Result<()> {
    let mut expressions = Vec::new();
    let deploy = compose::repository().join("deploy");
    let board: Value = serde_json::from_str(&fs::read_to_string(deploy.join("grafana/dashboards/armada.json"))?)?;
    for panel in board["panels"].as_array().context("panels")? {
        let targets = panel["targets"].as_array().into_iter().flatten();
        expressions.extend(targets.filter_map(|target| target["expr"].as_str().map(str::to_owned)));
    }
    let rules: serde_yaml_ng::Value =
        serde_yaml_ng::from_str(&fs::read_to_string(deploy.join("prometheus/rules.yml"))?)?;
    for group in rules["groups"].as_sequence().context("groups")? {
        let rules = group["rules"].as_sequence().into_iter().flatten();
        expressions.extend(rules.filter_map(|rule| rule["expr"].as_str().map(str::to_owned)));
    }
    let asked: BTreeSet<String> = expressions.iter().flat_map(|expression| metrics_of(expression)).collect();
    assert!(asked.len() > 8, "{asked:?}");
    eventually("every number is there", SOON, async || {
        let mut there = BTreeSet::from(["up".to_owned()]);
        for (name, _) in stack.compose.roles() {
            let text = Api::new(&format!("http://{}", stack.address(name, 8081))).get("/metrics").await?.text;
            let names = text.lines().filter(|line| !line.starts_with('#')).filter_map(|l| l.split(['{', ' ']).next());
            there.extend(names.map(str::to_owned));
        }
        let missing: Vec<_> = asked.difference(&there).collect();
        ensure!(missing.is_empty(), "{missing:?} of {there:?}");
        Ok(())
    })
    .await;
    Ok(())
}

/// The names in an expression of PromQL that are neither functions nor labels.
fn metrics_of(expression: &str) -> BTreeSet<String> {
    let without = |text: &str, begin: &str, end: char| {
        let mut pieces = text.split(begin);
        let mut plain = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            // What stands before `by (…)` is the name of a function.
            let kept = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic() && begin == " by (").len();
            plain.truncate(kept);
            plain = plain + " " + piece.split_once(end).map_or("", |(_, after)| after);
        }
        plain
    };
    let plain = without(&without(expression, "{", '}'), "[", ']');
    let plain = without(&without(&plain, " by (", ')'), " on (", ')') + " ";
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = plain.split_inclusive(|c: char| !is_name(c)).filter(|word| !word.ends_with('('));
    let names = words.map(|word| word.trim_end_matches(|c: char| !is_name(c)));
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())).map(str::to_owned).collect()
}

#[test]
fn metrics_are_told_from_functions_and_labels() {
    let names = |expression| metrics_of(expression).into_iter().collect::<Vec<_>>();
    assert_eq!(
        names("sum by (reason) (rate(a_total{b=\"c\"}[5m])) > 0.05 * sum(rate(d_total[5m])) + 1"),
        ["a_total", "d_total"]
    );
    assert_eq!(names("histogram_quantile(0.5, sum by (le, route) (rate(e_bucket[5m])))"), ["e_bucket"]);
    assert_eq!(names("up{job=\"x\"} >= on (pool) db_max"), ["db_max", "up"]);
}

/// What the server says to a client that does what it may not.
struct Watched {
    client: async_nats::Client,
    said: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    async fn connect(address: &str, user: &str, password: &str) -> Result<Self> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = said.clone();
        let options = ConnectOptions::with_user_and_password(user.to_owned(), password.to_owned());
        let options = options.event_callback(move |event: Event| {
            heard.lock().expect("no panic while held").push(event.to_string());
            std::future::ready(())
        });
        Ok(Self { client: options.connect(address).await?, said })
    }

    async fn is_refused(&self, kind: &str, subject: &str) {
        eventually(&format!("{kind} {subject} is refused"), SOON, async || {
            let said = self.said.lock().expect("no panic while held").clone();
            let lower = |text: &String| text.to_lowercase();
            let wanted = format!("permissions violation for {kind} to \"{subject}\"").to_lowercase();
            ensure!(said.iter().map(lower).any(|text| text.contains(&wanted)), "{said:?}");
            Ok(())
        })
        .await;
    }

    async fn may_not_publish(&self, subject: &str) -> Result<()> {
        self.client.publish(subject.to_owned(), "{}".into()).await?;
        self.client.flush().await?;
        self.is_refused("publish", subject).await;
        Ok(())
    }

    async fn may_not_subscribe(&self, subject: &str) -> Result<()> {
        let _subscription = self.client.subscribe(subject.to_owned()).await?;
        self.client.flush().await?;
        self.is_refused("subscription", subject).await;
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nats_lets_nobody_do_more_than_their_part() -> Result<()> {
    let mut stack = Stack::new().await?;
    let _running = stack.start_everything().await?;
    let operator = &stack.variables["NATS_OPERATOR_PASSWORD"];
    let bus = Bus::connect(&stack.nats_url(&format!("armada:{operator}@")), "test").await?;
    let address = stack.address("nats", 4222);

    async_nats::connect(&address).await.err().context("nobody is let in without a name")?;
    let owner = stack.api().sign_in(EMAIL, &stack.variables["ARMADA_ADMIN_PASSWORD"]).await?;
    let made = owner.post("/api/v1/gateways", json!({ "name": "harbour" })).await?.expect(StatusCode::CREATED);
    let wrong = ConnectOptions::with_user_and_password("harbour".to_owned(), "p".to_owned());
    wrong.connect(&address).await.err().context("nor with a wrong secret")?;

    let gateway = Watched::connect(&address, "harbour", made["secret"].as_str().context("a secret")?).await?;
    gateway.client.publish(format!("gps.other.{IMEI}"), "{}".into()).await?;
    gateway.is_refused("publish", &format!("in.{}.other.{IMEI}", partition_of(IMEI.as_bytes(), 8))).await;
    for subject in [
        &format!("in.{}.other.{IMEI}", partition_of(IMEI.as_bytes(), 8)),
        "raw.0",
        "part.0",
        "receiver.handover.0",
        "live.tenant",
        &format!("command.harbour.{IMEI}"),
        &format!("command.reply.other.{IMEI}"),
        "$JS.API.STREAM.DELETE.RAW",
        "$JS.API.STREAM.PURGE.RAW",
        "$KV.keys.forged",
        "$SYS.REQ.SERVER.PING",
    ] {
        gateway.may_not_publish(subject).await?;
    }
    for subject in
        [">", "gps.>", "live.*", "command.*.*", "command.reply.*.*", "_INBOX_armada.>", "_INBOX_bff.>", "$KV.keys.>"]
    {
        gateway.may_not_subscribe(subject).await?;
    }

    commands_go_from_fleet_to_the_gateway_and_back(&stack, &gateway).await?;
    // An acknowledgement of JetStream would go to whatever reply a gateway names.
    for subject in [format!("command.harbour.{IMEI}"), format!("command.reply.harbour.{IMEI}")] {
        let captures = bus.jetstream.stream_by_subject(subject).await;
        assert!(captures.is_err(), "no stream captures commands: {captures:?}");
    }

    let service = Watched::connect(&address, "armada", operator).await?;
    service.may_not_publish("$JS.API.STREAM.DELETE.RAW").await?;
    for (user, password) in [
        ("identity", "NATS_IDENTITY_PASSWORD"),
        ("fleet", "NATS_FLEET_PASSWORD"),
        ("notification", "NATS_NOTIFICATION_PASSWORD"),
        ("position-ingest", "NATS_POSITION_INGEST_PASSWORD"),
        ("receiver", "NATS_RECEIVER_PASSWORD"),
        ("bff", "NATS_BFF_PASSWORD"),
    ] {
        let service = Watched::connect(&address, user, &stack.variables[password]).await?;
        for subject in ["$JS.API.STREAM.DELETE.RAW", "$JS.API.STREAM.UPDATE.RAW", "in.0.gateway.1", "ingest.seal.1"] {
            service.may_not_publish(subject).await?;
        }
        for subject in [">", "_INBOX_armada.>", "$KV.policies.>", "gps.>", "command.>"] {
            service.may_not_subscribe(subject).await?;
        }
        service.may_not_publish(&format!("command.reply.harbour.{IMEI}")).await?;
        if user != "fleet" {
            service.may_not_publish(&format!("command.harbour.{IMEI}")).await?;
            service.may_not_subscribe("command.reply.*.*").await?;
        }
    }
    let system =
        Watched::connect(&address, "identity-system", &stack.variables["NATS_IDENTITY_SYSTEM_PASSWORD"]).await?;
    for subject in ["$SYS.REQ.SERVER.PING.VARZ", "$SYS.REQ.ACCOUNT.ARMADA.JSZ", "$SYS.REQ.CLAIMS.UPDATE"] {
        system.may_not_publish(subject).await?;
    }
    for subject in [">", "$SYS.>", "_INBOX_identity.>"] {
        system.may_not_subscribe(subject).await?;
    }
    // What the system's own account answers, it answers to no other.
    let asked = bus.client.request("$SYS.REQ.SERVER.PING", "".into()).await;
    assert!(asked.is_err(), "{asked:?}");
    Ok(())
}

async fn commands_go_from_fleet_to_the_gateway_and_back(stack: &Stack, gateway: &Watched) -> Result<()> {
    let address = stack.address("nats", 4222);
    let fleet = Watched::connect(&address, "fleet", &stack.variables["NATS_FLEET_PASSWORD"]).await?;
    let mut commands = gateway.client.subscribe("command.harbour.*").await?;
    let mut answers = fleet.client.subscribe("command.reply.*.*").await?;
    eventually("a command is answered", SOON, async || {
        fleet.client.publish(format!("command.harbour.{IMEI}"), "{}".into()).await?;
        let command = tokio::time::timeout(SOON / 20, commands.next()).await?.context("the gateway hears")?;
        ensure!(command.subject.as_str() == format!("command.harbour.{IMEI}"), "{command:?}");
        gateway.client.publish(format!("command.reply.harbour.{IMEI}"), "{}".into()).await?;
        let answer = tokio::time::timeout(SOON / 20, answers.next()).await?.context("fleet hears")?;
        ensure!(answer.subject.as_str() == format!("command.reply.harbour.{IMEI}"), "{answer:?}");
        Ok(())
    })
    .await;
    Ok(())
}

#[test]
fn secrets_have_no_defaults() -> Result<()> {
    let example = compose::example()?;
    let required = compose::required()?;
    for name in example.keys().filter(|name| is_made(name)) {
        assert_eq!(example[name], "", "{name} of .env.example");
        // The first platform owner's is made when it is missing, and shown once.
        assert!(required.contains(name) || name == "ARMADA_ADMIN_PASSWORD", "{name} must be asked for");
    }
    let complete = variables("https://fleet.example")?;
    Compose::read(&complete)?;
    for name in &required {
        assert!(example.contains_key(name), "{name} is not in .env.example");
        let mut without = complete.clone();
        without.insert(name.clone(), String::new());
        let refused = Compose::read(&without).err().context(name.clone())?.to_string();
        assert_eq!(refused, format!("{name}: deploy/make-env writes one into .env"));
    }
    Ok(())
}

#[test]
fn containers_have_no_more_than_they_need() -> Result<()> {
    let compose = Compose::read(&variables("https://fleet.example")?)?;
    for (name, service) in &compose.services {
        assert!(service.read_only && service.cap_drop == ["ALL"] && !service.mem_limit.is_empty(), "{name}");
        assert!(service.image.contains(':') && !service.image.ends_with(":latest"), "{name}: {}", service.image);
        let host = |port: &String| port.starts_with("127.0.0.1:");
        assert!(service.ports.iter().all(host), "{name} listens beyond this machine: {:?}", service.ports);
        assert_eq!(
            service.restart == "no",
            ["migrate", "nats-volume", "files-volume"].contains(&name.as_str()),
            "{name}"
        );
        for needed in service.depends_on.keys() {
            assert!(compose.services.contains_key(needed), "{name} needs {needed}");
        }
        for (file, _) in service.mounts() {
            assert!(file.exists(), "{name} mounts {}", file.display());
        }
        for network in &service.networks {
            assert!(compose.networks.contains_key(network), "{name}: network {network}");
        }
        let owner = service.environment.values().any(|value| value.contains("armada_owner:"));
        assert_eq!(owner, name == "migrate", "{name} and the owner of the tables");
        // Whoever gets into a container finds no login to NATS and no secret there but that of its service.
        let login = match name.as_str() {
            "migrate" => Some("armada"),
            "identity" | "fleet" | "notification" | "position-ingest" | "bff" => Some(name.as_str()),
            _ => None,
        };
        let url = service.environment.get("ARMADA_NATS_URL").map(String::as_str).unwrap_or_default();
        let user = url.strip_prefix("nats://").and_then(|rest| rest.split_once(':')).map(|(user, _)| user);
        assert_eq!(user, login, "{name} and its login to NATS");
        let secrets = service.environment.keys().filter(|name| name.starts_with("ARMADA_SERVICE_SECRETS__")).count();
        assert_eq!(secrets > 0, ["identity", "migrate"].contains(&name.as_str()), "{name} and others' secrets");
        let logins: Vec<_> = LOGINS.iter().filter(|(_, login)| knows(service, login)).map(|(name, _)| *name).collect();
        if name != "postgres" {
            let own: Vec<_> = LOGINS.iter().filter(|(of, _)| of == name).map(|(name, _)| *name).collect();
            assert_eq!(logins, own, "{name} and the logins of the database");
        }
    }
    assert!(compose.networks["storage"].internal && compose.networks["bus"].internal);
    let bff = &compose.services["bff"];
    assert!(
        bff.tmpfs.iter().any(|place| place.starts_with("/tmp:")),
        "Excel files wait in a file until they are whole"
    );
    // Whoever comes through the published port comes from this network, a proxy on this machine, too.
    let edge = compose.networks["edge"].ipam.as_ref().context("a known network")?;
    let subnet = edge["config"][0]["subnet"].as_str().context("a subnet")?;
    assert_eq!(bff.environment["ARMADA_BFF__TRUSTED_PROXIES"], format!("[\"{subnet}\"]"));
    assert!(!compose.services["bff"].networks.contains(&"storage".to_owned()), "the edge reaches no database");
    for (name, service) in compose.roles() {
        assert_eq!(service.depends_on["migrate"].condition, "service_completed_successfully", "{name}");
    }
    Ok(())
}

#[test]
fn make_env_writes_what_is_missing_once() -> Result<()> {
    let folder = temp_dir("make-env-");
    fs::create_dir(folder.path().join("deploy"))?;
    for file in ["deploy/make-env", ".env.example"] {
        fs::copy(compose::repository().join(file), folder.path().join(file))?;
    }
    let run = |script: &Path| Command::new("bash").arg(script).output();
    let script = folder.path().join("deploy/make-env");
    assert!(run(&script)?.status.success());
    let text = fs::read_to_string(folder.path().join(".env"))?;
    let made: BTreeMap<String, String> =
        text.lines().filter_map(|line| line.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    Compose::read(&made)?;
    let issuer = AccountKey::from_seed(&made["ARMADA_IDENTITY__GATEWAY_ISSUER_SEED"])?;
    assert_eq!(issuer.public(), made["NATS_CALLOUT_ISSUER"]);
    let passwords: BTreeSet<&String> = made.iter().filter(|(k, _)| is_made(k)).map(|(_, v)| v).collect();
    assert_eq!(passwords.len(), compose::example()?.keys().filter(|name| is_made(name)).count());
    assert!(!run(&script)?.status.success(), "it never writes over passwords in use");
    assert_eq!(fs::read_to_string(folder.path().join(".env"))?, text);

    // One that an older version wrote gets what is new, and keeps what it has.
    let is_new = |line: &&str| {
        line.starts_with("NATS_FLEET_PASSWORD=")
            || line.starts_with("FLEET_SECRET_KEY=")
            || line.starts_with("ARMADA_FLEET_PASSWORD=")
    };
    let older: String = text.lines().filter(|line| !is_new(line)).map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join(".env"), &older)?;
    assert!(run(&script)?.status.success());
    let newer = fs::read_to_string(folder.path().join(".env"))?;
    let added = newer.strip_prefix(&older).context("what was there stays")?;
    assert_eq!(added.lines().filter(is_new).count(), added.lines().count(), "{added}");
    assert_eq!(added.lines().count(), 3, "{added}");
    Ok(())
}
