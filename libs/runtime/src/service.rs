//! A service is a value: a name, gRPC routes, HTTP routes and background tasks. Building binds nothing and starts
//! nothing; [`Running`] starts everything at once and stops it in order.

use std::{collections::HashMap, future::Future, net::SocketAddr, pin::Pin, sync::Arc, time::Duration};

use axum::Router;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::{
    audit::Audit,
    auth::{self, KeyRing, Policies, ServiceKey, Verifier},
    bus::Bus,
    db::{self, Database},
    error::{Error, Result},
    health::{Health, Name},
    telemetry::grpc::Calls,
    transport::Peers,
};

/// How long a process may take to finish what it has begun.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);

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
    /// Cancelled once, when the process shall end.
    pub shutdown: CancellationToken,
    databases: Arc<HashMap<&'static str, Database>>,
}

impl Context {
    /// Puts the parts together; `databases` has one for each service that stores something.
    pub fn new(
        bus: Bus,
        keys: KeyRing,
        policies: Policies,
        service_key: ServiceKey,
        peers: Peers,
        databases: HashMap<&'static str, Database>,
    ) -> Self {
        Self {
            audit: Audit::new(bus.clone()),
            bus,
            keys,
            policies,
            service_key,
            peers,
            health: Health::default(),
            shutdown: CancellationToken::new(),
            databases: Arc::new(databases),
        }
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
        self.bus.register(health);
        self.audit.register(health);
        health.collect(db::metrics::Databases(self.databases.values().cloned().collect()));
        let bus = self.bus.clone();
        health.check("nats", &[], move || {
            let bus = bus.clone();
            async move { bus.look().await.map(Some) }
        });
        let bus = self.bus.clone();
        health.check("streams", &["nats".into()], move || {
            let bus = bus.clone();
            async move { bus.look_at_streams().await.map(Some) }
        });
        let keys = self.keys.clone();
        health.check("keys", &["nats".into()], move || std::future::ready(look_at_keys(&keys).map(Some)));
        for database in self.databases.values() {
            watch_database(health, database);
        }
    }
}

fn look_at_keys(keys: &KeyRing) -> Result<String> {
    match keys.user_keys().len() {
        0 => Err(Error::unavailable("no key of identity is known: nobody's sign-in can be verified")),
        count => Ok(format!("{count} keys of identity are known")),
    }
}

fn watch_database(health: &Health, database: &Database) {
    let name: Name = format!("database of {}", database.service()).into();
    let looked = database.clone();
    health.check(name.clone(), &[], move || {
        let database = looked.clone();
        async move { database.look().await.map(Some) }
    });
    let metrics = database.metrics.clone();
    let outbox = format!("outbox of {}", database.service());
    health.check(outbox, &["nats".into(), name], move || std::future::ready(metrics.outbox.state()));
}

/// What one service is made of.
pub struct Service {
    name: &'static str,
    grpc: Option<Routes>,
    http: Option<Router>,
    tasks: Vec<(&'static str, TaskFuture)>,
}

impl Service {
    /// A service without anything yet.
    pub fn new(name: &'static str) -> Self {
        Self { name, grpc: None, http: None, tasks: Vec::new() }
    }

    /// Its gRPC side. Every request passes the token check first.
    pub fn grpc(mut self, routes: Routes) -> Self {
        self.grpc = Some(routes);
        self
    }

    /// Its HTTP side, for the edge alone.
    pub fn http(mut self, router: Router) -> Self {
        self.http = Some(router);
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
    http: Option<Router>,
    tasks: Vec<(&'static str, &'static str, TaskFuture)>,
}

impl Process {
    /// A process without services.
    pub fn new(context: Context) -> Self {
        context.watch();
        let calls = Calls::new(&context.health);
        Self { context, calls, grpc: None, http: None, tasks: Vec::new() }
    }

    /// Adds a service and makes it known to those built later.
    pub fn add(&mut self, service: Service) {
        if let Some(routes) = service.grpc {
            // A call without a good token ends before its method can become a name in `/metrics`.
            let routes = auth::guard(
                self.calls.watch(routes),
                self.context.verifier(),
                service.name,
                self.context.audit.clone(),
            );
            self.context.peers.register(service.name, routes.clone());
            let merged = match self.grpc.take() {
                Some(others) => Routes::from(others.into_axum_router().merge(without_fallback(routes))),
                None => routes,
            };
            self.grpc = Some(merged);
        }
        if let Some(router) = service.http {
            self.http = Some(self.http.take().unwrap_or_default().merge(router));
        }
        self.tasks.extend(service.tasks.into_iter().map(|(name, task)| (service.name, name, task)));
    }

    /// Starts everything: the listeners given, and all tasks.
    pub fn start(self, http: Option<TcpListener>, grpc: Option<TcpListener>) -> Running {
        let mut tasks = JoinSet::new();
        let shutdown = self.context.shutdown.clone();
        tasks.spawn(self.context.health.clone().watch(shutdown.clone()));
        tasks.spawn(self.context.audit.clone().run(shutdown.clone()));
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
        if let (Some(listener), Some(router)) = (http, self.http) {
            tasks.spawn(serve(listener, router, shutdown.clone()));
        }
        if let (Some(listener), Some(routes)) = (grpc, self.grpc) {
            tasks.spawn(serve(listener, routes.into_axum_router(), shutdown.clone()));
        }
        Running { shutdown, tasks, databases: self.context.databases }
    }
}

/// Two routers with a fallback cannot be merged; the first one's answers for unknown methods.
fn without_fallback(routes: Routes) -> Router {
    routes.into_axum_router().reset_fallback()
}

async fn serve(listener: TcpListener, router: Router, shutdown: CancellationToken) -> Result<()> {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(shutdown.cancelled_owned()).await.map_err(Error::internal)
}

/// A started process.
pub struct Running {
    shutdown: CancellationToken,
    tasks: JoinSet<Result<()>>,
    databases: Arc<HashMap<&'static str, Database>>,
}

impl Running {
    /// Waits until shutdown is asked for, or until a task fails, which asks for it; then waits for everything to end, and
    /// closes the databases: services hold each other through their transports, so none is dropped while the process lives.
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
