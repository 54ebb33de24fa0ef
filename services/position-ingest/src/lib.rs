//! Positions from NATS into history and onto the live map.
//!
//! What gateways publish is taken in by the [`receiver`], which checks it, writes it to RAW and answers. A message of RAW
//! goes through [`intake`] (resolve, derive), is shown live, and is gathered into a
//! round by the [`partition`]'s owner; [`writer`] commits the round with its progress; [`publisher`] puts the stored
//! bytes into POSITIONS; [`seal`] turns hot frames into per-device blocks, which [`history`] reads. [`lease`] decides
//! who owns what. What is older than a tenant keeps it goes ([`tenants`], [`expiry`]). Beside all that, [`addresses`] says
//! what is at a place.

use std::sync::Arc;

use armada_proto::v1::{
    addresses_server::AddressesServer, devices_client::DevicesClient, gateway_messages_server::GatewayMessagesServer,
    positions_server::PositionsServer,
};
use armada_runtime::{Bus, Context, Database, Erasures, Error, Result, Service, audit, events};
use futures::StreamExt as _;
use tokio::sync::{Semaphore, mpsc};
use tonic::service::Routes;

mod addresses;
mod alarms;
mod attempts;
pub mod bindings;
mod blocks;
mod bucket_cache;
pub mod clock_watch;
mod compact;
mod config;
mod consumer_lag;
pub mod consumers;
mod days;
pub mod dead_letters;
mod device_erasures;
mod entity;
mod erase;
mod erasures;
mod expiry;
mod gateway_messages;
mod gateways;
mod heard_imeis;
mod held_fixes;
mod history;
pub mod incoming;
mod intake;
mod lag;
mod last_positions;
mod lease;
mod limits;
mod messages;
mod meters;
mod metrics;
mod migrations;
mod partition;
mod positions;
mod publisher;
mod purge;
mod raw_key;
mod readiness;
pub mod receiver;
mod refusals;
mod registry;
mod restored;
mod round_trace;
mod routes;
mod seal;
mod set_aside;
mod space;
pub mod standstill;
mod storage;
pub mod streams;
pub mod tail;
mod tenants;
mod track_chunks;
mod tracked_device;
mod vehicle_events;
pub mod verify;
mod writer;

pub use config::{Config, GeocoderConfig, GeocoderKind, NAME};
pub use erase::erase_tenant;
pub use lease::adopt_stream;
pub use migrations::Migrator;
pub use partition::seal_subject;
pub use positions::counts as rejection_counts;
pub use restored::{RawAfterRestore, raw_after_restore};
pub use storage::{Storage, Stored, storage, stored_below, whole_bytes};

/// Writes that wait for the writer.
const WRITES_WAITING: usize = 64;

/// Makes the schema, the rows of the partitions and the streams.
pub async fn migrate(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    config.check()?;
    db.migrate::<Migrator>(NAME).await?;
    streams::migrate(bus, config).await?;
    Erasures::migrate(bus).await?;
    alarms::migrate(bus).await?;
    heard_imeis::migrate(bus).await?;
    routes::migrate(bus).await?;
    consumers::migrate(bus).await?;
    lease::create_rows(db, config.partitions).await
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
    let standing_alarms = alarms::StandingAlarmCache::open(context).await?;
    let gateways = gateways::Gateways::open(context).await?;
    let settings = tenants::TenantSettings::open(context).await?;
    let metrics = metrics::Metrics::new(&context.health);
    let last = last_positions::LastPositions::new(metrics.messages.clone(), settings.clone());
    let (writes, waiting) = mpsc::channel(WRITES_WAITING);
    let (meters, publisher) = meters::Meters::new(context)?;
    let gate = writer::Gate::new(&db);
    let aside = set_aside::SetAside::new(bus.clone(), db.clone(), gate.clone(), &context.health);
    let to_gateways = context.connection(receiver::GATEWAYS_USER);
    let (signer, proof) = raw_key::open(&bus, &db, &gate).await?;
    let receiver = receiver::Shared::new(
        (context.connection(receiver::NATS_USER), to_gateways.clone(), bus.clone()),
        signer,
        db.clone(),
        (registry.clone(), gateways.clone(), settings.clone()),
        (last.clone(), config.partitions),
        (&context.health, &context.clock),
    );
    let shared = partition::Shared {
        bus: bus.clone(),
        proof,
        db: db.clone(),
        gate: gate.clone(),
        writer: writer::Writer(writes),
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
        sealing: Arc::new(Semaphore::new(1)),
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
    let (addresses, geocoding) = addresses::open(config.geocoder.as_ref(), &db, &gate, &context.health)?;
    let messages = gateway_messages::GatewayMessages { bus: bus.clone(), db: db.clone(), gateways: gateways.clone() };
    let ledger = Erasures::open(context).await?;
    let follower =
        erasures::LedgerFollower { bus: bus.clone(), db: db.clone(), gate: gate.clone(), ledger, last: last.clone() };
    let erased = device_erasures::DeviceErasures::open(context, db.clone(), gate.clone(), last.clone()).await?;
    let acts = audit::Relay::new(context, db.clone())?;
    let events = events::Relay { db: db.clone(), bus: bus.clone() };
    let stored = attempts::Attempts::listed(
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
        .task("writer", writer::run(db.clone(), gate, waiting, (metrics.clone(), stored), shutdown.clone()))
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
                async move { lag::run(&bus, &config, &metrics.progress).await }
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
        .task("partitions", lease::run(shared, receiver, shutdown)))
}

async fn until(shutdown: tokio_util::sync::CancellationToken, work: impl Future<Output = Result<()>>) -> Result<()> {
    shutdown.run_until_cancelled(work).await.unwrap_or(Ok(()))
}

/// Seals a partition now, wherever its owner runs; returns the number of positions sealed. The owner says every two seconds
/// that it is at it: when it says nothing any more, it has died, and this fails.
pub async fn seal_now(bus: &Bus, partition: u32) -> Result<u64> {
    let died = |why: &dyn std::fmt::Display| {
        Error::unavailable(format!("nobody seals partition {partition} ({why}): is `armada run` running?"))
    };
    let inbox = bus.client.new_inbox();
    let mut answers = bus.client.subscribe(inbox.clone()).await.map_err(Error::unavailable)?;
    let asked = bus.client.publish_with_reply(seal_subject(partition), inbox, "".into());
    asked.await.map_err(Error::unavailable)?;
    loop {
        let answer = tokio::time::timeout(seal::SILENT, answers.next()).await;
        let answer =
            answer.map_err(|_| died(&"nothing was heard of its owner"))?.ok_or_else(|| died(&"NATS is away"))?;
        if answer.status == Some(async_nats::StatusCode::NO_RESPONDERS) {
            return Err(died(&"it has no owner"));
        }
        match serde_json::from_slice(&answer.payload).map_err(Error::internal)? {
            seal::Reply::Working => {}
            seal::Reply::Sealed(positions) => return Ok(positions),
            seal::Reply::Error(error) => return Err(Error::unavailable(error)),
        }
    }
}
