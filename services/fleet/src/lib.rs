//! Devices, and who may see them, with their drivers, documents and maintenance. What other services must know at every fix, to whom an
//! IMEI belongs, they read from the bucket `devices`, which fleet keeps in step with its table.

#![warn(missing_docs)]

mod acts;
mod assignments;
mod bindings;
mod bucket_lookup;
mod claims;
mod commands;
mod config;
mod counts;
mod device_erasures;
mod device_members;
mod device_sweep;
mod device_thresholds;
mod devices;
mod documents;
mod driver_assignments;
mod drivers;
mod entity;
mod erasures;
mod files;
mod gateways;
mod heard_imei_lookup;
mod heard_imeis;
mod identity;
mod imei_statuses;
mod limits;
mod maintenance;
mod maintenance_logs;
mod master_data;
mod members;
mod meters;
mod migrations;
mod reminders;
mod removed_users;
mod reseal;
mod restored;
mod said_at;
mod saved_commands;
mod seen_by;
mod share_links;
mod thresholds;
mod today;
mod tracker_replacements;
mod visible;

use std::sync::Arc;

use armada_proto::v1::{
    ImportDeviceMembersRequest, ImportDevicesRequest, ImportDriversRequest, ImportMaintenanceRequest,
    commands_server::CommandsServer, device_members_server::DeviceMembersServer, devices_server::DevicesServer,
    documents_server::DocumentsServer, driver_assignments_server::DriverAssignmentsServer,
    drivers_server::DriversServer, files_server::FilesServer, heard_imeis_server::HeardImeisServer,
    imei_assignments_server::ImeiAssignmentsServer, imei_claims_server::ImeiClaimsServer,
    maintenance_logs_server::MaintenanceLogsServer, maintenances_server::MaintenancesServer,
    master_data_server::MasterDataServer, meters_server::MetersServer, saved_commands_server::SavedCommandsServer,
    share_links_server::ShareLinksServer, thresholds_server::ThresholdsServer,
    tracker_replacements_server::TrackerReplacementsServer,
};
use armada_runtime::{
    Bus, Context, Database, Erasures, Jobs, QUESTION_MAX, Result, Seal, Service, audit, events, outbox::OutboxHandle,
    passwords::Passwords, throttle::Throttle,
};
use tokio::sync::Notify;
use tonic::service::Routes;

pub use reseal::reseal;

pub use config::{Config, Files as FilesConfig, GATEWAYS_USER, NAME};
pub use migrations::Migrator;
pub use restored::settle_restored;

/// PINs of share links that are hashed at a time.
const PINS_AT_ONCE: usize = 1;

/// Brings schema and buckets to the state that this program needs.
pub async fn migrate(bus: &Bus, db: &Database, _config: &Config) -> Result<()> {
    bindings::migrate(bus).await?;
    counts::migrate(bus).await?;
    device_erasures::migrate(bus).await?;
    meters::readings::migrate(bus).await?;
    Erasures::migrate(bus).await?;
    db.migrate::<Migrator>(NAME).await
}

/// Puts the service together.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config)).await
}

