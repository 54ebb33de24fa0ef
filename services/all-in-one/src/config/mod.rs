//! What can be configured: a TOML file with a section per service, and environment variables, which win. Nothing is
//! ignored: a key or an `ARMADA_…` variable that means nothing is refused.

mod env;
mod monitors;

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use armada_declarations::{SERVICES, each_service};
pub(crate) use armada_runtime::Secret;
use armada_runtime::{
    ServiceSecrets,
    bus::Addresses,
    db::{Location, Logins, Owner},
    nats_server,
    transport::PeerAddresses,
};
use figment::{
    Figment,
    error::Kind,
    providers::{Format, Serialized, Toml},
};
use serde::Deserialize;

pub(crate) use self::monitors::Monitors;
use crate::data_dir;

/// The name in `nats_urls` of who makes streams and buckets.
pub(crate) const OPERATOR: &str = "operator";
/// The same one's in the account of gateways.
pub(crate) const OPERATOR_OF_GATEWAYS: &str = "operator-gateways";
/// More copies than this no NATS server keeps.
const STREAM_REPLICAS_MAX: usize = 5;
/// Nobody waits longer for a process to stop.
const SHUTDOWN_DELAY_MAX: u64 = 60;

/// The configuration has a section for each service.
macro_rules! config {
    ([$(($role:ident, $section:ident, $service:ident, $file:literal))*] ($edge_role:ident, $edge:ident, $edge_crate:ident, $edge_file:literal)) => {
        /// Everything that one process is told.
        #[derive(Debug, Clone, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct Config {
            /// Where the console, REST and WebSockets are served.
            pub(crate) http_addr: String,
            /// Where `/healthz`, `/readyz` and `/metrics` are served.
            pub(crate) admin_addr: String,
            /// Seconds for which it goes on serving after it was told to stop, while `/readyz` says no: until whoever shares requests
            /// among several sends it none. At most 60.
            pub(crate) shutdown_delay_seconds: u64,
            /// Where gRPC is served, if a service of the process has any; not at all when absent, unless the process runs some of
            /// the services only.
            pub(crate) grpc_addr: Option<String>,
            /// The folder of databases, keys and the managed NATS server.
            pub(crate) data_dir: PathBuf,
            /// The NATS servers to use, with the login of the service that the process runs, or with one for all; absent to manage
            /// one.
            pub(crate) nats_url: Option<Addresses>,
            /// The same for a process with several services: a login for each, by its name, and one for `operator`, who makes
            /// streams and buckets.
            pub(crate) nats_urls: BTreeMap<String, Addresses>,
            /// The monitoring addresses of servers that are not managed, e.g. `http://nats-1:8222,http://nats-2:8222`; absent when
            /// they have none.
            pub(crate) nats_monitor_url: Option<Monitors>,
            /// The port of the managed one.
            pub(crate) nats_port: u16,
            /// Copies of every stream and bucket: 1, or up to 5 on a cluster of NATS servers.
            pub(crate) stream_replicas: usize,
            /// `postgres://…`; absent for SQLite files in `data_dir`.
            pub(crate) database_url: Option<Secret>,
            /// The same database for migrations, as the owner of its tables.
            pub(crate) database_owner_url: Option<Secret>,
            /// The most connections of each service to PostgreSQL, at least two.
            pub(crate) database_max_connections: u32,
            /// This process runs these services and does not migrate: then its login must be able to do no more than they may.
            /// Not configured; `run --only` decides.
            #[serde(skip)]
            pub(crate) only_serves: Option<Vec<&'static str>>,
            /// Somebody else keeps the clock of this host right than its kernel, as the host of a virtual machine does.
            pub(crate) clock_trusted: bool,
            /// Make the demonstration in an installation without tenants, and drive its vehicles.
            pub(crate) demo: bool,
            /// The address that browsers use.
            pub(crate) public_url: Option<String>,
            /// What identity seals secrets in its database with; kept in the data folder when absent.
            pub(crate) secret_key: Option<Secret>,
            /// The key before it, until `armada reseal` has sealed everything anew.
            pub(crate) secret_key_former: Option<Secret>,
            /// What the one service of this process shares with identity; derived from the secret key when absent.
            pub(crate) service_secret: Option<Secret>,
            /// The same by service, for identity and for a process with several services.
            pub(crate) service_secrets: BTreeMap<String, Secret>,
            /// Seconds after which the next key of each service signs; the same in all processes.
            pub(crate) service_key_seconds: u64,
            /// The first platform owner.
            pub(crate) admin_email: Option<String>,
            /// Their password; one is made when absent.
            pub(crate) admin_password: Option<Secret>,
            /// gRPC addresses of services outside this process, by name.
            pub(crate) peers: BTreeMap<String, PeerAddresses>,
            /// A section for each service.
            $(pub(crate) $section: $service::Config,)*
            pub(crate) $edge: $edge_crate::Config,
        }

        impl Default for Config {
            fn default() -> Self {
                Self {
                    http_addr: "127.0.0.1:8080".to_owned(),
                    admin_addr: "127.0.0.1:8081".to_owned(),
                    shutdown_delay_seconds: 0,
                    grpc_addr: None,
                    data_dir: PathBuf::from("./data"),
                    nats_url: None,
                    nats_urls: BTreeMap::new(),
                    nats_monitor_url: None,
                    nats_port: 4222,
                    stream_replicas: 1,
                    database_url: None,
                    database_owner_url: None,
                    database_max_connections: Logins::MAX_CONNECTIONS,
                    only_serves: None,
                    clock_trusted: false,
                    demo: false,
                    public_url: None,
                    secret_key: None,
                    secret_key_former: None,
                    service_secret: None,
                    service_secrets: BTreeMap::new(),
                    service_key_seconds: ServiceSecrets::PERIOD.as_secs(),
                    admin_email: None,
                    admin_password: None,
                    peers: BTreeMap::new(),
                    $($section: $service::Config::default(),)*
                    $edge: $edge_crate::Config::default(),
                }
            }
        }
    };
}
each_service!(config);

