//! A service is a value: a name, gRPC routes, HTTP routes and background tasks. Building binds nothing and starts
//! nothing; [`Running`] starts everything at once and stops it in order.

use std::{
    collections::{BTreeSet, HashMap},
    future::Future,
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use axum::Router;
use futures::future::join_all;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::{
    audit::Audit,
    auth::{
        self, KeyRing, Policies, ServiceKey, Verifier,
        entry::{EntryKey, EntrySigner, EntryVerifier},
    },
    bus::{self, Bucket, Bus, MessageProof, MessageSigner},
    clock::Clock,
    db::{self, Database},
    descriptor_check,
    error::{Error, Result},
    health::{Health, Loss, Name, Part},
    idempotency,
    jobs::{self, Jobs},
    serve::{self, Limits},
    telemetry::grpc::Calls,
    transport::Peers,
    trust::{self, Trust},
};

/// How long a process may take to finish what it has begun.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);

/// How long a process stays in service without what it finds again by itself: another NATS server that lets it in, a database
/// that is started again.
const PATIENCE: Duration = Duration::from_secs(10);

/// All have lost it when no server is there, and answer from memory and databases.
const NATS: Part = Part::told(bus::CONNECTION);
/// A server is there, and refuses this process: others may be let in.
const NATS_LOGIN: Part = Part::required_after(Name::Borrowed("nats login"), PATIENCE);
/// What it does not hear by the login that it was given, it would never take in.
const NATS_RIGHTS: Part = Part::required(Name::Borrowed("nats rights"));
/// What most answers do without.
const JETSTREAM: Part = Part::told(Name::Borrowed("jetstream"));
const STREAMS: Part = Part::told(Name::Borrowed("streams"));
/// Of this host alone.
const CLOCK: Part = Part::required(Name::Borrowed("clock"));
/// Without any nobody is let in.
const KEYS: Part = Part::required(Name::Borrowed("keys"));

type TaskFuture = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// What a service is built from. Cheap to clone; every clone is the same process.
#[derive(Clone)]
pub struct Context {
    /// Streams, buckets and subjects.
    pub bus: Bus,
    /// Whose tokens are believed.
    pub keys: KeyRing,
    /// What users may do.
    pub policies: Policies,
    /// Signs calls that no user makes.
    pub service_key: ServiceKey,
    /// The other services.
    pub peers: Peers,
    /// Takes notes of what changes no rows.
    pub audit: Audit,
    /// What `/readyz` and `/metrics` show.
    pub health: Health,
    /// Whether the clock of this host is right.
    pub clock: Clock,
    /// Cancelled once, when the process shall end.
    pub shutdown: CancellationToken,
    databases: Arc<HashMap<&'static str, Database>>,
    connections: Arc<HashMap<&'static str, Bus>>,
}

/// What a [`Context`] is put together from.
pub struct Parts {
    /// The process's own connection; that of services without one of theirs.
    pub bus: Bus,
    /// The connections of its services, each with the rights of that service alone.
    pub connections: HashMap<&'static str, Bus>,
    /// Whose tokens are believed, and the secrets of the services that the process runs.
    pub keys: KeyRing,
    /// What users may do.
    pub policies: Policies,
    /// The other services.
    pub peers: Peers,
    /// One for each service that stores something.
    pub databases: HashMap<&'static str, Database>,
    /// The clock of this host is vouched for.
    pub trusts_clock: bool,
}

impl Context {
    /// The process itself; [`Self::of`] is what one of its services is built from.
    pub fn new(parts: Parts) -> Result<Self> {
        let connections = Arc::new(parts.connections);
        let secrets = parts.keys.secrets();
        let service_key = ServiceKey::new(secrets.process(), secrets)?;
        Ok(Self {
            audit: Audit::new(parts.bus.clone(), connections.clone(), secrets.clone()),
            peers: parts.peers.vouched_for_by(service_key.clone()),
            service_key,
            bus: parts.bus,
            keys: parts.keys,
            policies: parts.policies,
            health: Health::default(),
            clock: Clock::new(parts.trusts_clock),
            shutdown: CancellationToken::new(),
            databases: Arc::new(parts.databases),
            connections,
        })
    }

    /// The same as one of its services: with its connection, and with its key.
    pub fn of(&self, service: &'static str) -> Result<Self> {
        let bus = self.connections.get(service).unwrap_or(&self.bus).clone();
        let service_key = ServiceKey::new(service, self.keys.secrets())?;
        let peers = self.peers.clone().vouched_for_by(service_key.clone());
        Ok(Self { bus, service_key, peers, ..self.clone() })
    }

    /// A connection with the rights of one user of NATS alone, for what a service does under another name than its own;
    /// the service's own where there is none of that name.
    pub fn connection(&self, user: &str) -> Bus {
        self.connections.get(user).unwrap_or(&self.bus).clone()
    }

    /// A bucket of this service, to write into.
    pub async fn own_bucket(&self, name: &'static str) -> Result<Bucket> {
        let owner = self.service_key.service();
        let proof = EntryVerifier::Owner(Arc::new(self.keys.clone()), owner);
        Bucket::open(&self.bus, name, proof, Some(self.entry_signer()?)).await
    }

    fn entry_signer(&self) -> Result<EntrySigner> {
        let owner = self.service_key.service();
        let key = EntryKey::of(self.keys.secrets(), owner)?;
        let key = key.ok_or_else(|| Error::unavailable(format!("the secret of {owner} is not known")))?;
        Ok(EntrySigner::Owner(key))
    }

    /// What signs the messages of a stream of this service.
    pub fn message_signer(&self, stream: &'static str) -> Result<MessageSigner> {
        Ok(MessageSigner::new(stream, self.entry_signer()?))
    }

    /// What tells the messages of a stream of another service from what else is in it.
    pub fn message_proof(&self, stream: &'static str, owner: &'static str) -> MessageProof {
        MessageProof::new(&self.bus, stream, Arc::new(self.keys.clone()), owner)
    }

    /// A bucket of another service, to read.
    pub async fn bucket(&self, name: &'static str, owner: &'static str) -> Result<Bucket> {
        Bucket::open(&self.bus, name, EntryVerifier::Owner(Arc::new(self.keys.clone()), owner), None).await
    }

    /// The database of a service.
    pub fn database(&self, service: &str) -> Result<Database> {
        self.databases
            .get(service)
            .cloned()
            .ok_or_else(|| Error::unavailable(format!("service {service} was given no database")))
    }

    /// Tells who calls, and what they may do now.
    pub fn verifier(&self) -> Verifier {
        Verifier { keys: self.keys.clone(), policies: self.policies.clone() }
    }

    /// Shows what every process stands on, in `/metrics` and `/readyz`.
    fn watch(&self) {
        let health = &self.health;
        let mut connections: HashMap<String, Bus> =
            self.connections.iter().map(|(name, bus)| ((*name).to_owned(), bus.clone())).collect();
        if connections.is_empty() {
            connections.insert(self.keys.secrets().process().to_owned(), self.bus.clone());
        }
        let buses: Vec<Bus> = connections.values().cloned().collect();
        bus::register(health, connections);
        self.audit.register(health);
        health.collect(db::collector::Databases(self.databases.values().cloned().collect()));
        watch_nats(health, &buses);
        health.collect(self.clock.clone());
        let (clock, database) = (self.clock.clone(), self.databases.values().next().cloned());
        health.check(CLOCK, &[bus::CONNECTION], move || {
            let (clock, buses, database) = (clock.clone(), buses.clone(), database.clone());
            async move { clock.check(&buses, database.as_ref()).await }
        });
        let keys = self.keys.clone();
        health.check(KEYS, &[bus::CONNECTION], move || std::future::ready(check_keys(&keys).map(Some)));
    }

    /// Shows the databases too. Who serves the edge goes on without one: the live map waits for none.
    fn watch_databases(&self, serves_edge: bool) {
        for database in self.databases.values() {
            watch_database(
                &self.health,
                database,
                if serves_edge { Loss::Told } else { Loss::OutOfServiceAfter(PATIENCE) },
            );
        }
    }
}

fn watch_nats(health: &Health, buses: &[Bus]) {
    let [connected, let_in, heard, asked, opened] = [(); 5].map(|()| buses.to_vec());
    health.check(NATS, &[], move || {
        let answers: Result<Vec<_>> = connected.iter().map(Bus::check_connection).collect();
        std::future::ready(answers.map(|mut answers| answers.pop()))
    });
    health.check(NATS_LOGIN, &[], move || {
        let buses = let_in.clone();
        async move {
            let answers = join_all(buses.iter().map(Bus::check_login)).await;
            Ok(answers.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().next())
        }
    });
    health.check(NATS_RIGHTS, &[bus::CONNECTION], move || {
        let answers: Result<Vec<_>> = heard.iter().map(Bus::check_hearing).collect();
        std::future::ready(answers.map(|mut answers| answers.pop()))
    });
    health.check(JETSTREAM, &[bus::CONNECTION], move || {
        let buses = asked.clone();
        async move {
            let answers = join_all(buses.iter().map(Bus::check_jetstream)).await;
            Ok(answers.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().next())
        }
    });
    health.check(STREAMS, &bus::JETSTREAM, move || {
        let buses = opened.clone();
        async move {
            let answers = join_all(buses.iter().map(Bus::check_streams)).await;
            let names: BTreeSet<String> =
                answers.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
            Ok(Some(format!("there are {}", names.into_iter().collect::<Vec<_>>().join(", "))))
        }
    });
}

fn check_keys(keys: &KeyRing) -> Result<String> {
    match keys.user_keys().len() {
        0 => Err(Error::unavailable("no key of identity is known: nobody's sign-in can be verified")),
        count => Ok(format!("{count} keys of identity are known")),
    }
}

fn watch_database(health: &Health, database: &Database, loss: Loss) {
    let name: Name = format!("database of {}", database.service()).into();
    let checked = database.clone();
    health.check(Part { name: name.clone(), loss }, &[], move || {
        let database = checked.clone();
        async move { database.check_connection().await.map(Some) }
    });
    let metrics = database.metrics.clone();
    let outbox = Part::told(format!("outbox of {}", database.service()).into());
    let [nats, jetstream] = bus::JETSTREAM;
    health.check(outbox, &[nats, jetstream, name], move || std::future::ready(metrics.outbox.state()));
}

impl Jobs {
    /// Those of the service that the context is of, in its database.
    pub fn new(context: &Context, db: Database) -> Self {
        Self::with(db, context.service_key.clone(), context.peers.clone(), context.policies.clone())
    }
}

/// What one service is made of.
pub struct Service {
    name: &'static str,
    grpc: Option<Routes>,
    http: Option<(Router, Limits)>,
    jobs: Option<Jobs>,
    once: Option<Database>,
    tasks: Vec<(&'static str, TaskFuture)>,
}

impl Service {
    /// A service without anything yet.
    pub fn new(name: &'static str) -> Self {
        Self { name, grpc: None, http: None, jobs: None, once: None, tasks: Vec::new() }
    }

    /// Its gRPC side. Every request passes the token check first.
    pub fn grpc(mut self, routes: Routes) -> Self {
        self.grpc = Some(routes);
        self
    }

    /// Its HTTP side, for the edge alone, and what its clients may take.
    pub fn http(mut self, router: Router, limits: Limits) -> Self {
        self.http = Some((router, limits));
        self
    }

    /// Its jobs: they are run, and served beside its gRPC side.
    pub fn jobs(mut self, jobs: Jobs) -> Self {
        self.jobs = Some(jobs);
        self
    }

    /// What it does for a call with an idempotency key is done once; its database has the table for it.
    pub fn once(mut self, db: Database) -> Self {
        self.once = Some(db);
        self
    }

    /// Work that goes on until shutdown. A task that ends early, well or not, ends the process.
    pub fn task(mut self, name: &'static str, task: impl Future<Output = Result<()>> + Send + 'static) -> Self {
        self.tasks.push((name, Box::pin(task)));
        self
    }
}

/// Services of one process, put together and not yet started.
pub struct Process {
    context: Context,
    calls: Calls,
    grpc: Option<Routes>,
    http: Option<(Router, Limits)>,
    jobs: Vec<Jobs>,
    tasks: Vec<(&'static str, &'static str, TaskFuture)>,
}

impl Process {
    /// A process without services.
    pub fn new(context: Context) -> Self {
        context.watch();
        let calls = Calls::new(&context.health);
        Self { context, calls, grpc: None, http: None, jobs: Vec::new(), tasks: Vec::new() }
    }

    /// Adds a service and makes it known to those built later.
    pub fn add(&mut self, service: Service) {
        if let Some(routes) = service.grpc {
            let with_jobs = match &service.jobs {
                Some(jobs) => routes.clone().add_service(jobs::server(vec![jobs.clone()])),
                None => routes.clone(),
            };
            let guarded = |routes| self.guarded(routes, service.name, service.once.as_ref());
            self.context.peers.register(service.name, guarded(with_jobs));
            let routes = guarded(routes);
            self.merge(routes);
        }
        if let Some(db) = service.once {
            let swept = idempotency::sweep(db, self.context.shutdown.clone());
            self.tasks.push((service.name, "idempotency", Box::pin(swept)));
        }
        if let Some(jobs) = service.jobs {
            let run = jobs.clone().run(self.context.shutdown.clone());
            self.tasks.push((service.name, "jobs", Box::pin(run)));
            self.jobs.push(jobs);
        }
        if let Some((router, limits)) = service.http {
            let others = self.http.take().map(|(others, _)| others).unwrap_or_default();
            self.http = Some((others.merge(router), limits));
        }
        self.tasks.extend(service.tasks.into_iter().map(|(name, task)| (service.name, name, task)));
    }

    /// With the check in front. A call without a good token ends before its method can become a name in `/metrics`.
    fn guarded(&self, routes: Routes, service: &'static str, once: Option<&Database>) -> Routes {
        let routes = self.calls.watch(routes);
        let routes = match once {
            Some(db) => idempotency::once(routes, db.clone()),
            None => routes,
        };
        auth::guard(routes, self.context.verifier(), service, self.context.audit.clone())
    }

    fn merge(&mut self, routes: Routes) {
        self.grpc = Some(match self.grpc.take() {
            Some(others) => Routes::from(others.into_axum_router().merge(without_fallback(routes))),
            None => routes,
        });
    }

    /// Serves the jobs of all services at one place, since they are one service of the contract.
    fn serve_jobs(&mut self) {
        let jobs = std::mem::take(&mut self.jobs);
        if let Some(first) = jobs.first() {
            let routes = self.guarded(Routes::new(jobs::server(jobs.clone())), first.service(), Some(first.db()));
            self.merge(routes);
            self.context.health.collect(jobs::Collected(jobs));
        }
    }

    /// Starts everything: the listeners given, and all tasks.
    pub fn start(mut self, http: Option<TcpListener>, grpc: Option<TcpListener>) -> Running {
        self.serve_jobs();
        let connections = self.http.as_ref().map_or(0, |(_, limits)| limits.connections);
        self.context.watch_databases(self.http.is_some());
        descriptor_check::watch(&self.context.health, connections);
        let mut tasks = JoinSet::new();
        let shutdown = self.context.shutdown.clone();
        tasks.spawn(self.context.health.clone().watch(shutdown.clone()));
        tasks.spawn(self.context.audit.clone().run(shutdown.clone()));
        tasks.spawn(Trust::of_process().clone().watch(trust::LOOK_EVERY, shutdown.clone()));
        for (service, name, task) in self.tasks {
            let shutdown = shutdown.clone();
            tasks.spawn(async move {
                let result = task.await;
                match result {
                    Err(error) => Err(Error { message: format!("{service}/{name}: {}", error.message), ..error }),
                    Ok(()) if shutdown.is_cancelled() => Ok(()),
                    Ok(()) => Err(Error::internal(format!("{service}/{name} ended early"))),
                }
            });
        }
        if let (Some(listener), Some((router, limits))) = (http, self.http) {
            tasks.spawn(serve::http(listener, router, limits, self.context.health.clone(), shutdown.clone()));
        }
        if let (Some(listener), Some(routes)) = (grpc, self.grpc) {
            tasks.spawn(serve::grpc(listener, routes.into_axum_router(), shutdown.clone()));
        }
        Running { shutdown, tasks, databases: self.context.databases, peers: self.context.peers }
    }
}

/// Two routers with a fallback cannot be merged; the first one's answers for unknown methods.
fn without_fallback(routes: Routes) -> Router {
    routes.into_axum_router().reset_fallback()
}

/// A started process.
pub struct Running {
    shutdown: CancellationToken,
    tasks: JoinSet<Result<()>>,
    databases: Arc<HashMap<&'static str, Database>>,
    peers: Peers,
}

impl Drop for Running {
    /// However it ends: services hold each other through their transports, and none would ever be dropped.
    fn drop(&mut self) {
        self.peers.forget();
    }
}

impl Running {
    /// Waits until shutdown is asked for, or until a task fails, which asks for it; then waits for everything to end, and
    /// closes the databases.
    pub async fn finish(mut self) -> Result<()> {
        let mut outcome = Ok(());
        tokio::select! {
            () = self.shutdown.cancelled() => {}
            Some(ended) = self.tasks.join_next() => outcome = flatten(ended),
        }
        self.shutdown.cancel();
        let drained = tokio::time::timeout(DRAIN_DEADLINE, async {
            while let Some(ended) = self.tasks.join_next().await {
                let ended = flatten(ended);
                if outcome.is_ok() {
                    outcome = ended;
                }
            }
            for database in self.databases.values() {
                if let Err(error) = database.close().await {
                    tracing::warn!(%error, "the database of {} was not closed", database.service());
                }
            }
        });
        if drained.await.is_err() {
            tracing::warn!("some tasks did not end within {DRAIN_DEADLINE:?} and were dropped");
        }
        outcome
    }
}

fn flatten(ended: std::result::Result<Result<()>, tokio::task::JoinError>) -> Result<()> {
    ended.unwrap_or_else(|panic| Err(Error::internal(panic)))
}
