//! What identity vouches for: for each service one entry in the bucket `keys`, under the service's name, with every key
//! that it shall believe. The entry is proved with the secret that the service shares with identity alone, so that it
//! believes a key because identity said so, whoever else can write the bucket.

use std::time::Duration;

use armada_proto::Timestamp;
use async_nats::jetstream::kv;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{
    IDENTITY,
    entry::{EntryKey, EntrySigner, EntryVerifier},
    secrets::ServiceSecrets,
    signer::Signer,
};
use crate::{
    bus::{Bucket, Bus},
    error::{Error, Result},
};

/// Bucket of key sets.
const BUCKET: &str = "keys";

/// What a key is for; for anything else it is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Purpose {
    /// Signs access tokens of users.
    User,
    /// Signs calls and statements of its service.
    Service,
    /// Signs entries of its service's buckets.
    Entry,
}

/// A key that identity vouches for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct VouchedKey {
    pub(super) kid: String,
    /// The service that holds the private half.
    pub(super) service: String,
    #[serde(rename = "use")]
    pub(super) purpose: Purpose,
    /// The public half of an Ed25519 key in base64url (RFC 8037).
    pub(super) x: String,
    /// Until when it is believed, in seconds since 1970.
    pub(super) exp: i64,
}

/// The value of an entry.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeySet {
    pub(super) keys: Vec<VouchedKey>,
}

/// Makes the bucket. Nothing in it goes away by its age: each key says itself until when it is believed.
pub(super) async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

pub(super) async fn open(bus: &Bus, secrets: &ServiceSecrets) -> Result<Bucket> {
    let (proof, stamp) = (EntryVerifier::Readers(secrets.clone()), EntrySigner::Readers(secrets.clone()));
    Bucket::open(bus, BUCKET, proof, Some(stamp)).await
}

/// Tells every service whose keys to believe. Identity's alone: only it knows all secrets.
#[derive(Clone)]
pub struct KeySets {
    bucket: Bucket,
    secrets: ServiceSecrets,
}

impl KeySets {
    /// Opens the bucket.
    pub async fn open(bus: &Bus, secrets: &ServiceSecrets) -> Result<Self> {
        Ok(Self { bucket: open(bus, secrets).await?, secrets: secrets.clone() })
    }

    /// The bucket, to follow what others put into it.
    pub fn bucket(&self) -> &Bucket {
        &self.bucket
    }

    /// How often to publish at least: several times before the next key of a service signs.
    pub fn renewal(&self) -> Duration {
        self.secrets.period() / 8
    }

    /// Brings the entries of all services to the present state: the keys of all services of the former, the present and
    /// the next period, so that identity may be away for a whole one, and these keys of users' tokens. Writes what is not
    /// so already.
    pub async fn publish(&self, users: &[Signer], now: Timestamp) -> Result<()> {
        let set = self.set(users, now)?;
        let value = Bytes::from(serde_json::to_vec(&set).map_err(Error::internal)?);
        for reader in self.secrets.services() {
            let entry = self.bucket.entry(reader).await?;
            if entry.as_ref().is_some_and(|entry| entry.value == value) {
                continue;
            }
            let written = self.bucket.update(reader, value.clone(), entry.map_or(0, |entry| entry.revision)).await;
            // Another process of identity was first, with the same set.
            if let Err(error) = written
                && !Bucket::is_wrong_sequence(&error)
            {
                return Err(error);
            }
        }
        Ok(())
    }

    fn set(&self, users: &[Signer], now: Timestamp) -> Result<KeySet> {
        let epoch = self.secrets.epoch(now);
        // Within a period the set stays the same, to the byte.
        let exp = self.secrets.begin_of(epoch + 3);
        let key = |kid: &str, service: &str, purpose, public: &[u8], exp| VouchedKey {
            kid: kid.to_owned(),
            service: service.to_owned(),
            purpose,
            x: URL_SAFE_NO_PAD.encode(public),
            exp,
        };
        let mut keys: Vec<_> =
            users.iter().map(|user| key(&user.kid, IDENTITY, Purpose::User, &user.public, exp)).collect();
        for service in self.secrets.services() {
            if let Some(entries) = EntryKey::of(&self.secrets, service)? {
                keys.push(key(entries.kid(), service, Purpose::Entry, entries.public(), exp));
            }
            for epoch in epoch - 1..=epoch + 1 {
                if let Some(signer) = self.secrets.signer(service, epoch)? {
                    let exp = self.secrets.begin_of(epoch + 2);
                    keys.push(key(&signer.kid, service, Purpose::Service, &signer.public, exp));
                }
            }
        }
        Ok(KeySet { keys })
    }
}
