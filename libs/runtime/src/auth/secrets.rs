//! The secret that each service shares with identity, and the keys that both derive from it: neither needs to tell the
//! other which keys sign, and nobody else can make them.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use armada_proto::Timestamp;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::hmac;

use super::signer::Signer;
use crate::{
    error::{Error, Result},
    secret::Secret,
};

/// Characters that a service's secret has at least.
const SECRET_MIN: usize = 32;
/// The shortest time in which one key of a service signs.
const PERIOD_MIN: Duration = Duration::from_secs(2);

/// The secrets that one process knows: those of its own services, or, in the process of identity, of all there are.
/// Cheap to clone.
#[derive(Clone)]
pub struct ServiceSecrets(Arc<Inner>);

struct Inner {
    shared: BTreeMap<String, Secret>,
    /// What the process calls itself when it works for no service, and what it alone knows.
    process: (&'static str, Secret),
    period: i64,
}

impl fmt::Debug for ServiceSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.shared.keys()).finish()
    }
}

impl ServiceSecrets {
    /// How long a key of a service signs when nothing else is said.
    pub const PERIOD: Duration = Duration::from_secs(30 * 24 * 3600);

    /// The secrets of services by their names, for a process. After `period` the next key of a service signs; all
    /// processes must name the same.
    pub fn new(process: &'static str, services: BTreeMap<String, Secret>, period: Duration) -> Result<Self> {
        for (service, secret) in &services {
            if secret.reveal().chars().count() < SECRET_MIN {
                let message = format!("the secret of {service} must have at least {SECRET_MIN} characters");
                return Err(Error::unavailable(message));
            }
        }
        if period < PERIOD_MIN {
            return Err(Error::unavailable(format!("keys of services must sign for {PERIOD_MIN:?} at least")));
        }
        let mut own = [0; 32];
        getrandom::fill(&mut own).map_err(Error::internal)?;
        let process = (process, Secret::new(URL_SAFE_NO_PAD.encode(own)));
        Ok(Self(Arc::new(Inner { shared: services, process, period: period.as_millis() as i64 })))
    }

    /// The secret of a service where all of them come from one key: HMAC-SHA256 of the service's name under it.
    pub fn derived(key: &Secret, service: &str) -> Secret {
        let key = hmac::Key::new(hmac::HMAC_SHA256, key.reveal().as_bytes());
        let tag = hmac::sign(&key, &labelled("armada service secret", &[service]));
        Secret::new(URL_SAFE_NO_PAD.encode(tag))
    }

    /// What the process calls itself.
    pub fn process(&self) -> &'static str {
        self.0.process.0
    }

    /// The services whose secrets are known here.
    pub fn services(&self) -> impl Iterator<Item = &str> {
        self.0.shared.keys().map(String::as_str)
    }

    /// How long a key signs.
    pub fn period(&self) -> Duration {
        Duration::from_millis(self.0.period.unsigned_abs())
    }

    fn secret(&self, service: &str) -> Option<&Secret> {
        let (process, own) = &self.0.process;
        self.0.shared.get(service).or_else(|| (*process == service).then_some(own))
    }

    /// The number of the period at `now`.
    pub(super) fn epoch(&self, now: Timestamp) -> i64 {
        now.millis().div_euclid(self.0.period)
    }

    /// When a period begins, in seconds since 1970.
    pub(super) fn begin_of(&self, epoch: i64) -> i64 {
        epoch.saturating_mul(self.0.period) / 1000
    }

    /// The key that signs calls of a service in a period; none of a service whose secret is not known here.
    pub(super) fn signer(&self, service: &str, epoch: i64) -> Result<Option<Signer>> {
        let seed = self.derive("armada service key", service, &epoch.to_string());
        seed.map(|seed| Signer::from_seed(format!("{service}-{epoch}"), &seed)).transpose()
    }

    /// The seed of the key that signs what a service writes into its buckets. It changes with the secret alone, so that
    /// what was written long ago stays good.
    pub(super) fn entry_seed(&self, service: &str) -> Option<[u8; 32]> {
        self.derive("armada entry key", service, "")
    }

    /// A key of a service for one purpose of its own. It changes with the secret alone, and no purpose gives the key of
    /// anything else.
    pub(super) fn purpose_key(&self, service: &str, purpose: &str) -> Option<[u8; 32]> {
        self.derive("armada purpose key", service, purpose)
    }

    /// Proves with a service's secret that identity, or the service itself, wrote a text.
    pub(super) fn mac(&self, service: &str, text: &[u8]) -> Option<Vec<u8>> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.derive("armada key set", service, "")?);
        Some(hmac::sign(&key, text).as_ref().to_owned())
    }

    /// Whether [`Self::mac`] gave that tag; none when the service's secret is not known here.
    pub(super) fn is_mac(&self, service: &str, text: &[u8], tag: &[u8]) -> Option<bool> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.derive("armada key set", service, "")?);
        Some(hmac::verify(&key, text, tag).is_ok())
    }

    fn derive(&self, label: &str, service: &str, rest: &str) -> Option<[u8; 32]> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.secret(service)?.reveal().as_bytes());
        let tag = hmac::sign(&key, &labelled(label, &[service, rest]));
        tag.as_ref().try_into().ok()
    }
}

/// A text that says what it is for, in which no part can be taken for another.
pub(super) fn labelled(label: &str, parts: &[&str]) -> Vec<u8> {
    let mut text = label.as_bytes().to_vec();
    for part in parts {
        text.extend((part.len() as u64).to_be_bytes());
        text.extend(part.as_bytes());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(secret: &str) -> ServiceSecrets {
        let shared = BTreeMap::from([("fleet".to_owned(), Secret::new(secret.to_owned()))]);
        ServiceSecrets::new("armada", shared, Duration::from_secs(10)).expect("they are long enough")
    }

    #[test]
    fn keys_derive_from_secret_service_and_period() {
        let (one, other) = (secrets(&"1".repeat(32)), secrets(&"2".repeat(32)));
        let public = |secrets: &ServiceSecrets, service: &str, epoch| {
            secrets.signer(service, epoch).expect("a key").map(|signer| signer.public)
        };
        assert_eq!(public(&one, "fleet", 7), public(&secrets(&"1".repeat(32)), "fleet", 7));
        assert_ne!(public(&one, "fleet", 7), public(&one, "fleet", 8));
        assert_ne!(public(&one, "fleet", 7), public(&other, "fleet", 7));
        assert!(public(&one, "identity", 7).is_none(), "its secret is not known");
        assert_ne!(public(&one, "armada", 7), public(&other, "armada", 7), "a process's own is its own");
        assert_ne!(one.entry_seed("fleet"), other.entry_seed("fleet"));
        assert_ne!(one.purpose_key("fleet", "maps"), one.purpose_key("fleet", "files"));
        assert_ne!(one.purpose_key("fleet", "maps"), other.purpose_key("fleet", "maps"));
    }

    #[test]
    fn short_secrets_are_refused() {
        let shared = BTreeMap::from([("fleet".to_owned(), Secret::new("short".to_owned()))]);
        let error = ServiceSecrets::new("armada", shared, ServiceSecrets::PERIOD).expect_err("it is short");
        assert!(error.message.contains("the secret of fleet"), "{}", error.message);
    }
}
