//! A small world per test: a nats-server, a key ring, a database, and the processes that the test runs in it.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use armada_declarations::{
    SERVICES,
    nats::{Account, User},
};
use armada_proto::{
    TenantId, Timestamp,
    access::permission::{DEVICE_EXPORT, DEVICE_LIST, POSITION_HISTORY, POSITION_LIVE},
};
use armada_runtime::{
    Bus, Context, Database, KeyRing, Peers, Policies, Service, audit,
    auth::{Grant, IDENTITY},
    bus::Bucket,
    db::Location,
    events,
    service::{Parts, Process, Running},
};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::OnceCell, task::JoinHandle};

use crate::{
    api::Api,
    callers::{self, Signed, TokenIssuer, secrets},
    kind::Kind,
    nats::NatsServer,
    postgres::{Durability, Postgres, TemporaryDatabase, database_of},
    scratch,
    tables::Tables,
};

/// How long a process may take to stop before the test fails.
const STOP_DEADLINE: Duration = Duration::from_secs(30);

/// What one test needs to run services. Everything ends when it is dropped.
pub struct World {
    /// The kind of database.
    pub kind: Kind,
    /// Its own NATS server.
    pub nats: NatsServer,
    /// A connection to it with the rights of whoever runs the machine.
    pub bus: Bus,
    gateways: OnceCell<Bus>,
    /// Where its databases are.
    pub location: Location,
    mint: TokenIssuer,
    postgres: Option<Arc<Postgres>>,
    /// Its database in the cluster that others use as well.
    temporary: Option<TemporaryDatabase>,
    files: TempDir,
}

impl World {
    /// Starts a World. It has no services, streams or tables yet.
    pub async fn start(kind: Kind) -> Self {
        Self::start_with(kind, None, NatsServer::start()).await
    }

    /// Starts a World that has the tables of services already. Their streams it has not.
    pub async fn start_with_tables(kind: Kind, tables: &Tables) -> Self {
        Self::start_with(kind, Some(tables), NatsServer::start()).await
    }

