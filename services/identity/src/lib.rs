//! Who is who: tenants, their users, and the sessions in which users are signed in. Identity alone holds the keys that
//! sign access tokens; every other service believes what a token says until it ends.

#![warn(missing_docs)]

mod account;
mod audit;
mod catalogue;
mod config;
mod counting;
mod device_counts;
mod ended;
mod entity;
mod erased_tenants;
mod erasures;
mod first_sign_in;
mod gateways;
mod known_devices;
mod limits;
mod links;
mod mail;
mod mails;
mod migrations;
mod oidc;
mod owners;
mod passwords;
mod permissions;
mod policy;
mod refresh_token;
mod registration;
mod reseal;
mod roles;
#[doc(hidden)]
pub mod rules;
mod saved_views;
mod sessions;
mod signing_key;
mod tax_number;
mod templates;
mod tenant_entries;
mod tenants;
mod throttle;
mod totp;
mod users;
mod widening;

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Timestamp,
    v1::{
        ImportUsersRequest, account_server::AccountServer, audit_server::AuditServer, gateways_server::GatewaysServer,
        mails_server::MailsServer, permissions_server::PermissionsServer, registration_server::RegistrationServer,
        roles_server::RolesServer, saved_views_server::SavedViewsServer, sessions_server::SessionsServer,
        tenants_server::TenantsServer, users_server::UsersServer,
    },
};
use armada_runtime::{
    Bus, Context, Database, Erasures, Jobs, QUESTION_MAX, Result, Scope, Service,
    auth::{IDENTITY, KeySets},
    bus,
    outbox::OutboxHandle,
};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use config::{Config, MailConfig, OidcConfig};
pub use first_sign_in::{DEFAULT_EMAIL, FirstSignIn, first_sign_in, generated_password};
pub use gateways::connections::NATS_USER as SYSTEM_NATS_USER;
pub use migrations::Migrator;
pub use owners::{add_owner, reset_owner};
pub use registration::expire as expire_registrations;
pub use reseal::{Count as ResealCount, reseal};
pub use templates::VIEWER_ROLE;

/// Name of the service.
pub const NAME: &str = IDENTITY;

/// The service that counts devices.
const FLEET: &str = "fleet";
/// How often is removed what has come to its end.
const HOUSEKEEPING: Duration = Duration::from_secs(24 * 3600);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(60);

/// Brings the schema to the state that this program needs, and makes the buckets.
pub async fn migrate(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    config.check()?;
    ended::migrate(bus).await?;
    device_counts::migrate(bus).await?;
    gateways::directory::migrate(bus).await?;
    tenant_entries::migrate(bus).await?;
    Erasures::migrate(bus).await?;
    db.migrate::<Migrator>(NAME).await
}

/// Puts the service together. The first time, it makes the key that signs access tokens.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config)).await
}

