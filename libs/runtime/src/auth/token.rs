//! Tokens: what they say, and who signs them.

use std::time::Duration;

use armada_proto::Timestamp;
use ed25519_dalek::{SigningKey, pkcs8::EncodePrivateKey};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Caller, Client, Grant, KeyRing, Scope};
use crate::error::{Error, Result};

pub(super) const ISSUER: &str = "armada";
/// `typ` of access tokens and of tokens between services (RFC 9068 for the first).
pub(super) const TYP_ACCESS: &str = "at+jwt";
pub(super) const TYP_SERVICE: &str = "service+jwt";
/// How long a service's own token lives.
const SERVICE_TOKEN_LIFE: Duration = Duration::from_secs(60);

#[derive(Serialize, Deserialize)]
pub(super) struct Claims {
    pub(super) iss: String,
    pub(super) aud: String,
    pub(super) sub: String,
    pub(super) iat: i64,
    pub(super) nbf: i64,
    pub(super) exp: i64,
    pub(super) jti: Uuid,
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub(super) grant: Option<Grant>,
}

/// A private key and its name.
#[derive(Clone)]
pub struct Signer {
    /// `kid` in the header of every token.
    pub kid: String,
    key: EncodingKey,
    pub(super) public: [u8; 32],
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
            client: Client::default(),
            scope,
            token: token.into(),
            expires_at: now + SERVICE_TOKEN_LIFE,
            rights: None,
        })
    }
}

/// A service that works for a user of a tenant stays within that tenant.
pub(super) fn at_most(scope: Scope, on_behalf_of: Option<&Grant>) -> Result<Scope> {
    match (scope, on_behalf_of.and_then(|grant| grant.tenant_id)) {
        (Scope::Tenant(tenant), Some(own)) if tenant != own => Err(Error::unauthenticated()),
        (_, Some(own)) => Ok(Scope::Tenant(own)),
        (scope, None) => Ok(scope),
    }
}