async fn put_together(context: &Context, config: Config) -> Result<Service> {
    let context = &context.of(NAME)?;
    let db = context.database(NAME)?;
    db.verify::<Migrator>(NAME).await?;
    let outbox = OutboxHandle::default();
    let bindings = bindings::Bindings::relay(db.clone(), context, outbox.clone()).await?;
    let ledger = Erasures::open(context).await?;
    let (changed, removed) = (Arc::<Notify>::default(), Arc::<Notify>::default());
    let follower =
        erasures::LedgerFollower { db: db.clone(), ledger, outbox: outbox.clone(), removed: removed.clone() };
    // Before anybody is served: the database may be an older one that was restored.
    follower.catch_up().await?;
    device_erasures::catch_up(&bindings.states.erasures).await?;
    let audit = audit::Relay::new(context, db.clone())?;
    let events = events::Relay { db: db.clone(), bus: context.bus.clone() };
    let identity = identity::IdentityClient::new(&context.peers);
    let removed_users = removed_users::RemovedUsers {
        db: db.clone(),
        policies: context.policies.bucket(),
        identity: identity.clone(),
        service_key: context.service_key.clone(),
        outbox: outbox.clone(),
    };
    let heard_imei_lookup = heard_imei_lookup::HeardImeiLookup::new(context.clone());
    let service_key = context.service_key.clone();
    let claims = claims::ImeiClaims { db: db.clone(), heard_imeis: heard_imei_lookup.clone(), outbox: outbox.clone() };
    let assignments = assignments::ImeiAssignments {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
    };
    let jobs = Jobs::new(context, db.clone());
    let drivers = drivers::Drivers {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
        removed: removed.clone(),
        jobs: jobs.clone(),
    };
    let files = files::Files {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        storage: files::Storage::open(&config.files)?,
        max_bytes: config.files.max_bytes()?,
        removed: removed.clone(),
    };
    let documents = documents::Documents {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        changed: changed.clone(),
        removed: removed.clone(),
        jobs: jobs.clone(),
        today: Arc::default(),
    };
    let last_days = device_members::last_days::LastDays {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
    };
    let reminders =
        reminders::Reminders { db: db.clone(), identity: identity.clone(), service_key: service_key.clone(), changed };
    let (maintained, mailed, completed) =
        (Arc::<Notify>::default(), Arc::<Notify>::default(), Arc::<Notify>::default());
    let maintenances = maintenance::Maintenances {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        changed: maintained.clone(),
        jobs: jobs.clone(),
        today: Arc::default(),
    };
    let maintenance_logs = maintenance_logs::MaintenanceLogs {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        changed: maintained.clone(),
        completed: completed.clone(),
        removed: removed.clone(),
        jobs: jobs.clone(),
    };
    let reports = maintenance_logs::Reports {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        files: files.clone(),
        completed,
    };
    let (read, corrected) = (meters::Changed::default(), meters::Changed::default());
    let watch = maintenance::Watch {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        changed: maintained,
        read: read.clone(),
        corrected: corrected.clone(),
        mailed: mailed.clone(),
    };
    let mails = maintenance::Mails {
        db: db.clone(),
        identity: maintenance::Mails::transport(&context.peers),
        service_key: service_key.clone(),
        mailed,
    };
    let driver_assignments = driver_assignments::DriverAssignments { db: db.clone() };
    let device_members = device_members::DeviceMembers {
        db: db.clone(),
        identity: identity.clone(),
        policies: context.policies.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
        jobs: jobs.clone(),
    };
    let share_links = share_links::ShareLinks {
        db: db.clone(),
        identity: identity.clone(),
        policies: context.policies.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
        passwords: Passwords::new(PINS_AT_ONCE),
        throttle: Throttle { db: db.clone() },
        new_token_hash: Vec::new(),
        sharers: Arc::default(),
    };
    let (queued, waiting_vehicles) = (Arc::<Notify>::default(), commands::waiting_vehicles::WaitingVehicles::default());
    let gateways = context.connection(GATEWAYS_USER);
    let dispatch = commands::dispatch::Dispatch {
        db: db.clone(),
        bus: context.bus.clone(),
        gateways: gateways.clone(),
        routes: commands::routes::Routes::new(context.clone()),
        waiting_vehicles: waiting_vehicles.clone(),
        queued: queued.clone(),
    };
    let replies = commands::replies::Replies { db: db.clone(), bus: context.bus.clone(), gateways };
    let commands = commands::Commands {
        db: db.clone(),
        bus: context.bus.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        waiting_vehicles,
        queued,
    };
    let saved_commands = saved_commands::SavedCommands { db: db.clone() };
    let master_data = master_data::MasterData {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        jobs: jobs.clone(),
    };
    let readings = meters::readings::Readings {
        db: db.clone(),
        bus: context.bus.clone(),
        proof: context.message_proof(armada_proto::meters::STREAM, meters::INGEST),
        identity: identity.clone(),
        service_key: service_key.clone(),
        changed: read,
        zones: meters::readings::Zones::default(),
        outbox: outbox.clone(),
    };
    let meters = meters::rpc::Meters {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
        changed: corrected.clone(),
    };
    let thresholds = thresholds::Thresholds {
        db: db.clone(),
        identity: identity.clone(),
        service_key: service_key.clone(),
        outbox: outbox.clone(),
    };
    let gateways = gateways::Gateways::new(context.clone());
    let heard_imei_cache = heard_imeis::HeardImeiCache::new(context.clone());
    let heard_imeis =
        heard_imeis::HeardImeis { db: db.clone(), cache: heard_imei_cache.clone(), gateways: gateways.clone() };
    let sweep = device_sweep::Sweep { db: db.clone(), outbox: outbox.clone(), removed: removed.clone() };
    let devices = devices::Devices {
        seal: Seal::with_former(NAME, config.secret_key.as_ref(), config.secret_key_former.as_ref())?,
        db: db.clone(),
        identity,
        heard_imeis: heard_imei_lookup,
        gateways,
        service_key,
        outbox,
        removed,
        meters_changed: corrected,
        jobs: jobs.clone(),
    };
    jobs.batch::<_, ImportDevicesRequest>(devices.clone());
    jobs.batch::<_, ImportDriversRequest>(drivers.clone());
    jobs.batch_of_new::<_, ImportDeviceMembersRequest>(device_members.clone());
    jobs.batch_of_new::<_, ImportMaintenanceRequest>(maintenances.clone());
    jobs.tries::<_, ImportDevicesRequest>(devices.clone());
    jobs.tries::<_, ImportDeviceMembersRequest>(device_members.clone());
    jobs.tries::<_, ImportDriversRequest>(drivers.clone());
    jobs.tries::<_, ImportMaintenanceRequest>(maintenances.clone());
    jobs.undoes::<devices::Devices, ImportDevicesRequest>();
    jobs.undoes::<device_members::DeviceMembers, ImportDeviceMembersRequest>();
    jobs.undoes::<drivers::Drivers, ImportDriversRequest>();
    jobs.undoes::<maintenance::Maintenances, ImportMaintenanceRequest>();
    let tracker_replacements = tracker_replacements::TrackerReplacements { devices: devices.clone() };
    let routes = Routes::new(DevicesServer::new(devices).max_decoding_message_size(QUESTION_MAX))
        .add_service(DeviceMembersServer::new(device_members).max_decoding_message_size(QUESTION_MAX))
        .add_service(CommandsServer::new(commands))
        .add_service(SavedCommandsServer::new(saved_commands))
        .add_service(DriversServer::new(drivers).max_decoding_message_size(QUESTION_MAX))
        .add_service(DocumentsServer::new(documents))
        .add_service(FilesServer::new(files.clone()))
        .add_service(MaintenancesServer::new(maintenances).max_decoding_message_size(QUESTION_MAX))
        .add_service(MaintenanceLogsServer::new(maintenance_logs))
        .add_service(MasterDataServer::new(master_data))
        .add_service(ShareLinksServer::new(share_links.clone()))
        .add_service(MetersServer::new(meters))
        .add_service(TrackerReplacementsServer::new(tracker_replacements))
        .add_service(ThresholdsServer::new(thresholds))
        .add_service(DriverAssignmentsServer::new(driver_assignments))
        .add_service(ImeiClaimsServer::new(claims))
        .add_service(ImeiAssignmentsServer::new(assignments))
        .add_service(HeardImeisServer::new(heard_imeis));
    let shutdown = context.shutdown.clone();
    Ok(Service::new(NAME)
        .grpc(routes)
        .jobs(jobs)
        .once(db.clone())
        .task("audit", audit.run(shutdown.clone()))
        .task("events", events.run(shutdown.clone()))
        .task("commands", dispatch.run(shutdown.clone()))
        .task("replies to commands", replies.run(shutdown.clone()))
        .task("files", files.sweep(shutdown.clone()))
        .task("guesses at PINs", share_links.forget_guesses(shutdown.clone()))
        .task("meters", readings.run(shutdown.clone()))
        .task("reminders", reminders.run(shutdown.clone()))
        .task("last days of links", last_days.run(shutdown.clone()))
        .task("maintenance", watch.run(shutdown.clone()))
        .task("emails of maintenance", mails.run(shutdown.clone()))
        .task("reports of maintenance", reports.run(shutdown.clone()))
        .task("heard IMEIs", heard_imei_cache.run(shutdown.clone()))
        .task("deleted devices", sweep.run(shutdown.clone()))
        .task("erasures", follower.follow(shutdown.clone()))
        .task("removed users", removed_users.follow(shutdown.clone()))
        .task("guard", bindings.clone().guard(shutdown.clone()))
        .task("guard of erased devices", bindings.states.erasures.clone().guard(shutdown.clone()))
        .task("guard of counts", bindings.states.counts.clone().guard(shutdown.clone()))
        .task("relay", bindings.clone().run(shutdown.clone()))
        .task("reconcile", bindings::reconcile(bindings, shutdown)))
}
