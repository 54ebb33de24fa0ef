//! What has happened, kept for whoever may see it: [`intake`] puts what services tell on the stream EVENTS into a table,
//! [`events`] shows it to who sees the vehicle or driver that it concerns, [`retention`] removes what is old. Of some events
//! [`raising`] makes alarms, which [`alarms`] shows and has acknowledged, and of which [`standing_alarms`] tells others that
//! they stand. What an alarm is whose name nobody knows [`unknown_names`] finds in what platform owners said ([`alarm_names`]).
//! docs/EVENTS.md has the rules.

#![warn(missing_docs)]

mod alarm_names;
mod alarms;
mod audited_export;
mod change_notifications;
mod config;
mod device_erasures;
mod entity;
mod erase;
mod erasures;
mod events;
mod intake;
mod kinds;
mod migrations;
mod raising;
mod received;
mod removal;
mod retention;
mod standing_alarms;
mod unknown_names;
mod visible;

use armada_proto::v1::{
    alarm_names_server::AlarmNamesServer, alarms_server::AlarmsServer, events_server::EventsServer,
};
use armada_runtime::{Bus, Context, Database, Erasures, Result, Service, audit, bus, outbox::OutboxHandle};
use tonic::service::Routes;

pub use config::{Config, NAME};
pub use intake::take_in_again;
pub use migrations::Migrator;

/// Brings schema and bucket to the state that this program needs. The stream is made by [`armada_runtime::events::migrate`], and
/// fleet's ledger by fleet.
pub async fn migrate(bus: &Bus, db: &Database, _config: &Config) -> Result<()> {
    Erasures::migrate(bus).await?;
    standing_alarms::migrate(bus).await?;
    db.migrate::<Migrator>(NAME).await
}

/// Builds the service; fleet must have been built or be configured as a peer.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config)).await
}

async fn put_together(context: &Context, config: Config) -> Result<Service> {
    let context = &context.of(NAME)?;
    let (bus, db) = (context.bus.clone(), context.database(NAME)?);
    db.verify::<Migrator>(NAME).await?;
    let visible = visible::Visible::new(&context.peers, db.backend())?;
    let outbox = OutboxHandle::default();
    let standing = standing_alarms::StandingAlarmTable::relay(db.clone(), context, outbox.clone()).await?;
    let service_key = context.service_key.clone();
    let alarms = alarms::Alarms {
        db: db.clone(),
        bus: bus.clone(),
        visible: visible.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
    };
    let names = alarm_names::AlarmNames { db: db.clone() };
    let events = events::Events { db: db.clone(), visible, service_key };
    let intake = intake::Intake { db: db.clone(), bus: bus.clone(), outbox };
    let retention = retention::Retention { db: db.clone(), kept: config.events_kept() };
    let follower = erasures::LedgerFollower { db: db.clone(), ledger: Erasures::open(context).await? };
    let devices = device_erasures::DeviceErasures::open(context, db.clone()).await?;
    let acts = audit::Relay::new(context, db)?;
    let shutdown = context.shutdown.clone();
    Ok(Service::new(NAME)
        .grpc(
            Routes::new(EventsServer::new(events))
                .add_service(AlarmsServer::new(alarms))
                .add_service(AlarmNamesServer::new(names)),
        )
        .task("acts", acts.run(shutdown.clone()))
        .task("alarms that stand", standing.clone().run(shutdown.clone()))
        .task("guard of alarms", standing.clone().guard(shutdown.clone()))
        .task("comparison of alarms", standing_alarms::reconcile(standing, shutdown.clone()))
        .task("events that come", bus::consume(bus, intake, shutdown.clone()))
        .task("old events", retention.run(shutdown.clone()))
        .task("erasures", follower.follow(shutdown.clone()))
        .task("erased devices", devices.follow(shutdown)))
}
