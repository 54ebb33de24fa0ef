//! A real PostgreSQL for tests: one cluster for a test process, or for all of them when `with-postgres` runs them; one
//! database per World.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use armada_declarations::SERVICES;
use armada_runtime::db::{ALL_SERVICES, Logins, Owner, role};
use nix::{
    sys::signal::{Signal, kill},
    unistd::{Pid, User, chown, geteuid},
};
use sea_orm::{ConnectionTrait, Statement};
use tokio::sync::OnceCell;

use crate::{
    authority::ServerCertificate,
    port::free_port,
    process::{children_of, spawn_until_death},
    scratch,
};

/// The owner of every database made here, as in production: no superuser, and not who services are.
const OWNER: &str = "armada_owner";
/// A service that only tests have. It has a database, and so a role of its own, like those that store.
const PROBE: &str = "probe";
const SUPERUSER: &str = "postgres";
/// The connections of each service. Requests take turns on all that there are, and what a new one has to learn of the tables
/// costs more than most tests ask of it.
const MAX_CONNECTIONS: u32 = 3;
/// How long the server may take to accept connections.
const START_DEADLINE: Duration = Duration::from_secs(60);

/// The port of the cluster that `with-postgres` has started for all test processes.
pub const SHARED_PORT: &str = "ARMADA_TEST_POSTGRES_PORT";

/// Whether a commit waits for the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// No: most tests do not take the power away.
    Fast,
    /// Yes, as in production.
    Fsync,
}

/// A cluster with its files in a temporary folder. It ends with the test process, unless another process has started
/// it.
pub struct Postgres {
    folder: Option<PathBuf>,
    port: u16,
    account: Option<User>,
    server: Mutex<Option<Child>>,
    databases: AtomicU32,
    roles: OnceCell<()>,
}

/// A database that is removed when this is dropped.
pub(crate) struct TemporaryDatabase {
    postgres: Arc<Postgres>,
    name: String,
}

impl TemporaryDatabase {
    /// The one that these logins are for.
    pub(crate) fn of(postgres: &Arc<Postgres>, logins: &Logins) -> Self {
        Self { postgres: postgres.clone(), name: database_of(logins).to_owned() }
    }
}

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        let (postgres, name) = (self.postgres.clone(), self.name.clone());
        // Nobody waits for it, and the runtime of the test ends.
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(postgres.drop_database(&name));
        });
    }
}

/// The name of the database that logins are for.
pub(crate) fn database_of(logins: &Logins) -> &str {
    logins.services.rsplit_once('/').expect("a URL ends with its database").1
}

impl Postgres {
    /// The cluster that all Worlds of this test process share; nobody stops it.
    pub async fn shared() -> Arc<Self> {
        static SHARED: OnceCell<Arc<Postgres>> = OnceCell::const_new();
        let made = SHARED.get_or_init(async || match std::env::var(SHARED_PORT) {
            Ok(port) => Arc::new(Self::attach(port.parse().expect("a port")).await),
            // Initialising takes a second or two, in which other tests shall go on.
            Err(_) => tokio::task::spawn_blocking(|| Arc::new(Self::start(Durability::Fast))).await.expect("it starts"),
        });
        made.await.clone()
    }

    /// A cluster that another process runs, with the roles made.
    async fn attach(port: u16) -> Self {
        let attached = Self {
            folder: None,
            port,
            account: None,
            server: Mutex::new(None),
            databases: AtomicU32::new(0),
            roles: OnceCell::new_with(Some(())),
        };
        attached.drop_databases_of_the_dead().await;
        attached
    }

    /// Test processes end without removing what they made, and run one after the other.
    async fn drop_databases_of_the_dead(&self) {
        let admin = self.connect_as_superuser().await;
        let list = "SELECT datname FROM pg_database WHERE datname LIKE 'world\\_%'";
        let rows = admin.query_all_raw(Statement::from_string(admin.get_database_backend(), list)).await;
        for row in rows.expect("a list of databases") {
            let name: String = row.try_get_by_index(0).expect("a name");
            let alive = name.split('_').nth(1).is_some_and(|pid| Path::new("/proc").join(pid).exists());
            if !alive {
                self.drop_database(&name).await;
            }
        }
        admin.close().await.expect("a connection closes");
    }