async fn put_together(context: &Context, config: Config) -> Result<Service> {
    config.check_for_serving()?;
    let config = Arc::new(config);
    let context = &context.of(NAME)?;
    let db = context.database(NAME)?;
    db.verify::<Migrator>(NAME).await?;
    let seal = armada_runtime::Seal::with_former(NAME, config.secret_key.as_ref(), config.secret_key_former.as_ref())?;
    let sets = KeySets::open(&context.bus, context.keys.secrets()).await?;
    let keys = signing_key::SigningKeys::open(db.clone(), context.keys.clone(), sets, seal.clone(), &config).await?;
    let mail = mail::MailQueue::new(&config, seal.clone())?;
    let links = links::Links { db: db.clone(), mail: mail.clone(), config: config.clone() };
    let throttle = throttle::Throttle { db: db.clone() };
    let passwords = passwords::Passwords::new(config.hashes_at_once);
    let known_devices = known_devices::KnownDevices::new(config.secret_key.as_ref())?;
    let ended = ended::EndedSessions::open(context).await?;

    let (outbox, shutdown) = (OutboxHandle::default(), context.shutdown.clone());
    let entries = tenant_entries::TenantEntries::relay(db.clone(), context).await?;
    let guard_of_tenants = entries.clone().guard(shutdown.clone());
    let totp = config.require_totp_for_admins;
    let policies = policy::Publisher::relay(db.clone(), context, entries, totp, outbox.clone()).await?;
    let relay = policies.clone().run(shutdown.clone());
    let guard = policies.clone().guard(shutdown.clone());
    let guard_of_ended = ended.clone().guard(shutdown.clone());
    let guard_of_keys = keys.clone().guard(shutdown.clone());
    let follower = erasures::LedgerFollower {
        db: db.clone(),
        ledger: Erasures::open_own(context).await?,
        ended: ended.clone(),
        outbox: outbox.clone(),
        erased: erased_tenants::ErasedTenants::default(),
    };
    let counts = context.bucket(armada_proto::device_count::BUCKET, FLEET).await?;
    let counts = device_counts::follow(db.clone(), counts, shutdown.clone());

    let acts = armada_runtime::audit::Relay::new(context, db.clone())?;
    let receiver = audit::received::Receiver::open(context).await?;
    let appender = audit::append::Appender { db: db.clone(), receiver, erased: follower.erased.clone() };
    // Before anybody is served: the database may be an older one that was restored.
    follower.catch_up().await?;
    let jobs = Jobs::new(context, db.clone());
    let tenants = tenants::Tenants {
        db: db.clone(),
        ended: ended.clone(),
        follower: follower.clone(),
        outbox: outbox.clone(),
        jobs: jobs.clone(),
    };
    gateways::make_anonymous(&db, config.anonymous_gateway).await?;
    let gateways = gateways::Gateways::open(context, db.clone()).await?;
    let admission = gateways.callout(context, config.gateway_issuer_seed.as_ref())?;
    let roles = roles::Roles { db: db.clone(), ended: ended.clone(), mail: mail.clone(), outbox: outbox.clone() };
    roles.follow_templates(&context.service_key.caller(Scope::Platform, None)?).await?;
    let permissions = permissions::Permissions { db: db.clone(), outbox: outbox.clone() };
    let users = users::Users {
        db: db.clone(),
        passwords: passwords.clone(),
        ended: ended.clone(),
        links,
        outbox: outbox.clone(),
        jobs: jobs.clone(),
    };
    jobs.batch_of_new::<_, ImportUsersRequest>(users.clone());
    jobs.tries::<_, ImportUsersRequest>(users.clone());
    jobs.undoes::<users::Users, ImportUsersRequest>();
    let account = account::Account {
        db: db.clone(),
        passwords: passwords.clone(),
        throttle: throttle.clone(),
        seal: seal.clone(),
        ended: ended.clone(),
        mail: mail.clone(),
        outbox: outbox.clone(),
        session_idle: config.session_idle(),
    };
    let opening = registration::Opening {
        db: db.clone(),
        mail: mail.clone(),
        outbox: outbox.clone(),
        config: config.clone(),
        asked: Arc::default(),
    };
    let registration = registration::Registration {
        db: db.clone(),
        passwords: passwords.clone(),
        throttle: throttle.clone(),
        mail: mail.clone(),
        ended: ended.clone(),
        outbox: outbox.clone(),
        opening: opening.clone(),
        config: config.clone(),
    };
    let sessions = sessions::Sessions {
        db: db.clone(),
        keys: keys.clone(),
        passwords,
        throttle: throttle.clone(),
        known_devices,
        oidc: oidc::Oidc::new(&config, seal.clone())?,
        seal,
        ended,
        mail: mail.clone(),
        audit: context.audit.clone(),
        outbox,
        config: config.clone(),
    };
    let routes = Routes::new(TenantsServer::new(tenants))
        .add_service(UsersServer::new(users).max_decoding_message_size(QUESTION_MAX))
        .add_service(RolesServer::new(roles))
        .add_service(PermissionsServer::new(permissions))
        .add_service(SavedViewsServer::new(saved_views::SavedViews { db: db.clone() }))
        .add_service(GatewaysServer::new(gateways.clone()))
        .add_service(MailsServer::new(mails::Mails { db: db.clone(), mail: mail.clone() }))
        .add_service(AccountServer::new(account))
        .add_service(RegistrationServer::new(registration))
        .add_service(SessionsServer::new(sessions))
        .add_service(AuditServer::new(audit::Audit { db: db.clone() }));
    let outgoing = mail::Relay::new(db.clone(), mail).run(shutdown.clone());
    let rotation = keys.rotate(shutdown.clone());
    let housekeeping = housekeeping(db.clone(), throttle, config.session_idle(), shutdown.clone());
    Ok(Service::new(NAME)
        .grpc(routes)
        .jobs(jobs)
        .once(db.clone())
        .task("relay", relay)
        .task("guard", guard)
        .task("guard of ended sessions", guard_of_ended)
        .task("guard of keys", guard_of_keys)
        .task("guard of tenants", guard_of_tenants)
        .task("acts", acts.run(shutdown.clone()))
        .task("audit", bus::consume(context.bus.clone(), appender, shutdown.clone()))
        .task("reconcile", policy::reconcile(policies, shutdown.clone()))
        .task("erasures", follower.follow(shutdown.clone()))
        .task("gateways", gateways.run(context.bus.clone(), admission, shutdown.clone()))
        .task("device counts", counts)
        .task("mail", outgoing)
        .task("registrations", opening.run(shutdown.clone()))
        .task("signing keys", rotation)
        .task("housekeeping", housekeeping))
}

async fn housekeeping(
    db: Database,
    throttle: throttle::Throttle,
    session_idle: Duration,
    shutdown: CancellationToken,
) -> Result<()> {
    let mut pause = Duration::ZERO;
    while shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
        let done = async {
            let now = Timestamp::now();
            throttle.tidy(now).await?;
            links::tidy(&db, now).await?;
            mails::tidy(&db, now).await?;
            registration::expire(&db).await?;
            gateways::tidy(&db).await?;
            sessions::remove_expired(&db, now, session_idle).await
        };
        pause = match done.await {
            Ok(()) => HOUSEKEEPING,
            Err(error) => {
                tracing::warn!(%error, "housekeeping of identity: will try again");
                RETRY
            }
        };
    }
    Ok(())
}