    /// Starts a World whose PostgreSQL, if it is of that kind, serves it alone and may be stopped.
    pub async fn start_with_own_postgres(kind: Kind, durability: Durability) -> Self {
        let postgres = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => {
                let started = tokio::task::spawn_blocking(move || Arc::new(Postgres::start(durability)));
                Some(started.await.expect("PostgreSQL starts"))
            }
        };
        Self::start_on(kind, postgres, None, NatsServer::start()).await
    }

    /// Starts a World that has the tables of services already, and whose NATS server asks identity which gateways may
    /// connect.
    pub async fn start_asking_identity(kind: Kind, tables: &Tables) -> Self {
        Self::start_with(kind, Some(tables), NatsServer::start_asking_identity()).await
    }

    async fn start_with(kind: Kind, tables: Option<&Tables>, nats: NatsServer) -> Self {
        let postgres = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(Postgres::shared().await),
        };
        let mut world = Box::pin(Self::start_on(kind, postgres, tables, nats)).await;
        if let (Some(postgres), Location::Postgres(logins)) = (&world.postgres, &world.location) {
            world.temporary = Some(TemporaryDatabase::of(postgres, logins));
        }
        world
    }

    async fn start_on(kind: Kind, postgres: Option<Arc<Postgres>>, tables: Option<&Tables>, nats: NatsServer) -> Self {
        let files = scratch::temp_dir("databases-");
        let location = match (&postgres, tables) {
            (None, tables) => {
                if let Some(tables) = tables {
                    copy_files(tables.files.get_or_init(|| files_with(tables)).await, files.path());
                }
                Location::Sqlite(files.path().to_owned())
            }
            (Some(postgres), None) => Location::Postgres(postgres.create_database().await),
            (Some(postgres), Some(tables)) => {
                let template = tables.database.get_or_init(|| database_with(tables)).await;
                Location::Postgres(postgres.create_database_like(template).await)
            }
        };
        let bus = Bus::connect(&nats.url(), "testkit").await.expect("nats-server accepts connections");
        KeyRing::migrate(&bus).await.expect("the bucket of keys");
        Policies::migrate(&bus).await.expect("the bucket of policies");
        audit::migrate(&bus).await.expect("the stream of the audit");
        events::migrate(&bus).await.expect("the stream of events");
        let mint = Box::pin(TokenIssuer::start(&bus)).await;
        Self { kind, nats, bus, gateways: OnceCell::new(), location, mint, postgres, temporary: None, files }
    }

    /// A folder that ends with this World.
    pub fn folder(&self) -> &Path {
        self.files.path()
    }

    /// The PostgreSQL server of this World. Stop it only if the World was started with its own.
    pub fn postgres(&self) -> &Postgres {
        self.postgres.as_deref().expect("this World is on PostgreSQL")
    }

    /// A connection of whoever runs the machine to the account of gateways.
    pub async fn gateways_bus(&self) -> &Bus {
        let connect = async || {
            let url = self.nats.gateways_url();
            Bus::connect_without_streams(&url, "testkit").await.expect("nats-server accepts connections")
        };
        self.gateways.get_or_init(connect).await
    }

    /// What a process of its own is built from, with a database for each of `services`.
    pub async fn context(&self, services: &[&'static str]) -> Context {
        Box::pin(self.context_with_peers(services, HashMap::new())).await
    }

    /// The same, for a process that reaches other services over the network: their names and gRPC addresses.
    pub async fn context_with_peers(&self, services: &[&'static str], peers: HashMap<String, String>) -> Context {
        let bus = Bus::connect(&self.nats.url(), "test-process").await.expect("nats-server accepts connections");
        let keys = KeyRing::open(&bus, IDENTITY, &secrets()).await.expect("the bucket of keys");
        self.mint.is_believed_by(&keys);
        let policies = Policies::open(&bus, &keys).await.expect("the bucket of policies");
        let mut connections = HashMap::new();
        for User { name, account, .. } in SERVICES.iter().flat_map(|service| service.users) {
            let url = self.nats.url_of(name);
            let bus = match account {
                Account::Services => Bus::connect(&url, name).await,
                Account::Gateways | Account::System => Bus::connect_without_streams(&url, name).await,
            };
            connections.insert(*name, bus.expect("nats-server accepts services"));
        }
        let mut databases = HashMap::new();
        for &service in services {
            databases.insert(service, self.database(service).await);
        }
        let peers = peers.into_iter().map(|(name, url)| (name, url.parse().expect("addresses of a service")));
        let peers = Peers::new(peers.collect());
        let parts = Parts { bus, connections, keys, policies, peers, databases, trusts_clock: true };
        Context::new(parts).expect("a context")
    }

    /// A bucket as its owner has it, to write into.
    pub async fn bucket_of(&self, owner: &'static str, name: &'static str) -> Bucket {
        let context = self.context(&[]).await.of(owner).expect("a service of the World");
        context.own_bucket(name).await.expect("the bucket")
    }

    /// The database of a service, to look into it.
    pub async fn database(&self, service: &str) -> Database {
        Database::open(&self.location, service).await.expect("the database opens")
    }

    /// A process to add services to.
    pub fn process(&self, context: &Context) -> TestProcess {
        let mut process = Process::new(context.clone());
        let follow = context.keys.clone().follow(context.shutdown.clone());
        let rights = context.policies.clone().follow(context.shutdown.clone());
        process.add(Service::new("callers").task("keys", follow).task("policies", rights));
        TestProcess { process, context: context.clone() }
    }

    /// Starts the services of a process, on ports of their own.
    pub async fn run(&self, process: TestProcess) -> RunningProcess {
        let TestProcess { process, context } = process;
        let (http_listener, http) = listen().await;
        let (grpc_listener, grpc) = listen().await;
        self.mint.put_again().await;
        let running = process.start(Some(http_listener), Some(grpc_listener));
        RunningProcess { http, grpc, context, task: Some(tokio::spawn(Running::finish(running))) }
    }

    /// A platform owner.
    pub async fn platform_owner(&self) -> Signed {
        self.signed(Grant { is_platform_owner: true, ..callers::grant(None) }, &[]).await
    }

    /// The admin of a tenant.
    pub async fn tenant_admin(&self, tenant: TenantId) -> Signed {
        self.signed(Grant { is_tenant_admin: true, ..callers::grant(Some(tenant)) }, &[]).await
    }

    /// An ordinary user of a tenant, who may look at what they own or are linked to.
    pub async fn user(&self, tenant: TenantId) -> Signed {
        self.user_who_can(tenant, &[DEVICE_LIST, DEVICE_EXPORT, POSITION_LIVE, POSITION_HISTORY]).await
    }

    /// A user of a tenant with exactly these permissions.
    pub async fn user_who_can(&self, tenant: TenantId, permissions: &[&str]) -> Signed {
        self.signed(callers::grant(Some(tenant)), permissions).await
    }

    /// A caller with exactly this grant and these permissions.
    pub async fn signed(&self, grant: Grant, permissions: &[&str]) -> Signed {
        self.mint.signed(grant, permissions).await
    }

    /// A user whom identity knows, with what it says that they may do.
    pub async fn signed_in(&self, grant: Grant) -> Signed {
        self.mint.signed_in(grant).await
    }

    /// An access token of ten minutes from `now` on, for a caller who need not be good.
    pub fn token(&self, grant: &Grant, now: Timestamp) -> String {
        self.mint.token(grant, now)
    }
}

/// A folder with SQLite's files that have these tables.
async fn files_with(tables: &Tables) -> PathBuf {
    let world = migrated(Kind::Sqlite, tables).await;
    let folder = scratch::lasting_dir("tables-");
    copy_files(world.folder(), &folder);
    folder
}

/// The name of a database of PostgreSQL that has these tables.
async fn database_with(tables: &Tables) -> String {
    let mut world = migrated(Kind::Postgres, tables).await;
    std::mem::forget(world.temporary.take());
    match &world.location {
        Location::Postgres(logins) => database_of(logins).to_owned(),
        Location::Sqlite(_) => unreachable!("it was started on PostgreSQL"),
    }
}

/// A World in which migrations have made these tables. Nobody is connected to its databases.
async fn migrated(kind: Kind, tables: &Tables) -> World {
    let world = Box::pin(World::start(kind)).await;
    let context = Box::pin(world.context(tables.services)).await;
    (tables.migrate)(context.clone()).await;
    for service in tables.services {
        context.database(service).expect("it was opened").close().await.expect("connections close");
    }
    world
}

fn copy_files(from: &Path, to: &Path) {
    for file in fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), to.join(file.file_name())).expect("a file is copied");
    }
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    (listener, url)
}

