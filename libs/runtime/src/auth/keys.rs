//! Whose tokens are believed: the bucket of public keys, which only services can write.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use armada_proto::Timestamp;
use async_nats::jetstream::kv;
use futures::StreamExt;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio_util::sync::CancellationToken;

use super::{
    Caller, Client, IDENTITY, Scope,
    token::{Claims, ISSUER, Signer, TYP_ACCESS, TYP_SERVICE, at_most},
};
use crate::{
    bus::Bus,
    error::{Error, Result},
};

/// Bucket of public keys.
const BUCKET: &str = "keys";

/// A public key as the bucket and `/.well-known/jwks.json` hold it (RFC 8037).
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct PublicKey {
    kty: String,
    crv: String,
    x: String,
    alg: String,
    kid: String,
    /// The service that holds the private half.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub service: String,
}

type Keys = HashMap<String, (PublicKey, DecodingKey)>;

/// The keys whose tokens are believed, kept up to date from the bucket.
#[derive(Clone)]
pub struct KeyRing {
    store: kv::Store,
    keys: Arc<ArcSwap<Keys>>,
    verified: moka::sync::Cache<Arc<str>, Caller>,
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing").field("keys", &self.keys.load().len()).finish()
    }
}

impl KeyRing {
    /// Makes the bucket. Keys of processes that ended go away after a month.
    pub async fn migrate(bus: &Bus) -> Result<()> {
        bus.ensure_bucket(kv::Config {
            bucket: BUCKET.to_owned(),
            history: 1,
            max_age: Duration::from_secs(30 * 24 * 3600),
            ..kv::Config::default()
        })
        .await
    }

    /// Opens the bucket.
    pub async fn open(bus: &Bus) -> Result<Self> {
        let verified = moka::sync::Cache::builder().max_capacity(50_000).time_to_live(Duration::from_secs(30)).build();
        Ok(Self { store: bus.bucket(BUCKET).await?, keys: Arc::default(), verified })
    }

    /// Publishes the public half of a key.
    pub async fn publish(&self, signer: &Signer, service: &str) -> Result<()> {
        use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
        let key = PublicKey {
            kty: "OKP".to_owned(),
            crv: "Ed25519".to_owned(),
            x: URL_SAFE_NO_PAD.encode(signer.public),
            alg: "EdDSA".to_owned(),
            kid: signer.kid.clone(),
            service: service.to_owned(),
        };
        let value = serde_json::to_vec(&key).map_err(Error::internal)?;
        self.store.put(&signer.kid, value.into()).await.map_err(Error::unavailable)?;
        self.insert(key)
    }

    /// Withdraws a key: whatever it signed is refused from now on.
    pub async fn withdraw(&self, kid: &str) -> Result<()> {
        self.store.delete(kid).await.map_err(Error::unavailable)?;
        self.forget(kid);
        Ok(())
    }

    fn forget(&self, kid: &str) {
        self.keys.rcu(|keys| {
            let mut keys = Keys::clone(keys);
            keys.remove(kid);
            keys
        });
        self.verified.invalidate_all();
    }

    fn insert(&self, key: PublicKey) -> Result<()> {
        let decoding = DecodingKey::from_ed_components(&key.x).map_err(Error::internal)?;
        self.keys.rcu(|keys| {
            let mut keys = Keys::clone(keys);
            keys.insert(key.kid.clone(), (key.clone(), decoding.clone()));
            keys
        });
        Ok(())
    }

    /// Follows the bucket until shutdown, so that a withdrawn key stops being believed.
    pub async fn follow(self, bus: Bus, shutdown: CancellationToken) -> Result<()> {
        shutdown.run_until_cancelled(self.follow_for_ever(&bus)).await.unwrap_or(Ok(()))
    }

