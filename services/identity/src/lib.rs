//! Who is who: tenants, their users, and the sessions in which users are signed in. Identity alone holds the keys that
//! sign access tokens; every other service believes what a token says until it ends.

#![warn(missing_docs)]

mod account;
mod audit;
mod catalogue;
mod config;
mod counting;
mod device_counts;
mod email;
mod ended;
mod entity;
mod first_sign_in;
mod limits;
mod links;
mod mail;
mod migrations;
mod oidc;
mod owners;
mod passwords;
mod permissions;
mod policy;
mod refresh_token;
mod registration;
mod roles;
mod seal;
mod sessions;
mod signing_key;
mod templates;
mod tenants;
mod throttle;
mod totp;
mod users;

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Timestamp,
    v1::{
        account_server::AccountServer, audit_server::AuditServer, permissions_server::PermissionsServer,
        registration_server::RegistrationServer, roles_server::RolesServer, sessions_server::SessionsServer,
        tenants_server::TenantsServer, users_server::UsersServer,
    },
};
use armada_runtime::{Bus, Context, Database, Error, Result, Service, auth::IDENTITY, outbox::Bell};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use config::{Config, MailConfig, OidcConfig};
pub use first_sign_in::{DEFAULT_EMAIL, FirstSignIn, first_sign_in, generated_password};
pub use owners::{add_owner, reset_owner};
pub use templates::VIEWER_ROLE;

/// Name of the service.
pub const NAME: &str = IDENTITY;

/// How often is removed what has come to its end.
const HOUSEKEEPING: Duration = Duration::from_secs(24 * 3600);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(60);

/// Brings the schema to the state that this program needs, and makes the bucket of ended sessions.
pub async fn migrate(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    config.check()?;
    ended::migrate(bus).await?;
    device_counts::migrate(bus).await?;
    db.migrate::<migrations::Migrator>(NAME).await
}

/// Puts the service together. The first time, it makes the key that signs access tokens.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    config.check_for_serving()?;
    let config = Arc::new(config);
    let db = context.database(NAME)?;
    db.verify::<migrations::Migrator>(NAME).await?;
    let seal = seal::Seal::new(config.secret_key.as_ref())?;
    let keys = signing_key::SigningKeys::open(db.clone(), context.keys.clone(), seal.clone(), &config).await?;
    let mail = mail::Mail::new(&config, seal.clone())?;
    let links = links::Links { db: db.clone(), mail: mail.clone(), config: config.clone() };
    let throttle = throttle::Throttle { db: db.clone() };
    let passwords = passwords::Passwords::new(config.hashes_at_once).await?;
    let ended = ended::Ended::open(&context.bus).await?;

    let publisher =
        policy::Publisher::open(db.clone(), context.policies.bucket(), config.require_totp_for_admins).await?;
    let (bell, shutdown) = (Bell::default(), context.shutdown.clone());
    let relay = publisher.relay(bell.clone()).run(shutdown.clone());
    let counts = context.bus.bucket(armada_proto::device_count::BUCKET).await?;
    let counts = device_counts::follow(db.clone(), context.bus.clone(), counts, shutdown.clone());

    let acts = armada_runtime::audit::Relay { db: db.clone(), bus: context.bus.clone() };
    let appender = audit::append::Appender { db: db.clone(), bus: context.bus.clone() };
    let tenants = tenants::Tenants { db: db.clone(), ended: ended.clone(), bell: bell.clone() };
    let roles = roles::Roles { db: db.clone(), bell: bell.clone() };
    let permissions = permissions::Permissions { db: db.clone(), bell: bell.clone() };
    let users =
        users::Users { db: db.clone(), passwords: passwords.clone(), ended: ended.clone(), links, bell: bell.clone() };
    let account = account::Account {
        db: db.clone(),
        passwords: passwords.clone(),
        throttle: throttle.clone(),
        seal: seal.clone(),
        ended: ended.clone(),
        mail: mail.clone(),
        bell: bell.clone(),
    };
    let registration = registration::Registration {
        db: db.clone(),
        passwords: passwords.clone(),
        throttle: throttle.clone(),
        mail: mail.clone(),
        ended: ended.clone(),
        bell,
        config: config.clone(),
    };
    let sessions = sessions::Sessions {
        db: db.clone(),
        keys: keys.clone(),
        passwords,
        throttle: throttle.clone(),
        oidc: oidc::Oidc::new(&config, seal.clone())?,
        seal,
        ended,
        mail: mail.clone(),
        config,
    };
    let routes = Routes::new(TenantsServer::new(tenants))
        .add_service(UsersServer::new(users))
        .add_service(RolesServer::new(roles))
        .add_service(PermissionsServer::new(permissions))
        .add_service(AccountServer::new(account))
        .add_service(RegistrationServer::new(registration))
        .add_service(SessionsServer::new(sessions))
        .add_service(AuditServer::new(audit::Audit { db: db.clone() }));
    let letters = mail::Relay { db: db.clone(), mail }.run(shutdown.clone());
    let rotation = keys.rotate(shutdown.clone());
    let housekeeping = housekeeping(db, throttle, shutdown.clone());
    Ok(Service::new(NAME)
        .grpc(routes)
        .task("relay", relay)
        .task("acts", acts.run(shutdown.clone()))
        .task("audit", appender.run(shutdown.clone()))
        .task("reconcile", publisher.reconcile(shutdown))
        .task("device counts", counts)
        .task("letters", letters)
        .task("signing keys", rotation)
        .task("housekeeping", housekeeping))
}

async fn housekeeping(db: Database, throttle: throttle::Throttle, shutdown: CancellationToken) -> Result<()> {
    let mut pause = HOUSEKEEPING;
    while shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
        let done = async {
            let now = Timestamp::now();
            throttle.tidy(now).await?;
            links::tidy(&db, now).await?;
            sessions::remove_expired(&db, now).await
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

/// Bytes that nobody can guess.
fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes)
}
