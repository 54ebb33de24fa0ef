//! Devices, and who may see them. What other services must know at every fix, to whom an IMEI belongs, they read from
//! the bucket `devices`, which fleet keeps in step with its table.

#![warn(missing_docs)]

mod acts;
mod bindings;
mod counts;
mod departed;
mod devices;
mod entity;
mod limits;
mod members;
mod migrations;
mod people;

use armada_proto::v1::devices_server::DevicesServer;
use armada_runtime::{Bus, Context, Database, Result, Service, audit, outbox::Bell};
use serde::{Deserialize, Serialize};
use tonic::service::Routes;

/// Name of the service.
pub const NAME: &str = "fleet";

/// Section `fleet` of the configuration: nothing can be chosen yet.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {}

/// Brings schema and buckets to the state that this program needs.
pub async fn migrate(bus: &Bus, db: &Database, _config: &Config) -> Result<()> {
    bindings::migrate(bus).await?;
    counts::migrate(bus).await?;
    db.migrate::<migrations::Migrator>(NAME).await
}

/// Puts the service together.
pub async fn build(context: &Context, _config: Config) -> Result<Service> {
    let db = context.database(NAME)?;
    db.verify::<migrations::Migrator>(NAME).await?;
    let bindings = bindings::Bindings::open(db.clone(), &context.bus).await?;
    let bell = Bell::default();
    let audit = audit::Relay { db: db.clone(), bus: context.bus.clone() };
    let people = people::People::new(&context.peers);
    let departed = departed::Departed {
        db: db.clone(),
        bus: context.bus.clone(),
        policies: context.policies.bucket(),
        people: people.clone(),
        service_key: context.service_key.clone(),
        bell: bell.clone(),
    };
    let devices = devices::Devices { db, people, service_key: context.service_key.clone(), bell: bell.clone() };
    let shutdown = context.shutdown.clone();
    Ok(Service::new(NAME)
        .grpc(Routes::new(DevicesServer::new(devices)))
        .task("audit", audit.run(shutdown.clone()))
        .task("departed users", departed.follow(shutdown.clone()))
        .task("relay", bindings.relay(bell).run(shutdown.clone()))
        .task("reconcile", bindings.reconcile(shutdown)))
}