impl Config {
    /// From a file, if one is named, and the environment of this process.
    pub(crate) fn load(file: Option<&Path>) -> Result<Self> {
        Self::from(file, std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?))))
    }

    fn from(file: Option<&Path>, variables: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        let mut figment = Figment::new();
        if let Some(file) = file {
            let text = fs::read_to_string(file).with_context(|| format!("configuration {}", file.display()))?;
            figment = figment.merge(Toml::string(&text));
        }
        let settings = env::settings(variables)?;
        for setting in &settings {
            figment = figment.merge(Serialized::default(&setting.key, &setting.value));
        }
        let config: Self = figment.extract().map_err(|error| explained(error, file, &settings))?;
        config.checked()
    }

    fn checked(mut self) -> Result<Self> {
        for (name, url) in [("DATABASE_URL", &self.database_url), ("DATABASE_OWNER_URL", &self.database_owner_url)] {
            let Some(url) = url else { continue };
            if !["postgres://", "postgresql://"].iter().any(|scheme| url.reveal().starts_with(scheme)) {
                bail!("{name} must begin with postgres://; without it, SQLite files in the data folder are used");
            }
            if self.database_url.is_none() {
                bail!("{name} is set without DATABASE_URL, which services use");
            }
        }
        // One would keep all others waiting while it is in a transaction, the question whether the database answers too.
        if self.database_max_connections < 2 {
            bail!("database_max_connections must be 2 or more");
        }
        if !(1..=STREAM_REPLICAS_MAX).contains(&self.stream_replicas) {
            bail!("stream_replicas must be 1 to {STREAM_REPLICAS_MAX}");
        }
        if self.shutdown_delay_seconds > SHUTDOWN_DELAY_MAX {
            bail!("shutdown_delay_seconds must be {SHUTDOWN_DELAY_MAX} or less");
        }
        self.peers = dashed(self.peers);
        self.nats_urls = dashed(self.nats_urls);
        self.service_secrets = dashed(self.service_secrets);
        self.check_names()?;
        self.data_dir = std::path::absolute(&self.data_dir).context("data_dir")?;
        if let Some(url) = &self.public_url {
            self.bff.public_url = Some(url.clone());
            self.identity.public_url = Some(url.clone());
        }
        if let Some(key) = &self.secret_key {
            self.identity.secret_key = Some(key.clone());
        }
        if let Some(key) = &self.secret_key_former {
            self.identity.secret_key_former = Some(key.clone());
        }
        Ok(self)
    }

    /// Refuses what is said of a service, or of a user of NATS, that there is not.
    fn check_names(&self) -> Result<()> {
        let services: Vec<_> = SERVICES.iter().map(|service| service.name).collect();
        let callable: Vec<_> = SERVICES.iter().flat_map(|service| service.calls).copied().collect();
        let users = SERVICES.iter().flat_map(|service| service.users).map(|user| user.name);
        let users: Vec<_> = users.chain([OPERATOR, OPERATOR_OF_GATEWAYS]).collect();
        check_keys("peers", self.peers.keys(), &callable)?;
        check_keys("nats_urls", self.nats_urls.keys(), &users)?;
        check_keys("service_secrets", self.service_secrets.keys(), &services)
    }

    /// Where the databases are.
    pub(crate) fn location(&self) -> Location {
        let Some(url) = &self.database_url else { return Location::Sqlite(self.data_dir.clone()) };
        let owner = match (&self.database_owner_url, &self.only_serves) {
            (Some(url), _) => Owner::Url(url.reveal().to_owned()),
            (None, Some(services)) => Owner::Elsewhere(services.clone()),
            (None, None) => Owner::SameLogin,
        };
        let max_connections = self.database_max_connections;
        Location::Postgres(Logins { services: url.reveal().to_owned(), owner, max_connections })
    }

    /// The section of identity, with the key from the data folder when none is configured.
    pub(crate) fn identity(&self) -> Result<armada_identity::Config> {
        let mut identity = armada_identity::Config { secret_key: Some(self.secret_key()?), ..self.identity.clone() };
        // The managed server asks identity, and lets this machine in without a name until somebody switches that off.
        if !self.has_own_nats() {
            identity.gateway_issuer_seed = Some(Secret::new(nats_server::gateway_issuer(&self.nats_folder())?.seed()));
            identity.anonymous_gateway = true;
        }
        Ok(identity)
    }

    /// The configured key, else that of the data folder.
    pub(crate) fn secret_key(&self) -> Result<Secret> {
        match &self.identity.secret_key {
            Some(key) => Ok(key.clone()),
            None => data_dir::secret_key(&self.data_dir)
                .context("without ARMADA_SECRET_KEY, the key is kept in the data folder"),
        }
    }

    /// Whether a NATS server is configured, so that none is managed.
    pub(crate) fn has_own_nats(&self) -> bool {
        self.nats_url.is_some() || !self.nats_urls.is_empty()
    }

    /// Whether a process keeps anything in `data_dir`.
    pub(crate) fn needs_data_dir(&self, stores: bool) -> bool {
        (stores && self.database_url.is_none()) || !self.has_own_nats()
    }

    /// The same for messages: without user and password.
    pub(crate) fn database_name(&self) -> String {
        match &self.database_url {
            Some(url) => format!("database at {}", url.reveal().rsplit(['@', '/']).nth(1).unwrap_or("DATABASE_URL")),
            None => format!("databases in {}", self.data_dir.display()),
        }
    }

    /// The folder of the managed NATS server.
    pub(crate) fn nats_folder(&self) -> PathBuf {
        self.data_dir.join("nats")
    }

    /// gRPC addresses of the other services.
    pub(crate) fn peers(&self) -> HashMap<String, PeerAddresses> {
        self.peers.clone().into_iter().collect()
    }
}