    /// A cluster of one's own, to stop it in the middle.
    pub fn start(durability: Durability) -> Self {
        let account = geteuid()
            .is_root()
            .then(|| User::from_name(SUPERUSER).ok().flatten().expect("user postgres: scripts/install-tools postgres"));
        let new = Self {
            folder: Some(folder_of(account.as_ref())),
            port: free_port(),
            account,
            server: Mutex::new(None),
            databases: AtomicU32::new(0),
            roles: OnceCell::new(),
        };
        new.initialise(durability);
        new.start_again();
        new
    }

    /// A new, empty database, and how its owner and services sign in.
    pub async fn create_database(&self) -> Logins {
        self.create_database_like("template1").await
    }

    /// A new database with what is in another one, to which nobody is connected.
    pub(crate) async fn create_database_like(&self, template: &str) -> Logins {
        self.make_roles().await;
        let name = format!("world_{}_{}", std::process::id(), self.databases.fetch_add(1, Ordering::Relaxed));
        let admin = self.connect_as_superuser().await;
        // Copying its files takes half of what writing each of its pages into the log does.
        let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY = FILE_COPY OWNER {OWNER}");
        admin.execute_unprepared(&create).await.expect("CREATE DATABASE");
        admin.close().await.expect("a connection closes");
        Logins {
            services: self.url(ALL_SERVICES, &name),
            owner: Owner::Url(self.url(OWNER, &name)),
            max_connections: MAX_CONNECTIONS,
        }
    }

    /// Makes the roles of the databases' owner and of the services, once.
    pub async fn make_roles(&self) {
        let make = async || {
            let admin = self.connect_as_superuser().await;
            make_roles(&admin).await;
            admin.close().await.expect("a connection closes");
        };
        self.roles.get_or_init(make).await;
    }

