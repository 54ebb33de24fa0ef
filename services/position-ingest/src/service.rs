//! The service put together.

use std::sync::Arc;

use armada_proto::v1::{
    addresses_server::AddressesServer, devices_client::DevicesClient, gateway_messages_server::GatewayMessagesServer,
    positions_server::PositionsServer,
};
use armada_runtime::{Bus, Context, Database, Erasures, Result, Service, audit, events};
use tokio::sync::{Semaphore, mpsc};
use tonic::service::Routes;

use crate::{
    Config, Migrator, NAME,
    api::{gateway_messages, positions},
    directory::{gateways, registry, standing_alarms, tenants},
    erasure,
    feeds::{heard_imeis, meters, routes},
    geocoding,
    history::context::HistoryContext,
    live::last_positions,
    metrics::{self, retry_health},
    ownership::{adopt, lease},
    pipeline::{self, group_commit, raw_lag},
    readiness,
    receiver::{self, raw_key},
    rejected::{held_fixes, set_aside},
    storage::write_gate,
    streams::{self, consumer_lag, limits, purge, watermarks},
};

/// Writes that wait for the writer.
const WRITES_WAITING: usize = 64;

/// Makes the schema, the rows of the partitions and the streams.
pub async fn migrate(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    config.check()?;
    db.migrate::<Migrator>(NAME).await?;
    streams::migrate(bus, config).await?;
    Erasures::migrate(bus).await?;
    standing_alarms::migrate(bus).await?;
    heard_imeis::migrate(bus).await?;
    routes::migrate(bus).await?;
    watermarks::migrate(bus).await?;
    adopt::create_rows(db, config.partitions).await
}

/// Builds the service; fleet must have been built or be configured as a peer.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config)).await
}

