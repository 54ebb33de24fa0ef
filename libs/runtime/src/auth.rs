//! Who is calling. Users carry an access token signed by identity, services one that they sign themselves; the public
//! keys of both are in the bucket `keys`, which only services can write.

use std::{collections::HashMap, fmt, str::FromStr, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use armada_proto::{TenantId, Timestamp, UserId};
use async_nats::jetstream::kv;
use ed25519_dalek::{SigningKey, pkcs8::EncodePrivateKey};
use futures::StreamExt;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Status, service::Routes};
use uuid::Uuid;

use crate::{
    bus::Bus,
    error::{Error, Result},
};

/// Bucket of public keys.
const BUCKET: &str = "keys";
/// The service whose keys may sign tokens of users.
pub const IDENTITY: &str = "identity";
const ISSUER: &str = "armada";
/// `typ` of access tokens and of tokens between services (RFC 9068 for the first).
const TYP_ACCESS: &str = "at+jwt";
const TYP_SERVICE: &str = "service+jwt";
/// How long a service's own token lives.
const SERVICE_TOKEN_LIFE: Duration = Duration::from_secs(60);

/// What of the data a call may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One tenant.
    Tenant(TenantId),
    /// Every tenant: platform owners, and services about their own tables.
    Platform,
}

impl Scope {
    /// The tenant, unless it is the whole platform.
    pub fn tenant(&self) -> Option<TenantId> {
        match self {
            Self::Tenant(tenant) => Some(*tenant),
            Self::Platform => None,
        }
    }
}

/// The rights that a token carries: everything but who signed it and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The user.
    pub user_id: UserId,
    /// Their tenant; none for platform owners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    /// May do everything in every tenant.
    #[serde(default)]
    pub is_platform_owner: bool,
    /// May do everything in their tenant.
    #[serde(default)]
    pub is_tenant_admin: bool,
    /// Grows with every change of what the user may do.
    #[serde(default)]
    pub policy_version: i32,
    /// The sign-in that the token goes back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<Uuid>,
}

/// A verified caller. Without one a handler cannot name a tenant.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The service that calls on its own, if it is not the user's own token.
    pub service: Option<String>,
    /// The user who calls, or on whose behalf a service does; none for work that no user asked for.
    pub grant: Option<Grant>,
    scope: Scope,
    token: Arc<str>,
    expires_at: Timestamp,
}

impl Caller {
    /// Who made this call; an error when nobody signed in did.
    pub fn of<T>(request: &Request<T>) -> Result<Self> {
        request.extensions().get::<Self>().cloned().ok_or_else(Error::unauthenticated)
    }

    /// The user, for acts that only a person may do.
    pub fn user(&self) -> Result<&Grant> {
        self.grant.as_ref().ok_or_else(Error::forbidden)
    }

    /// May do everything in every tenant.
    pub fn is_platform_owner(&self) -> bool {
        self.grant.as_ref().map_or(self.service.is_some(), |grant| grant.is_platform_owner)
    }

    /// Sees and manages everything within its scope.
    pub fn is_admin(&self) -> bool {
        self.is_platform_owner() || self.grant.as_ref().is_some_and(|grant| grant.is_tenant_admin)
    }

    /// Everything this caller may touch at most.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// The scope, narrowed to a tenant that the request names. A tenant that is not the caller's own does not exist for
    /// them.
    pub fn narrow(&self, tenant_id: Option<&str>) -> Result<Scope> {
        let Some(text) = tenant_id.filter(|text| !text.is_empty()) else { return Ok(self.scope) };
        let wanted = TenantId::from_str(text)?;
        match self.scope {
            Scope::Platform => Ok(Scope::Tenant(wanted)),
            Scope::Tenant(own) if own == wanted => Ok(self.scope),
            Scope::Tenant(_) => Err(Error::not_found()),
        }
    }

    /// Puts the caller's token on a call to another service.
    pub fn sign<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Ok(value) = format!("Bearer {}", self.token).parse() {
            request.metadata_mut().insert("authorization", value);
        }
        request
    }

    /// When the caller's token ends.
    pub fn expires_at(&self) -> Timestamp {
        self.expires_at
    }
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    iat: i64,
    nbf: i64,
    exp: i64,
    jti: Uuid,
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    grant: Option<Grant>,
}

/// A private key and its name.
#[derive(Clone)]
pub struct Signer {
    /// `kid` in the header of every token.
    pub kid: String,
    key: EncodingKey,
    public: [u8; 32],
}

impl Signer {
    /// From the 32 secret bytes of an Ed25519 key (RFC 8032).
    pub fn from_seed(kid: String, seed: &[u8; 32]) -> Result<Self> {
        let key = SigningKey::from_bytes(seed);
        let der = key.to_pkcs8_der().map_err(Error::internal)?;
        Ok(Self { kid, key: EncodingKey::from_ed_der(der.as_bytes()), public: key.verifying_key().to_bytes() })
    }

