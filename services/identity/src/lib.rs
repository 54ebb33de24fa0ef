//! Who is who: tenants, their users, and the sessions in which users are signed in. Identity alone holds the keys that
//! sign access tokens; every other service believes what a token says until it ends.

#![warn(missing_docs)]

mod email;
mod ended;
mod entity;
mod first_sign_in;
mod ids;
mod migrations;
mod passwords;
mod refresh_token;
mod sessions;
mod signing_key;
mod tenants;
mod users;

use std::time::Duration;

use armada_proto::{
    Timestamp,
    v1::{sessions_server::SessionsServer, tenants_server::TenantsServer, users_server::UsersServer},
};
use armada_runtime::{
    Bus, Code, Context, Database, Error, KeyRing, Result, Service,
    auth::{IDENTITY, Signer},
};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use first_sign_in::{DEFAULT_EMAIL, FirstSignIn, first_sign_in, generated_password};

/// Name of the service.
pub const NAME: &str = IDENTITY;

/// The longest that an access token may live: for so long a user may do what they no longer may.
const ACCESS_TOKEN_MAX: Duration = Duration::from_secs(600);
/// How often the public key is published anew and ended sessions are removed.
const HOUSEKEEPING: Duration = Duration::from_secs(24 * 3600);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(60);

/// Section `identity` of the configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Seconds that an access token lives: 1 to 600.
    pub access_token_seconds: u64,
    /// Days after which one must sign in again, however often the session was refreshed: 1 to 30.
    pub session_days: u64,
    /// Seconds in which the refresh token before the present one is still answered, for the case that the answer to it
    /// got lost: 0 to 10.
    pub refresh_grace_seconds: u64,
    /// Passwords hashed at a time: 1 to 64. Each takes 19 MiB and a core.
    pub hashes_at_once: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { access_token_seconds: 600, session_days: 30, refresh_grace_seconds: 10, hashes_at_once: 2 }
    }
}

impl Config {
    fn check(&self) -> Result<()> {
        let within = |name: &str, value: u64, min: u64, max: u64| {
            if (min..=max).contains(&value) {
                return Ok(());
            }
            Err(Error::new(Code::Invalid, "invalid", format!("identity.{name} = {value}: must be {min} to {max}")))
        };
        within("access_token_seconds", self.access_token_seconds, 1, ACCESS_TOKEN_MAX.as_secs())?;
        within("session_days", self.session_days, 1, 30)?;
        within("refresh_grace_seconds", self.refresh_grace_seconds, 0, 10)?;
        within("hashes_at_once", self.hashes_at_once as u64, 1, 64)
    }
}

/// Brings the schema to the state that this program needs, and makes the bucket of ended sessions.
pub async fn migrate(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    config.check()?;
    ended::migrate(bus).await?;
    db.migrate::<migrations::Migrator>(NAME).await
}

/// Puts the service together. The first time, it makes the key that signs access tokens.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    config.check()?;
    let db = context.database(NAME)?;
    db.verify::<migrations::Migrator>(NAME).await?;
    let signer = signing_key::load_or_make(&db).await?;
    context.keys.publish(&signer, NAME).await?;
    let passwords = passwords::Passwords::new(config.hashes_at_once).await?;
    let ended = ended::Ended::open(&context.bus).await?;

    let tenants = tenants::Tenants { db: db.clone(), ended: ended.clone() };
    let users = users::Users { db: db.clone(), passwords: passwords.clone(), ended: ended.clone() };
    let sessions = sessions::Sessions { db: db.clone(), signer: signer.clone(), passwords, ended, config };
    let routes = Routes::new(TenantsServer::new(tenants))
        .add_service(UsersServer::new(users))
        .add_service(SessionsServer::new(sessions));
    let housekeeping = housekeeping(db, context.keys.clone(), signer, context.shutdown.clone());
    Ok(Service::new(NAME).grpc(routes).task("housekeeping", housekeeping))
}

/// Keys leave the bucket when nobody has published them for a month.
async fn housekeeping(db: Database, keys: KeyRing, signer: Signer, shutdown: CancellationToken) -> Result<()> {
    let mut pause = HOUSEKEEPING;
    while shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
        let done = async {
            keys.publish(&signer, NAME).await?;
            sessions::remove_expired(&db, Timestamp::now()).await
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_tokens_live_ten_minutes_at_most() {
        let with = |access_token_seconds| Config { access_token_seconds, ..Config::default() }.check();
        assert!(with(1).is_ok() && with(600).is_ok());
        assert!(with(601).unwrap_err().message.contains("identity.access_token_seconds = 601"));
        assert!(with(0).is_err());
    }
}
