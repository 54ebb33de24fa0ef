//! Tokens: what they say, and who signs them.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use armada_proto::Timestamp;
use ed25519_dalek::{SigningKey, pkcs8::EncodePrivateKey};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Caller, Client, Grant, Scope, secrets::ServiceSecrets};
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

/// A service's own key: derived from its secret, another one in each period.
#[derive(Clone)]
pub struct ServiceKey {
    service: &'static str,
    secrets: ServiceSecrets,
    signer: Arc<ArcSwap<(i64, Signer)>>,
}

impl ServiceKey {
    /// The key of a service, or of the process, whose secret is among these.
    pub fn new(service: &'static str, secrets: &ServiceSecrets) -> Result<Self> {
        let signer = Arc::new(ArcSwap::from_pointee(present(service, secrets)?));
        Ok(Self { service, secrets: secrets.clone(), signer })
    }

    /// The service.
    pub(crate) fn service(&self) -> &'static str {
        self.service
    }

    /// What signs now.
    fn signer(&self) -> Result<Arc<(i64, Signer)>> {
        let signer = self.signer.load_full();
        if signer.0 == self.secrets.epoch(Timestamp::now()) {
            return Ok(signer);
        }
        let signer = Arc::new(present(self.service, &self.secrets)?);
        self.signer.store(signer.clone());
        Ok(signer)
    }

    /// A signed text that any process of ours reads with [`super::KeyRing::statement`]. What it says and how long it holds is
    /// the business of `typ`, which must not be that of a token.
    pub fn statement<C: Serialize>(&self, typ: &str, claims: &C) -> Result<String> {
        self.signer()?.1.sign(typ, claims)
    }

    /// A caller for work of this process: in `scope`, for a user when one asked for it.
    pub fn caller(&self, scope: Scope, on_behalf_of: Option<Grant>) -> Result<Caller> {
        let scope = at_most(scope, on_behalf_of.as_ref())?;
        let now = Timestamp::now();
        let sub = match scope {
            Scope::Tenant(tenant) => format!("{}:{tenant}", self.service),
            Scope::Platform => self.service.to_owned(),
        };
        let token = self.signer()?.1.token(TYP_SERVICE, sub, on_behalf_of.clone(), now, SERVICE_TOKEN_LIFE)?;
        Ok(Caller {
            service: Some(self.service.to_owned()),
            grant: on_behalf_of,
            client: Client::default(),
            scope,
            token: token.into(),
            expires_at: now + SERVICE_TOKEN_LIFE,
            rights: None,
        })
    }
}

fn present(service: &str, secrets: &ServiceSecrets) -> Result<(i64, Signer)> {
    let epoch = secrets.epoch(Timestamp::now());
    let signer = secrets.signer(service, epoch)?;
    Ok((epoch, signer.ok_or_else(|| Error::unavailable(format!("the secret of {service} is not known")))?))
}

/// A service that works for a user of a tenant stays within that tenant.
pub(super) fn at_most(scope: Scope, on_behalf_of: Option<&Grant>) -> Result<Scope> {
    match (scope, on_behalf_of.and_then(|grant| grant.tenant_id)) {
        (Scope::Tenant(tenant), Some(own)) if tenant != own => Err(Error::unauthenticated()),
        (_, Some(own)) => Ok(Scope::Tenant(own)),
        (scope, None) => Ok(scope),
    }
}