    async fn follow_for_ever(&self, bus: &Bus) -> Result<()> {
        loop {
            let mut connections = bus.connections();
            match self.store.watch_with_history(">").await {
                Ok(mut changes) => loop {
                    tokio::select! {
                        _ = connections.changed() => break,
                        change = changes.next() => match change {
                            Some(Ok(entry)) => self.apply(entry)?,
                            _ => break,
                        },
                    }
                },
                Err(error) => tracing::warn!(%error, "cannot follow the keys; will try again"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn apply(&self, entry: kv::Entry) -> Result<()> {
        if entry.operation == kv::Operation::Put {
            return serde_json::from_slice(&entry.value).map_or(Ok(()), |key| self.insert(key));
        }
        self.forget(&entry.key);
        Ok(())
    }

    /// The keys that sign tokens of users, for `/.well-known/jwks.json`.
    pub fn user_keys(&self) -> Vec<PublicKey> {
        let keys = self.keys.load();
        let mut keys: Vec<_> =
            keys.values().map(|(key, _)| key).filter(|key| key.service == IDENTITY).cloned().collect();
        keys.sort_by(|a, b| a.kid.cmp(&b.kid));
        keys.iter_mut().for_each(|key| key.service.clear());
        keys
    }

    /// Verifies a token and tells whose it is; what they may do now is not looked at here.
    pub(super) async fn verify(&self, token: &str) -> Result<Caller> {
        if let Some(caller) = self.verified.get(token)
            && caller.expires_at > Timestamp::now()
        {
            return Ok(caller);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| Error::unauthenticated())?;
        let kid = header.kid.as_deref().unwrap_or_default();
        let (key, decoding) = self.key(kid).await?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_audience(&[ISSUER]);
        validation.set_issuer(&[ISSUER]);
        validation.set_required_spec_claims(&["exp", "nbf", "iss", "aud", "sub"]);
        validation.leeway = 0;
        validation.validate_nbf = true;
        let claims =
            jsonwebtoken::decode::<Claims>(token, &decoding, &validation).map_err(|_| Error::unauthenticated())?.claims;
        let caller = caller(&key, header.typ.as_deref(), claims, token)?;
        // Above, a token is good until the second in which it ends is over.
        if caller.expires_at <= Timestamp::now() {
            return Err(Error::unauthenticated());
        }
        self.verified.insert(caller.token.clone(), caller.clone());
        Ok(caller)
    }

    /// What a text says that a process of ours signed as `typ`; an error for everything else.
    pub async fn statement<C: DeserializeOwned>(&self, typ: &str, text: &str) -> Result<C> {
        let header = jsonwebtoken::decode_header(text).map_err(|_| Error::unauthenticated())?;
        if header.typ.as_deref() != Some(typ) {
            return Err(Error::unauthenticated());
        }
        let (_, decoding) = self.key(header.kid.as_deref().unwrap_or_default()).await?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        let read = jsonwebtoken::decode::<C>(text, &decoding, &validation);
        Ok(read.map_err(|_| Error::unauthenticated())?.claims)
    }

    /// A key by its name; one that was published a moment ago is asked for directly.
    async fn key(&self, kid: &str) -> Result<(PublicKey, DecodingKey)> {
        if let Some(found) = self.keys.load().get(kid) {
            return Ok(found.clone());
        }
        let well_formed =
            !kid.is_empty() && kid.len() <= 100 && kid.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !well_formed {
            return Err(Error::unauthenticated());
        }
        let value = self.store.get(kid).await.map_err(Error::unavailable)?.ok_or_else(Error::unauthenticated)?;
        self.insert(serde_json::from_slice(&value).map_err(|_| Error::unauthenticated())?)?;
        self.keys.load().get(kid).cloned().ok_or_else(Error::unauthenticated)
    }
}

/// What a verified token says. A key of identity signs for users, any other only for its own service.
fn caller(key: &PublicKey, typ: Option<&str>, claims: Claims, token: &str) -> Result<Caller> {
    let expires_at = Timestamp::from_millis(claims.exp * 1000);
    let (token, client) = (token.into(), Client::default());
    match typ {
        Some(TYP_ACCESS) if key.service == IDENTITY => {
            let grant =
                claims.grant.filter(|g| g.user_id.to_string() == claims.sub).ok_or_else(Error::unauthenticated)?;
            let scope = match grant.tenant_id {
                Some(tenant) => Scope::Tenant(tenant),
                None if grant.is_platform_owner => Scope::Platform,
                None => return Err(Error::unauthenticated()),
            };
            Ok(Caller { service: None, grant: Some(grant), client, scope, token, expires_at, rights: None })
        }
        Some(TYP_SERVICE) => {
            let (service, scope) = match claims.sub.split_once(':') {
                Some((service, tenant)) => {
                    (service, Scope::Tenant(tenant.parse().map_err(|_| Error::unauthenticated())?))
                }
                None => (claims.sub.as_str(), Scope::Platform),
            };
            if service != key.service {
                return Err(Error::unauthenticated());
            }
            let scope = at_most(scope, claims.grant.as_ref())?;
            let service = Some(service.to_owned());
            Ok(Caller { service, grant: claims.grant, client, scope, token, expires_at, rights: None })
        }
        _ => Err(Error::unauthenticated()),
    }
}