    /// An access token for a user.
    pub fn access_token(&self, grant: &Grant, now: Timestamp, life: Duration) -> Result<String> {
        self.token(TYP_ACCESS, grant.user_id.to_string(), Some(grant.clone()), now, life)
    }

    /// A signed text. `typ` keeps one kind from being taken for another.
    fn sign<C: Serialize>(&self, typ: &str, claims: &C) -> Result<String> {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(typ.to_owned());
        header.kid = Some(self.kid.clone());
        jsonwebtoken::encode(&header, claims, &self.key).map_err(Error::internal)
    }

    fn token(&self, typ: &str, sub: String, grant: Option<Grant>, now: Timestamp, life: Duration) -> Result<String> {
        let seconds = now.millis() / 1000;
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: ISSUER.to_owned(),
            sub,
            iat: seconds,
            nbf: seconds,
            exp: seconds + life.as_secs() as i64,
            jti: Uuid::now_v7(),
            grant,
        };
        self.sign(typ, &claims)
    }
}

/// A service's own key: made anew with each process, its public half in the bucket.
#[derive(Clone)]
pub struct ServiceKey {
    process: String,
    signer: Signer,
}

impl ServiceKey {
    /// Makes a key for this process and publishes its public half. `process` names it in other services' logs.
    pub async fn publish(process: &str, ring: &KeyRing) -> Result<Self> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(Error::internal)?;
        let signer = Signer::from_seed(format!("{process}-{}", Uuid::now_v7()), &seed)?;
        ring.publish(&signer, process).await?;
        Ok(Self { process: process.to_owned(), signer })
    }

    /// A signed text that any process of ours reads with [`KeyRing::statement`]. What it says and how long it holds is
    /// the business of `typ`, which must not be that of a token.
    pub fn statement<C: Serialize>(&self, typ: &str, claims: &C) -> Result<String> {
        self.signer.sign(typ, claims)
    }

    /// A caller for work of this process: in `scope`, for a user when one asked for it.
    pub fn caller(&self, scope: Scope, on_behalf_of: Option<Grant>) -> Result<Caller> {
        let scope = at_most(scope, on_behalf_of.as_ref())?;
        let now = Timestamp::now();
        let sub = match scope {
            Scope::Tenant(tenant) => format!("{}:{tenant}", self.process),
            Scope::Platform => self.process.clone(),
        };
        let token = self.signer.token(TYP_SERVICE, sub, on_behalf_of.clone(), now, SERVICE_TOKEN_LIFE)?;
        Ok(Caller {
            service: Some(self.process.clone()),
            grant: on_behalf_of,
            scope,
            token: token.into(),
            expires_at: now + SERVICE_TOKEN_LIFE,
        })
    }
}

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
        self.keys.rcu(|keys| {
            let mut keys = Keys::clone(keys);
            keys.remove(&entry.key);
            keys
        });
        self.verified.invalidate_all();
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

    /// Verifies a token and tells who the caller is.
    pub async fn verify(&self, token: &str) -> Result<Caller> {
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
    let token = token.into();
    match typ {
        Some(TYP_ACCESS) if key.service == IDENTITY => {
            let grant =
                claims.grant.filter(|g| g.user_id.to_string() == claims.sub).ok_or_else(Error::unauthenticated)?;
            let scope = match grant.tenant_id {
                Some(tenant) => Scope::Tenant(tenant),
                None if grant.is_platform_owner => Scope::Platform,
                None => return Err(Error::unauthenticated()),
            };
            Ok(Caller { service: None, grant: Some(grant), scope, token, expires_at })
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
            Ok(Caller { service: Some(service.to_owned()), grant: claims.grant, scope, token, expires_at })
        }
        _ => Err(Error::unauthenticated()),
    }
}

/// A service that works for a user of a tenant stays within that tenant.
fn at_most(scope: Scope, on_behalf_of: Option<&Grant>) -> Result<Scope> {
    match (scope, on_behalf_of.and_then(|grant| grant.tenant_id)) {
        (Scope::Tenant(tenant), Some(own)) if tenant != own => Err(Error::unauthenticated()),
        (_, Some(own)) => Ok(Scope::Tenant(own)),
        (scope, None) => Ok(scope),
    }
}

/// Puts the token check in front of a service's routes: a bad token ends the call, a good one becomes the [`Caller`],
/// and none leaves it to the handler, since signing in needs none.
pub fn guard(routes: Routes, keys: KeyRing) -> Routes {
    let check = async move |mut request: axum::extract::Request, next: axum::middleware::Next| {
        let token = request.headers().get("authorization").map(|value| value.to_str().unwrap_or_default().to_owned());
        if let Some(token) = token {
            let verified = match token.strip_prefix("Bearer ") {
                Some(token) => keys.verify(token).await,
                None => Err(Error::unauthenticated()),
            };
            match verified {
                Ok(caller) => request.extensions_mut().insert(caller),
                Err(error) => return Status::from(error).into_http(),
            };
        }
        next.run(request).await
    };
    Routes::from(routes.into_axum_router().layer(axum::middleware::from_fn(move |request, next| {
        let check = check.clone();
        async move { check(request, next).await }
    })))
}