/// Names of services as they are: environment variables cannot have the dash in them.
fn dashed<T>(by_service: BTreeMap<String, T>) -> BTreeMap<String, T> {
    by_service.into_iter().map(|(name, value)| (name.replace('_', "-"), value)).collect()
}

/// Refuses a key that none of those of its section is.
fn check_keys<'a>(section: &str, mut keys: impl Iterator<Item = &'a String>, known: &[&str]) -> Result<()> {
    let Some(key) = keys.find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let mut known = known.to_vec();
    known.sort_unstable();
    known.dedup();
    bail!("{section}.{key}: there is no {key}; there are {}", known.join(", "))
}

/// One line that names the key and where it was written.
fn explained(error: figment::Error, file: Option<&Path>, settings: &[env::Setting]) -> anyhow::Error {
    let mut path = error.path.clone();
    let problem = match &error.kind {
        Kind::UnknownField(name, _) => {
            if path.last() != Some(name) {
                path.push(name.clone());
            }
            "unknown setting".to_owned()
        }
        // The parser of TOML draws the place over several lines; the words are in those without a margin.
        Kind::Message(text) => {
            let words = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains('|'));
            words.collect::<Vec<_>>().join(": ")
        }
        // What stands there instead is for nobody's eyes.
        Kind::InvalidType(_, expected) | Kind::InvalidValue(_, expected) if env::holds_secrets(&path.join(".")) => {
            format!("must be {expected}")
        }
        kind => kind.to_string(),
    };
    let key = path.join(".");
    let place = settings.iter().find(|setting| !key.is_empty() && setting.key == key).map(|s| s.variable.clone());
    let place = place.or_else(|| file.map(|file| file.display().to_string())).unwrap_or_default();
    if key.is_empty() { anyhow::anyhow!("{place}: {problem}") } else { anyhow::anyhow!("{place}: {problem}: {key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("armada.toml");
        fs::write(&file, text).expect("a file");
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::from(Some(&file), variables)
            .map_err(|error| format!("{error:#}").replace(&format!("{}/", folder.path().display()), ""))
    }

    #[test]
    fn environment_wins_over_the_file() {
        let text = "http_addr = \"0.0.0.0:80\"\nnats_port = 4333\n[peers]\nposition-ingest = \"http://a:1\"";
        let config = from(
            text,
            &[
                ("ARMADA_HTTP_ADDR", "127.0.0.1:0"),
                ("ARMADA_PEERS__FLEET", "http://b:2"),
                ("ARMADA_STREAM_REPLICAS", "3"),
            ],
        );
        let config = config.expect("it is right");
        assert_eq!(config.http_addr, "127.0.0.1:0");
        assert_eq!((config.nats_port, config.stream_replicas), (4333, 3));
        assert_eq!(config.peers["fleet"].iter().collect::<Vec<_>>(), ["http://b:2"]);
        assert_eq!(config.peers["position-ingest"].iter().collect::<Vec<_>>(), ["http://a:1"]);
    }

    #[test]
    fn texts_stay_texts() {
        let config = from("", &[("ARMADA_ADMIN_PASSWORD", "12345678"), ("ARMADA_NATS_URL", "")]).expect("it is right");
        assert_eq!(config.admin_password.expect("it is set").reveal(), "12345678");
        assert!(config.nats_url.is_none());
    }

    #[test]
    fn flags_are_numbers_or_words() {
        let demo = |text| from("", &[("ARMADA_DEMO", text)]).map(|config| config.demo);
        let read = [demo("1"), demo("true"), demo("0"), demo("false"), demo("")].map(Result::unwrap_or_default);
        assert_eq!(read, [true, true, false, false, false]);
        assert!(demo("maybe").expect_err("it is wrong").starts_with("ARMADA_DEMO: "));
    }

    #[test]
    fn rejects_unknown_settings_by_name() {
        let refused = |text, variables: &[(&str, &str)]| from(text, variables).expect_err("it is wrong");
        assert_eq!(refused("http_adr = \"x\"", &[]), "armada.toml: unknown setting: http_adr");
        assert_eq!(refused("[fleet]\nspeed = 1", &[]), "armada.toml: unknown setting: fleet.speed");
        assert_eq!(refused("", &[("ARMADA_HTTP_ADR", "x")]), "ARMADA_HTTP_ADR: unknown setting");
        let nested = refused("", &[("ARMADA_POSITION_INGEST__SPEED", "1")]);
        assert_eq!(nested, "ARMADA_POSITION_INGEST__SPEED: unknown setting: position_ingest.speed");
        assert_eq!(refused("", &[("ARMADA_SPEED__X", "1")]), "ARMADA_SPEED__X: unknown setting");
        let number = refused("", &[("ARMADA_NATS_PORT", "many")]);
        assert!(number.starts_with("ARMADA_NATS_PORT: ") && number.ends_with(": nats_port"), "{number}");
        let broken = refused("http_addr = ", &[]);
        assert!(broken.starts_with("armada.toml: TOML parse error at line 1") && !broken.contains('\n'), "{broken}");
        assert!(refused("", &[("DATABASE_URL", "mysql://x")]).starts_with("DATABASE_URL must begin"));
        let alone = refused("", &[("DATABASE_OWNER_URL", "postgres://x/y")]);
        assert_eq!(alone, "DATABASE_OWNER_URL is set without DATABASE_URL, which services use");
        let few = refused("", &[("ARMADA_DATABASE_MAX_CONNECTIONS", "1")]);
        assert_eq!(few, "database_max_connections must be 2 or more");
        for copies in ["0", "6"] {
            assert_eq!(refused("", &[("ARMADA_STREAM_REPLICAS", copies)]), "stream_replicas must be 1 to 5");
        }
    }

    #[test]
    fn secrets_may_be_in_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("password");
        fs::write(&file, "p4ssw0rd with spaces\n").expect("a file");
        let file = file.to_str().expect("a path that is text");
        let config = from("", &[("ARMADA_ADMIN_PASSWORD_FILE", file)]).expect("it is right");
        assert_eq!(config.admin_password.expect("it is set").reveal(), "p4ssw0rd with spaces");
        let geocoder = [
            ("ARMADA_POSITION_INGEST__GEOCODER__KIND", "pelias"),
            ("ARMADA_POSITION_INGEST__GEOCODER__URL", "https://geocoder.example.com"),
            ("ARMADA_POSITION_INGEST__GEOCODER__KEY_FILE", file),
        ];
        let geocoder = from("", &geocoder).expect("it is right").position_ingest.geocoder.expect("it is set");
        assert_eq!(geocoder.key.expect("it is set").reveal(), "p4ssw0rd with spaces");
        let refused = |variables: &[(&str, &str)]| from("", variables).expect_err("it is wrong");
        assert!(refused(&[("DATABASE_URL_FILE", "/nowhere")]).starts_with("DATABASE_URL_FILE: /nowhere"));
        assert_eq!(refused(&[("ARMADA_HTTP_ADDR_FILE", file)]), "ARMADA_HTTP_ADDR_FILE: unknown setting");
        let both = refused(&[("ARMADA_ADMIN_PASSWORD", "x"), ("ARMADA_ADMIN_PASSWORD_FILE", file)]);
        assert_eq!(both, "ARMADA_ADMIN_PASSWORD and ARMADA_ADMIN_PASSWORD_FILE are both set");
    }

    #[test]
    fn sources_of_maps_may_be_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sources");
        let sources = r#"[
            {id="streets", name="Streets", url="https://tiles.example/{z}/{x}/{y}.png?key=hunter2", attribution="© A"},
            {id="aerial", name="Aerial", url="https://tiles.example/a/{z}/{x}/{y}.jpg", attribution="© B", max_zoom=17}
        ]"#;
        let read = |text: &str| {
            fs::write(&file, format!("{text}\n")).expect("a file");
            from("", &[("ARMADA_BFF__MAPS__SOURCES_FILE", file.to_str().expect("a path that is text"))])
        };
        let maps = read(sources).expect("it is right").bff.maps;
        let [streets, aerial] = &maps.sources[..] else { panic!("{maps:?}") };
        assert_eq!(streets.url.reveal(), "https://tiles.example/{z}/{x}/{y}.png?key=hunter2");
        assert_eq!((streets.attribution.as_str(), streets.max_zoom), ("© A", 19));
        assert_eq!((aerial.id.as_str(), aerial.max_zoom), ("aerial", 17));
        let refused = read(&sources[1..]).expect_err("the bracket is missing");
        assert_eq!(refused, "ARMADA_BFF__MAPS__SOURCES_FILE: must be a sequence: bff.maps.sources");
    }

    #[test]
    fn services_have_logins_and_secrets() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secret");
        fs::write(&file, "0123456789\n").expect("a file");
        let variables = [
            ("ARMADA_NATS_URLS__POSITION_INGEST", "nats://a:b@c:1,nats://d:1"),
            ("ARMADA_SERVICE_SECRETS__FLEET_FILE", file.to_str().expect("a path that is text")),
            ("ARMADA_SERVICE_SECRET", "12345678"),
            ("ARMADA_SERVICE_KEY_SECONDS", "60"),
        ];
        let config = from("", &variables).expect("it is right");
        assert!(config.has_own_nats());
        assert_eq!(config.nats_urls["position-ingest"].to_string(), "nats://c:1,nats://d:1");
        assert_eq!(config.service_secrets["fleet"].reveal(), "0123456789");
        assert_eq!(config.service_secret.expect("it is set").reveal(), "12345678");
        assert_eq!(config.service_key_seconds, 60);
    }

    #[test]
    fn addresses_of_nats_are_lists() {
        let monitors = from("", &[("ARMADA_NATS_MONITOR_URL", "http://one:8222/,https://two")]).expect("it is right");
        let monitors = monitors.nats_monitor_url.expect("it is set");
        assert_eq!(monitors.iter().collect::<Vec<_>>(), ["http://one:8222", "https://two"]);
        let refused = |name, text| from("", &[(name, text)]).expect_err("it is wrong");
        let login = refused("ARMADA_NATS_URL", "nats://a:hunter2@one,nats://b:hunter2@two");
        assert_eq!(login, "ARMADA_NATS_URL: address 2 of NATS has another login than those before it: nats_url");
        let port = refused("ARMADA_NATS_URLS__FLEET", "nats://a:hunter2@one:x");
        assert!(
            port.starts_with("ARMADA_NATS_URLS__FLEET: address 1 of NATS: ") && !port.contains("hunter2"),
            "{port}"
        );
        let monitor = refused("ARMADA_NATS_MONITOR_URL", "http://one:8222,two:8222");
        assert_eq!(
            monitor,
            "ARMADA_NATS_MONITOR_URL: address 2 of a monitor must begin with http:// or https://: nats_monitor_url"
        );
    }

    #[test]
    fn addresses_of_services_are_lists_of_plain_http() {
        let refused = |text| from("", &[("ARMADA_PEERS__FLEET", text)]).expect_err("it is wrong");
        let secure = refused("http://one:8082,https://two:8082");
        assert_eq!(secure, "ARMADA_PEERS__FLEET: address 2 of a service must be http:// and a host: peers.fleet");
        assert_eq!(
            refused("one:8082"),
            "ARMADA_PEERS__FLEET: address 1 of a service must be http:// and a host: peers.fleet"
        );
        assert_eq!(refused("http://one:8082,"), "ARMADA_PEERS__FLEET: address 2 of a service is empty: peers.fleet");
    }

    #[test]
    fn only_what_there_is_has_addresses_logins_and_secrets() {
        let refused = |name, text| from("", &[(name, text)]).expect_err("it is wrong");
        let peer = refused("ARMADA_PEERS__FLET", "http://one:8082");
        assert_eq!(peer, "peers.flet: there is no flet; there are fleet, identity, notification, position-ingest");
        let user = refused("ARMADA_NATS_URLS__RECEIVER_GATEWAYZ", "nats://one:4222");
        assert!(user.starts_with("nats_urls.receiver-gatewayz: there is no receiver-gatewayz; "), "{user}");
        let secret = refused("ARMADA_SERVICE_SECRETS__FLET", "hunter2hunter2");
        assert!(secret.starts_with("service_secrets.flet: ") && !secret.contains("hunter2"), "{secret}");
        from("", &[("ARMADA_NATS_URLS__OPERATOR_GATEWAYS", "nats://one:4222")]).expect("it is the operator's");
    }

    #[test]
    fn other_variables_are_left_alone() {
        let variables = [("ARMADA_LOG", "debug"), ("ARMADA_TEST_X", "1"), ("ARMADA_NATS_SERVER", "x"), ("HOME", "/")];
        from("", &variables).expect("they are for others");
    }

    #[test]
    fn databases_are_named_without_passwords() {
        let name = |url| from("", &[("DATABASE_URL", url)]).expect("it is right").database_name();
        assert_eq!(name("postgres://a:b@host:5432/armada"), "database at host:5432");
        assert_eq!(name("postgres://host/armada"), "database at host");
    }

    #[test]
    fn secrets_are_not_shown() {
        let variables = [("ARMADA_ADMIN_PASSWORD", "hunter2!"), ("DATABASE_URL", "postgres://a:hunter2!@h/d")];
        let shown = format!("{:?}", from("", &variables).expect("it is right"));
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
