//! Whose tokens are believed: the keys that identity vouches for towards this process, and those that it holds itself.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use arc_swap::ArcSwap;
use armada_proto::Timestamp;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    Caller, Client, IDENTITY, Scope,
    entry::{EntryKey, EntryKeys, EntryPublicKey},
    key_sets::{self, KeySet, Purpose, VouchedKey},
    secrets::ServiceSecrets,
    signer::{Claims, ISSUER, Signer, TYP_ACCESS, TYP_SERVICE},
    token::at_most,
};
use crate::{
    bus::{Bucket, BucketUpdate, Bus},
    error::{Error, Result},
};

/// How many periods from the present one a service's own key may be: clocks differ.
const NEAR: i64 = 1;

/// A public key as `/.well-known/jwks.json` holds it (RFC 8037).
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct PublicKey {
    kty: String,
    crv: String,
    x: String,
    alg: String,
    kid: String,
}

#[derive(Clone)]
struct Key {
    vouched: VouchedKey,
    decoding: DecodingKey,
    entries: EntryPublicKey,
}

impl Key {
    /// None of what is no key.
    fn read(vouched: VouchedKey) -> Option<Self> {
        let public = URL_SAFE_NO_PAD.decode(&vouched.x).ok().filter(|public| public.len() == 32)?;
        let decoding = DecodingKey::from_ed_components(&vouched.x).ok()?;
        Some(Self { decoding, entries: UnparsedPublicKey::new(&ED25519, public), vouched })
    }

    fn is_good(&self, now: Timestamp) -> bool {
        self.vouched.exp > now.millis() / 1000
    }
}

type Keys = HashMap<String, Key>;

/// The keys whose tokens are believed here. Cheap to clone.
#[derive(Clone)]
pub struct KeyRing {
    bucket: Box<Bucket>,
    reader: Arc<str>,
    secrets: ServiceSecrets,
    /// What identity vouches for.
    vouched: Arc<ArcSwap<Keys>>,
    /// Keys of users' tokens that this process holds itself.
    held: Arc<ArcSwap<Keys>>,
    /// What was derived from the secrets that are known here.
    derived: Arc<Mutex<Keys>>,
    /// The keys of entries among these, by their service.
    own_entries: Arc<Mutex<HashMap<String, EntryKey>>>,
    verified: moka::sync::Cache<Arc<str>, Caller>,
    changes: watch::Sender<u64>,
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing").field("reader", &self.reader).field("keys", &self.vouched.load().len()).finish()
    }
}

impl KeyRing {
    /// Makes the bucket.
    pub async fn migrate(bus: &Bus) -> Result<()> {
        key_sets::migrate(bus).await
    }

    /// Opens the bucket, in the name of a service whose secret is among these.
    pub async fn open(bus: &Bus, reader: &str, secrets: &ServiceSecrets) -> Result<Self> {
        let verified = moka::sync::Cache::builder().max_capacity(50_000).time_to_live(Duration::from_secs(30)).build();
        let ring = Self {
            bucket: Box::new(key_sets::open(bus, secrets).await?),
            reader: reader.into(),
            secrets: secrets.clone(),
            vouched: Arc::default(),
            held: Arc::default(),
            derived: Arc::default(),
            own_entries: Arc::default(),
            verified,
            changes: watch::Sender::new(0),
        };
        // What is vouched for already is known to whoever is built from this. The rest comes while it is followed.
        if let Ok(Some(value)) = ring.bucket.get(reader).await {
            ring.take(reader, serde_json::from_slice(&value).ok());
        }
        Ok(ring)
    }

    /// The secrets from which this process derives keys.
    pub fn secrets(&self) -> &ServiceSecrets {
        &self.secrets
    }

    /// Believes users' tokens that a key of this process signs, before anybody vouches for it.
    pub fn hold(&self, signer: &Signer) {
        let key = Key::read(VouchedKey {
            kid: signer.kid.clone(),
            service: IDENTITY.to_owned(),
            purpose: Purpose::User,
            x: URL_SAFE_NO_PAD.encode(signer.public),
            exp: i64::MAX,
        });
        let Some(key) = key else { return };
        self.held.rcu(|keys| {
            let mut keys = Keys::clone(keys);
            keys.insert(signer.kid.clone(), key.clone());
            keys
        });
    }

