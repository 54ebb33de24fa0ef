//! Section `identity` of the configuration.

use std::time::Duration;

use armada_runtime::{Code, Error, Result, Secret};
use serde::Deserialize;

/// The longest that an access token may live: for so long somebody may read who they no longer are.
pub const ACCESS_TOKEN_MAX: Duration = Duration::from_secs(600);
/// Characters that a secret key has at least.
const SECRET_KEY_MIN: usize = 32;
const YEAR: u64 = 366 * 24 * 3600;

/// Section `identity` of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Seconds that an access token lives: 1 to 600.
    pub access_token_seconds: u64,
    /// Days after which one must sign in again, however often the session was refreshed: 1 to 30.
    pub session_days: u64,
    /// Days without use after which one must sign in again: 1 to 30.
    pub session_idle_days: u64,
    /// Days after which a registration goes that nobody has confirmed: 1 to 90.
    pub registration_days: u64,
    /// Seconds in which the refresh token before the present one is still answered, for the case that the answer to it
    /// got lost: 0 to 10.
    pub refresh_grace_seconds: u64,
    /// Passwords hashed at a time: 1 to 64. Each takes 19 MiB and a core.
    pub hashes_at_once: usize,
    /// Seconds after which a new key signs access tokens: 10 to a year.
    pub signing_key_seconds: u64,
    /// The address that browsers use, with which links in mails begin. `ARMADA_PUBLIC_URL` sets it.
    pub public_url: Option<String>,
    /// What secrets in the database are sealed with: at least 32 characters that nobody can guess. `ARMADA_SECRET_KEY`
    /// sets it.
    pub secret_key: Option<Secret>,
    /// The key before it, which opens what it has sealed and seals nothing more. `ARMADA_SECRET_KEY_FORMER` sets it.
    pub secret_key_former: Option<Secret>,
    /// Platform owners and tenant admins must sign in with a second factor.
    pub require_totp_for_admins: bool,
    /// Companies may register themselves.
    pub registration: bool,
    /// The page with the terms of service and the privacy policy, `https://…`, which whoever registers accepts.
    pub terms_url: Option<String>,
    /// Vehicles that a company has on the plan it registers on; 0 for no limit.
    pub free_device_limit: u32,
    /// Users that it has; 0 for no limit.
    pub free_user_limit: u32,
    /// Megabytes that its files may take; 0 for no limit.
    pub free_storage_limit_mb: u32,
    /// The seed of the key whose public part the NATS server has as the issuer of its `auth_callout`, `SA…`. Without it,
    /// this process does not say which gateways may connect.
    pub gateway_issuer_seed: Option<Secret>,
    /// Whoever gives the NATS server no name, from its own machine, is the gateway `local`, until somebody switches that
    /// off. Read when there is no such gateway yet.
    pub anonymous_gateway: bool,
    /// Where mail goes out; without it, links are shown to the admins who make them.
    pub mail: Option<MailConfig>,
    /// A provider by which one may sign in as well.
    pub oidc: Option<OidcConfig>,
}

/// Section `identity.mail`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailConfig {
    /// `smtps://user:password@host`, or `smtp://…?tls=required` for STARTTLS.
    pub smtp_url: Secret,
    /// Who the mails are from, e.g. `Armada <armada@example.com>`.
    pub from: String,
}

/// Section `identity.oidc`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcConfig {
    /// The provider, as it names itself: `https://…`.
    pub issuer: String,
    /// The name under which the provider knows this installation.
    pub client_id: String,
    /// The password that goes with it.
    pub client_secret: Secret,
    /// What the page of the sign-in calls it.
    pub name: String,
    /// Values of `amr` (RFC 8176) or `acr` in its tokens that say that it asked for a second factor itself: then none is
    /// asked for here.
    #[serde(default = "multi_factor")]
    pub multi_factor: Vec<String>,
}

fn multi_factor() -> Vec<String> {
    vec!["mfa".to_owned()]
}

impl Default for Config {
    fn default() -> Self {
        Self {
            access_token_seconds: 600,
            session_days: 30,
            session_idle_days: 7,
            registration_days: 7,
            refresh_grace_seconds: 10,
            hashes_at_once: 2,
            signing_key_seconds: 30 * 24 * 3600,
            public_url: None,
            secret_key: None,
            secret_key_former: None,
            require_totp_for_admins: false,
            registration: true,
            terms_url: None,
            free_device_limit: 5,
            free_user_limit: 5,
            free_storage_limit_mb: 100,
            gateway_issuer_seed: None,
            anonymous_gateway: false,
            mail: None,
            oidc: None,
        }
    }
}

impl Config {
    /// Refuses what no process can work with.
    pub fn check(&self) -> Result<()> {
        let within = |name: &str, value: u64, min: u64, max: u64| match (min..=max).contains(&value) {
            true => Ok(()),
            false => Err(refused(format!("identity.{name} = {value}: must be {min} to {max}"))),
        };
        within("access_token_seconds", self.access_token_seconds, 1, ACCESS_TOKEN_MAX.as_secs())?;
        within("session_days", self.session_days, 1, 30)?;
        within("session_idle_days", self.session_idle_days, 1, 30)?;
        within("registration_days", self.registration_days, 1, 90)?;
        within("refresh_grace_seconds", self.refresh_grace_seconds, 0, 10)?;
        within("hashes_at_once", self.hashes_at_once as u64, 1, 64)?;
        within("signing_key_seconds", self.signing_key_seconds, 10, YEAR)?;
        if self
            .terms_url
            .as_ref()
            .is_some_and(|url| !["https://", "http://"].iter().any(|scheme| url.starts_with(scheme)))
        {
            return Err(refused("identity.terms_url must begin with https:// or http://".to_owned()));
        }
        if self.secret_key.as_ref().is_some_and(|key| key.reveal().chars().count() < SECRET_KEY_MIN) {
            return Err(refused(format!("the secret key must have at least {SECRET_KEY_MIN} characters")));
        }
        Ok(())
    }

    /// Refuses what no process can work with that serves.
    pub fn check_for_serving(&self) -> Result<()> {
        self.check()?;
        for (name, there) in [("mail", self.mail.is_some()), ("oidc", self.oidc.is_some())] {
            if there && self.secret_key.is_none() {
                return Err(refused(format!("identity.{name} needs ARMADA_SECRET_KEY")));
            }
            if there && self.public_url.is_none() {
                return Err(refused(format!("identity.{name} needs ARMADA_PUBLIC_URL")));
            }
        }
        Ok(())
    }

    /// How long a session may go unused.
    pub(crate) fn session_idle(&self) -> Duration {
        Duration::from_secs(self.session_idle_days * 24 * 3600)
    }

    /// A page of the console; without a configured address only its path, to which the console adds its own.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.public_url.as_deref().unwrap_or_default().trim_end_matches('/'))
    }
}

/// A configuration that cannot be.
pub(crate) fn refused(message: String) -> Error {
    Error::new(Code::Invalid, "invalid", message)
}
