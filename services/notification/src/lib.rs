//! What has happened, kept for whoever may see it: [`intake`] puts what services tell on the stream EVENTS into a table,
//! [`events`] shows it to who sees the vehicle or driver that it concerns, [`retention`] removes what is old.
//! docs/EVENTS.md has the rules.

#![warn(missing_docs)]

mod config;
mod device_erasures;
mod entity;
mod erase;
mod erasures;
mod events;
mod intake;
mod migrations;
mod received;
mod removal;
mod retention;
mod visible;

use armada_proto::v1::events_server::EventsServer;
use armada_runtime::{Bus, Context, Database, Erasures, Result, Service, audit};
use tonic::service::Routes;

pub use config::{Config, NAME};
pub use intake::take_in_again;
pub use migrations::Migrator;

/// Brings the schema to the state that this program needs. The stream is made by [`armada_runtime::events::migrate`], and
/// fleet's ledger by fleet.
pub async fn migrate(bus: &Bus, db: &Database, _config: &Config) -> Result<()> {
    Erasures::migrate(bus).await?;
    db.migrate::<migrations::Migrator>(NAME).await
}

/// Builds the service; fleet must have been built or be configured as a peer.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config)).await
}

async fn put_together(context: &Context, config: Config) -> Result<Service> {
    let context = &context.of(NAME)?;
    let (bus, db) = (context.bus.clone(), context.database(NAME)?);
    db.verify::<migrations::Migrator>(NAME).await?;
    let events = events::Events {
        db: db.clone(),
        visible: visible::Visible::new(&context.peers)?,
        service_key: context.service_key.clone(),
    };
    let intake = intake::Intake { db: db.clone(), bus: bus.clone() };
    let retention = retention::Retention { db: db.clone(), kept: config.events_kept() };
    let follower = erasures::LedgerFollower { db: db.clone(), ledger: Erasures::open(context).await? };
    let devices = device_erasures::DeviceErasures::open(context, db.clone()).await?;
    let acts = audit::Relay { db, bus };
    let shutdown = context.shutdown.clone();
    Ok(Service::new(NAME)
        .grpc(Routes::new(EventsServer::new(events)))
        .task("acts", acts.run(shutdown.clone()))
        .task("events that come", intake.run(shutdown.clone()))
        .task("old events", retention.run(shutdown.clone()))
        .task("erasures", follower.follow(shutdown.clone()))
        .task("erased devices", devices.follow(shutdown)))
}