    /// Makes a database and runs a script on it as PostgreSQL's image does when it is initialised: as its administrator,
    /// with variables of the container.
    pub async fn initialise_with(&self, script: &Path, database: &str, variables: &BTreeMap<String, String>) {
        let admin = self.connect_as_superuser().await;
        admin.execute_unprepared(&format!("CREATE DATABASE {database}")).await.expect("CREATE DATABASE");
        admin.close().await.expect("a connection closes");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(programs()).chain(std::env::split_paths(&path)));
        let mut command = Command::new("sh");
        command.arg(script).envs(variables).env("POSTGRES_USER", SUPERUSER).env("POSTGRES_DB", database);
        command.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string()).env("PATH", path.expect("a path"));
        let ran = command.output().expect("sh runs");
        assert!(ran.status.success(), "{}: {}", script.display(), String::from_utf8_lossy(&ran.stderr));
    }

    /// The port that it listens on, also after it was stopped.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where a role signs in to a database.
    pub fn url(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/{database}", self.port)
    }

    /// Lets the owner of the databases make further ones.
    pub async fn grant_createdb_to_owner(&self) {
        let admin = self.connect_as_superuser().await;
        admin.execute_unprepared(&format!("ALTER ROLE {OWNER} CREATEDB")).await.expect("ALTER ROLE");
        admin.close().await.expect("a connection closes");
    }

    /// Makes a database what another one is now, as a backup and its restoring do. Nobody may be connected to either.
    pub async fn copy_database(&self, from: &str, to: &str) {
        let admin = self.connect_as_superuser().await;
        admin.execute_unprepared(&format!("DROP DATABASE IF EXISTS {to} WITH (FORCE)")).await.expect("DROP DATABASE");
        let copy = format!("CREATE DATABASE {to} TEMPLATE {from} OWNER {OWNER}");
        admin.execute_unprepared(&copy).await.expect("CREATE DATABASE");
        admin.close().await.expect("a connection closes");
    }

    /// Keeps what is in a database in another folder from now on, an empty one. Nobody may be connected to it.
    pub async fn keep_in(&self, folder: &Path, database: &str) {
        if let Some(account) = &self.account {
            chown(folder, Some(account.uid), Some(account.gid)).expect("the folder can be given away");
        }
        let admin = self.connect_as_superuser().await;
        let create = format!("CREATE TABLESPACE elsewhere LOCATION '{}'", folder.display());
        admin.execute_unprepared(&create).await.expect("CREATE TABLESPACE");
        let alter = format!("ALTER DATABASE {database} SET TABLESPACE elsewhere");
        admin.execute_unprepared(&alter).await.expect("ALTER DATABASE");
        admin.close().await.expect("a connection closes");
    }

    /// Removes a database, and ends the connections to it: services of a test keep theirs to its end, and a server has a
    /// thousand.
    async fn drop_database(&self, name: &str) {
        let admin = self.connect_as_superuser().await;
        let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        admin.execute_unprepared(&drop).await.expect("DROP DATABASE");
        admin.close().await.expect("a connection closes");
    }

    async fn connect_as_superuser(&self) -> sea_orm::DatabaseConnection {
        let mut options = sea_orm::ConnectOptions::new(self.url(SUPERUSER, "postgres"));
        options.max_connections(1).sqlx_logging(false);
        sea_orm::Database::connect(options).await.expect("PostgreSQL accepts connections")
    }

    /// Restarts it, and has it speak TLS with whoever wants to from then on.
    pub fn speak_tls(&self, shown: &ServerCertificate) {
        let write = |name: &str, text: &str| {
            let path = self.folder().join(name);
            fs::write(&path, text).expect("a file of PostgreSQL");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
            if let Some(account) = &self.account {
                chown(&path, Some(account.uid), Some(account.gid)).expect("the file can be given away");
            }
        };
        // Where it looks unless it is told otherwise.
        write("server.crt", &shown.certificate);
        write("server.key", &shown.key);
        let settings = fs::OpenOptions::new().append(true).open(self.folder().join("postgresql.auto.conf"));
        settings.and_then(|mut file| file.write_all(b"ssl = on\n")).expect("settings of PostgreSQL");
        self.stop();
        self.start_again();
    }

    /// Shuts it down at once, as a crash would: what was not committed is gone. It stays away until
    /// [`Self::start_again`].
    pub fn stop(&self) {
        let Some(mut server) = self.server.lock().expect("no panic while held").take() else { return };
        let _ = kill(Pid::from_raw(server.id() as i32), Signal::SIGQUIT);
        let _ = server.wait();
    }

    /// Stops the main process and all connections where they are.
    pub fn pause(&self) {
        self.signal_group(Signal::SIGSTOP);
    }

    /// Lets them go on.
    pub fn resume(&self) {
        self.signal_group(Signal::SIGCONT);
    }

    fn signal_group(&self, signal: Signal) {
        let server = self.server.lock().expect("no panic while held");
        let main = server.as_ref().expect("PostgreSQL runs").id() as i32;
        // Each connection is served by a child that leads a session of its own, out of reach of one group signal.
        for pid in children_of(main).into_iter().chain([main]) {
            let _ = kill(Pid::from_raw(pid), signal);
        }
    }

    /// Process ids of the server: the main one and everything it has forked.
    pub fn pids(&self) -> Vec<i32> {
        let server = self.server.lock().expect("no panic while held");
        let Some(main) = server.as_ref().map(|server| server.id() as i32) else { return Vec::new() };
        children_of(main).into_iter().chain([main]).collect()
    }

    /// Starts it on the same port and files.
    pub fn start_again(&self) {
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.folder()).process_group(0);
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder().with_file_name("log"));
        command.stdout(Stdio::null()).stderr(log.expect("a log file"));
        let child = spawn_until_death(command, Signal::SIGQUIT).expect("postgres starts");
        *self.server.lock().expect("no panic while held") = Some(child);
        let started = Instant::now();
        while !self.accepts_connections() {
            assert!(started.elapsed() < START_DEADLINE, "PostgreSQL does not start: {}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn accepts_connections(&self) -> bool {
        let mut command = self.command("pg_isready");
        command.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        command.status().is_ok_and(|status| status.success())
    }

    /// Copies what `initdb` has made once for this test process, which takes a tenth of its time.
    fn initialise(&self, durability: Durability) {
        static INITIALISED: OnceLock<PathBuf> = OnceLock::new();
        let initialised = INITIALISED.get_or_init(|| {
            let folder = folder_of(self.account.as_ref());
            self.run_initdb(&folder);
            folder
        });
        let mut command = as_account(Command::new("cp"), self.account.as_ref());
        let copied = command.arg("-a").arg(initialised).arg(self.folder()).status().expect("cp runs");
        assert!(copied.success(), "cp: {copied}");
        let mut settings = format!(
            "listen_addresses = '127.0.0.1'\nport = {}\nunix_socket_directories = ''\nmax_connections = 1000\n\
             shared_buffers = 64MB\njit = off\nautovacuum_naptime = 1h\n",
            self.port
        );
        if durability == Durability::Fast {
            settings += "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n";
        }
        let file = self.folder().join("postgresql.auto.conf");
        fs::write(file, settings).expect("settings of PostgreSQL");
    }

    fn run_initdb(&self, folder: &Path) {
        let mut command = self.command("initdb");
        command.arg("-D").arg(folder).args(["-U", SUPERUSER, "-A", "trust", "-E", "UTF8"]);
        // As on a server of somebody's: upper and lower case are known beyond ASCII, and sorting is that of a language.
        command.args(["--locale", "C.UTF-8", "--locale-provider", "icu", "--icu-locale", "id-ID"]);
        command.args(["--no-sync", "--no-instructions"]);
        let made = command.output().expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
    }

    fn folder(&self) -> &Path {
        self.folder.as_deref().expect("this process has started it")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder().with_file_name("log")).unwrap_or_default()
    }

    /// One of PostgreSQL's programs, as a user that it accepts.
    fn command(&self, program: &str) -> Command {
        let mut command = as_account(Command::new(programs().join(program)), self.account.as_ref());
        command.stdin(Stdio::null()).current_dir("/");
        command.env_remove("PGDATA").env_remove("PGOPTIONS").env_remove("PGUSER").env_remove("PGHOST");
        command
    }
}