async fn put_together(context: &Context, config: Config) -> Result<Service> {
    config.check()?;
    let context = &context.of(NAME)?;
    let bus = context.bus.clone();
    let db = context.database(NAME)?;
    db.verify::<Migrator>(NAME).await?;
    limits::check(&bus)?;
    streams::raw(&bus, &config).await?;
    let config = Arc::new(config);
    let registry = registry::Registry::open(context).await?;
    let standing_alarms = standing_alarms::StandingAlarmCache::open(context).await?;
    let gateways = gateways::Gateways::open(context).await?;
    let settings = tenants::TenantSettings::open(context).await?;
    let metrics = metrics::Metrics::new(&context.health);
    let last = last_positions::LastPositions::new(metrics.messages.clone(), settings.clone());
    let (writes, waiting) = mpsc::channel(WRITES_WAITING);
    let (meters, publisher) = meters::Meters::new(context)?;
    let gate = write_gate::WriteGate::new(&db);
    let aside = set_aside::SetAside::new(bus.clone(), db.clone(), gate.clone(), &context.health);
    let to_gateways = context.connection(receiver::GATEWAYS_USER);
    let (signer, proof) = raw_key::open(&bus, &db, &gate).await?;
    let receiver = receiver::ReceiverContext::new(
        (context.connection(receiver::NATS_USER), to_gateways.clone(), bus.clone()),
        signer,
        db.clone(),
        (registry.clone(), gateways.clone(), settings.clone()),
        (last.clone(), config.partitions),
        (&context.health, &context.clock),
    );
    let history = HistoryContext {
        bus: bus.clone(),
        db: db.clone(),
        gate: gate.clone(),
        registry: registry.clone(),
        settings: settings.clone(),
        metrics: metrics.clone(),
        sealing: Arc::new(Semaphore::new(1)),
        deriving: Arc::new(Semaphore::new(1)),
    };
    let owners = pipeline::PipelineContext {
        bus: bus.clone(),
        proof,
        db: db.clone(),
        gate: gate.clone(),
        writer: group_commit::Writer(writes),
        registry: registry.clone(),
        gateways: gateways.clone(),
        settings: settings.clone(),
        heard_imeis: heard_imeis::HeardImeis::open(context).await?,
        routes: routes::Routes::open(context).await?,
        traffic: receiver.traffic(),
        aside: aside.clone(),
        meters,
        last: last.clone(),
        metrics: metrics.clone(),
        config: config.clone(),
        health: context.health.clone(),
        history,
    };
    let service = positions::PositionsService {
        bus: bus.clone(),
        db: db.clone(),
        last: last.clone(),
        registry: registry.clone(),
        settings: settings.clone(),
        standing_alarms: standing_alarms.clone(),
        partitions: config.partitions,
        devices: DevicesClient::new(context.peers.transport("fleet")?),
    };
    let (addresses, geocoding) = geocoding::open(config.geocoder.as_ref(), &db, &gate, &context.health)?;
    let messages = gateway_messages::GatewayMessages { bus: bus.clone(), db: db.clone(), gateways: gateways.clone() };
    let ledger = Erasures::open(context).await?;
    let follower = erasure::tenants::LedgerFollower {
        bus: bus.clone(),
        db: db.clone(),
        gate: gate.clone(),
        ledger,
        last: last.clone(),
    };
    let erased = erasure::devices::DeviceErasures::open(context, db.clone(), gate.clone(), last.clone()).await?;
    let acts = audit::Relay::new(context, db.clone())?;
    let events = events::Relay { db: db.clone(), bus: bus.clone() };
    let stored = retry_health::RetryHealth::listed(
        &context.health,
        readiness::HISTORY,
        &[format!("database of {NAME}").into()],
        "what is taken in is stored",
    );
    let shutdown = context.shutdown.clone();
    Ok(Service::new(NAME)
        .grpc(
            Routes::new(PositionsServer::new(service))
                .add_service(AddressesServer::new(addresses))
                .add_service(GatewayMessagesServer::new(messages)),
        )
        .task("addresses", geocoding.run(shutdown.clone()))
        .task("acts", acts.run(shutdown.clone()))
        .task("events", events.run(shutdown.clone()))
        .task("meters", publisher.run(shutdown.clone()))
        .task("erasures", follower.follow(shutdown.clone()))
        .task("erased devices", erased.follow(shutdown.clone()))
        .task("writer", group_commit::run(db.clone(), gate, waiting, (metrics.clone(), stored), shutdown.clone()))
        .task(
            "registry",
            until(shutdown.clone(), {
                let registry = registry.clone();
                async move { registry.follow().await }
            }),
        )
        .task("alarms that stand", until(shutdown.clone(), async move { standing_alarms.follow().await }))
        .task(
            "gateways",
            until(shutdown.clone(), {
                let (bus, gateways, receiver) = (bus.clone(), gateways.clone(), receiver.clone());
                async move {
                    let recent = receiver.recent();
                    let answers = gateway_messages::answer(&bus, &recent);
                    tokio::try_join!(gateways.follow(), answers, receiver.publish_traffic())?;
                    Ok(())
                }
            }),
        )
        .task(
            "tenants",
            until(shutdown.clone(), {
                let settings = settings.clone();
                async move { settings.follow().await }
            }),
        )
        .task("set aside", until(shutdown.clone(), async move { aside.run().await }))
        .task(
            "held",
            until(shutdown.clone(), {
                let (registry, bus, partitions) = (registry.clone(), bus.clone(), config.partitions);
                let held = held_fixes::HeldFixes { bus, to_gateways, registry, gateways, partitions };
                async move { held.run().await }
            }),
        )
        .task(
            "last positions",
            until(shutdown.clone(), {
                let (last, bus, db) = (last.clone(), bus.clone(), db.clone());
                async move { last.follow(&bus, &db).await }
            }),
        )
        .task(
            "purge",
            until(shutdown.clone(), {
                let (bus, db, config) = (bus.clone(), db.clone(), config.clone());
                let lags = consumer_lag::Lags::new(&context.health);
                async move { purge::run(&bus, &db, &config, &lags).await }
            }),
        )
        .task(
            "lag",
            until(shutdown.clone(), {
                let (bus, config) = (bus.clone(), config.clone());
                async move { raw_lag::run(&bus, &config, &metrics.progress).await }
            }),
        )
        .task("readiness", {
            let health = context.health.clone();
            health.missing(&readiness::LOADED, "loading bindings and last positions");
            let shutdown = shutdown.clone();
            async move {
                let loaded = async { tokio::join!(registry.loaded(), settings.loaded(), last.loaded()) };
                if shutdown.run_until_cancelled(loaded).await.is_some() {
                    health.present(&readiness::LOADED);
                }
                shutdown.cancelled().await;
                Ok(())
            }
        })
        .task("partitions", lease::run(owners, receiver, shutdown)))
}

async fn until(shutdown: tokio_util::sync::CancellationToken, work: impl Future<Output = Result<()>>) -> Result<()> {
    shutdown.run_until_cancelled(work).await.unwrap_or(Ok(()))
}