    /// Stops it: whatever it signed is refused from now on.
    pub fn remove_held(&self, kid: &str) {
        self.held.rcu(|keys| {
            let mut keys = Keys::clone(keys);
            keys.remove(kid);
            keys
        });
        self.verified.invalidate_all();
    }

    /// Follows what identity vouches for until shutdown, so that a withdrawn key stops being believed.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.bucket.follow(|_, value| serde_json::from_slice::<KeySet>(value).ok());
        let follow = async {
            loop {
                match follower.next().await {
                    BucketUpdate::All(all) => {
                        all.entries.into_iter().for_each(|(reader, set)| self.take(&reader, Some(set)))
                    }
                    BucketUpdate::Changed(reader, set) => self.take(&reader, set),
                    BucketUpdate::Refused(_) => {}
                }
            }
        };
        shutdown.run_until_cancelled(follow).await;
        Ok(())
    }

    /// A bucket without an entry takes nothing away: each key says itself until when it is believed.
    fn take(&self, reader: &str, set: Option<KeySet>) {
        let Some(set) = set.filter(|_| *reader == *self.reader) else { return };
        let read = set.keys.into_iter().filter_map(|vouched| {
            let kid = vouched.kid.clone();
            let key = Key::read(vouched);
            if key.is_none() {
                tracing::warn!(kid, "identity vouches for what is no key; it is ignored");
            }
            Some((kid, key?))
        });
        self.vouched.store(Arc::new(read.collect()));
        self.verified.invalidate_all();
        self.changes.send_modify(|count| *count += 1);
    }

    /// The keys that sign tokens of users, for `/.well-known/jwks.json`.
    pub fn user_keys(&self) -> Vec<PublicKey> {
        let (now, held, vouched) = (Timestamp::now(), self.held.load(), self.vouched.load());
        let all = vouched.values().chain(held.values());
        let mut keys: Vec<_> = all
            .filter(|key| key.vouched.purpose == Purpose::User && key.is_good(now))
            .map(|key| PublicKey {
                kty: "OKP".to_owned(),
                crv: "Ed25519".to_owned(),
                x: key.vouched.x.clone(),
                alg: "EdDSA".to_owned(),
                kid: key.vouched.kid.clone(),
            })
            .collect();
        keys.sort_by(|a, b| a.kid.cmp(&b.kid));
        keys.dedup();
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
        let key = self.key(kid).await?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_audience(&[ISSUER]);
        validation.set_issuer(&[ISSUER]);
        validation.set_required_spec_claims(&["exp", "nbf", "iss", "aud", "sub"]);
        validation.leeway = 0;
        validation.validate_nbf = true;
        let claims = jsonwebtoken::decode::<Claims>(token, &key.decoding, &validation)
            .map_err(|_| Error::unauthenticated())?
            .claims;
        let caller = caller(&key.vouched, header.typ.as_deref(), claims, token)?;
        // Above, a token is good until the second in which it ends is over.
        if caller.expires_at <= Timestamp::now() {
            return Err(Error::unauthenticated());
        }
        self.verified.insert(caller.token.clone(), caller.clone());
        Ok(caller)
    }

    /// What a text says that `service` signed as `typ`; an error for everything else.
    pub async fn statement<C: DeserializeOwned>(&self, service: &str, typ: &str, text: &str) -> Result<C> {
        let header = jsonwebtoken::decode_header(text).map_err(|_| Error::unauthenticated())?;
        if header.typ.as_deref() != Some(typ) {
            return Err(Error::unauthenticated());
        }
        let key = self.key(header.kid.as_deref().unwrap_or_default()).await?;
        if key.vouched.purpose != Purpose::Service || key.vouched.service != service {
            return Err(Error::unauthenticated());
        }
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        let read = jsonwebtoken::decode::<C>(text, &key.decoding, &validation);
        Ok(read.map_err(|_| Error::unauthenticated())?.claims)
    }

    /// A key by its name; one that identity vouched for a moment ago is asked for directly.
    async fn key(&self, kid: &str) -> Result<Key> {
        if let Some(found) = self.known(kid) {
            return Ok(found);
        }
        let well_formed =
            !kid.is_empty() && kid.len() <= 100 && kid.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !well_formed {
            return Err(Error::unauthenticated());
        }
        let value = self.bucket.get(&self.reader).await?.ok_or_else(Error::unauthenticated)?;
        let set: KeySet = serde_json::from_slice(&value).map_err(|_| Error::unauthenticated())?;
        let found = set.keys.into_iter().find(|vouched| vouched.kid == kid).and_then(Key::read);
        found.filter(|key| key.is_good(Timestamp::now())).ok_or_else(Error::unauthenticated)
    }

    fn known(&self, kid: &str) -> Option<Key> {
        let found = self.held.load().get(kid).cloned().or_else(|| self.vouched.load().get(kid).cloned());
        found.filter(|key| key.is_good(Timestamp::now())).or_else(|| self.own(kid))
    }

    /// A key of a service whose secret is known here, of a period near the present one.
    fn own(&self, kid: &str) -> Option<Key> {
        let (service, epoch) = kid.rsplit_once('-')?;
        let epoch: i64 = epoch.parse().ok()?;
        if (epoch - self.secrets.epoch(Timestamp::now())).abs() > NEAR {
            return None;
        }
        let mut derived = self.derived.lock().expect("no panic while held");
        if let Some(key) = derived.get(kid) {
            return Some(key.clone());
        }
        let signer = self.secrets.signer(service, epoch).ok()??;
        let key = Key::read(VouchedKey {
            kid: kid.to_owned(),
            service: service.to_owned(),
            purpose: Purpose::Service,
            x: URL_SAFE_NO_PAD.encode(signer.public),
            exp: self.secrets.begin_of(epoch + 2),
        })?;
        let now = Timestamp::now();
        derived.retain(|_, key| key.is_good(now));
        derived.insert(kid.to_owned(), key.clone());
        Some(key)
    }
}