/// Where a cluster will be, in a folder of the account that it runs as.
fn folder_of(account: Option<&User>) -> PathBuf {
    let home = scratch::lasting_dir("postgres-");
    if let Some(account) = account {
        chown(&home, Some(account.uid), Some(account.gid)).expect("the folder can be given away");
    }
    home.join("data")
}

fn as_account(mut command: Command, account: Option<&User>) -> Command {
    if let Some(account) = account {
        command.uid(account.uid.as_raw()).gid(account.gid.as_raw());
    }
    command
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.server.lock().expect("no panic while held").is_some() {
            // What is paused cannot be told to end.
            self.resume();
        }
        self.stop();
        if let Some(home) = self.folder.as_deref().and_then(Path::parent) {
            let _ = fs::remove_dir_all(home);
        }
    }
}

/// As deploy/postgres/roles.sh makes them, but without passwords.
async fn make_roles(admin: &sea_orm::DatabaseConnection) {
    let mut sql = format!("CREATE ROLE {OWNER} LOGIN; CREATE ROLE {ALL_SERVICES} LOGIN NOINHERIT;");
    let stored = SERVICES.iter().filter(|service| service.stores).map(|service| service.name);
    for service in stored.chain([PROBE]) {
        let role = role(service);
        sql += &format!("CREATE ROLE {role} LOGIN; GRANT {role} TO {ALL_SERVICES};");
    }
    admin.execute_unprepared(&sql).await.expect("CREATE ROLE");
}

/// The folder of the newest version that Debian has installed, or of the search path.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions
        .map(|version| version.path())
        .filter(|path| path.join("bin/initdb").is_file())
        .max_by_key(|path| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    if let Some(version) = newest {
        return version.join("bin");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .find(|folder| folder.join("initdb").is_file())
        .expect("PostgreSQL is not installed: scripts/install-tools postgres")
}