/// Services of one process, not started yet.
pub struct TestProcess {
    process: Process,
    context: Context,
}

impl TestProcess {
    /// Adds a service and makes it known to those built later.
    pub fn add(&mut self, service: Service) -> &mut Self {
        self.process.add(service);
        self
    }
}

/// A started process. Dropping it asks it to stop.
pub struct RunningProcess {
    /// Base URL of its HTTP side.
    pub http: String,
    /// Base URL of its gRPC side.
    pub grpc: String,
    /// What it was built from.
    pub context: Context,
    task: Option<JoinHandle<armada_runtime::Result<()>>>,
}

impl RunningProcess {
    /// An HTTP client of its REST side; nobody is signed in.
    pub fn api(&self) -> Api {
        Api::new(&self.http)
    }

    /// Drains it as SIGTERM does, and tells how it ended.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.context.shutdown.cancel();
        let task = self.task.take().expect("it is stopped once");
        let ended = tokio::time::timeout(STOP_DEADLINE, task).await;
        Ok(ended.expect("the process drains in time").expect("no task panics")?)
    }

    /// Waits until it ends by itself, and tells how.
    pub async fn ended(mut self) -> armada_runtime::Result<()> {
        let task = self.task.take().expect("it ends once");
        tokio::time::timeout(STOP_DEADLINE, task).await.expect("the process ends").expect("no task panics")
    }

    /// Drops all its tasks where they are, which is as near to a kill as a process within the test's own comes.
    pub async fn abort(mut self) {
        let task = self.task.take().expect("it is aborted once");
        task.abort();
        let _ = task.await;
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        self.context.shutdown.cancel();
    }
}