#[async_trait::async_trait]
impl EntryKeys for KeyRing {
    async fn loaded(&self, owner: &str) {
        if self.secrets.entry_seed(owner).is_none() {
            let mut changes = self.changes.subscribe();
            // The sender lives as long as this.
            let _ = changes.wait_for(|count| *count > 0).await;
        }
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn entry_key(&self, owner: &str, kid: &str) -> Option<EntryPublicKey> {
        if let Some(key) = self.vouched.load().get(kid) {
            let is_good = key.vouched.purpose == Purpose::Entry && key.vouched.service == owner;
            return (is_good && key.is_good(Timestamp::now())).then(|| key.entries.clone());
        }
        let mut own = self.own_entries.lock().expect("no panic while held");
        if !own.contains_key(owner) {
            own.insert(owner.to_owned(), EntryKey::of(&self.secrets, owner).ok()??);
        }
        let own = own.get(owner).filter(|own| own.kid() == kid)?;
        Some(own.verifier())
    }
}

/// What a verified token says. A key of users' tokens signs for users, one of a service for that service.
fn caller(key: &VouchedKey, typ: Option<&str>, claims: Claims, token: &str) -> Result<Caller> {
    let expires_at = Timestamp::from_millis(claims.exp * 1000);
    let (token, client) = (token.into(), Client::default());
    let is_relayed = typ == Some(TYP_SERVICE);
    match typ {
        Some(TYP_ACCESS) if key.purpose == Purpose::User => {
            let grant =
                claims.grant.filter(|g| g.user_id.to_string() == claims.sub).ok_or_else(Error::unauthenticated)?;
            let scope = match grant.tenant_id {
                Some(tenant) => Scope::Tenant(tenant),
                None if grant.is_platform_owner => Scope::Platform,
                None => return Err(Error::unauthenticated()),
            };
            Ok(Caller {
                service: None,
                grant: Some(grant),
                client,
                once: None,
                scope,
                token,
                expires_at,
                is_relayed,
                rights: None,
            })
        }
        Some(TYP_SERVICE) if key.purpose == Purpose::Service => {
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
            Ok(Caller {
                service,
                grant: claims.grant,
                client,
                once: None,
                scope,
                token,
                expires_at,
                is_relayed,
                rights: None,
            })
        }
        _ => Err(Error::unauthenticated()),
    }
}
