//! What signs tokens, and what they say.

use std::time::Duration;

use armada_proto::Timestamp;
use ed25519_dalek::{SigningKey, pkcs8::EncodePrivateKey};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::caller::Grant;
use crate::error::{Error, Result};

pub(super) const ISSUER: &str = "armada";
/// `typ` of access tokens and of tokens between services (RFC 9068 for the first).
pub(super) const TYP_ACCESS: &str = "at+jwt";
pub(super) const TYP_SERVICE: &str = "service+jwt";
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
    pub(super) fn sign<C: Serialize>(&self, typ: &str, claims: &C) -> Result<String> {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(typ.to_owned());
        header.kid = Some(self.kid.clone());
        jsonwebtoken::encode(&header, claims, &self.key).map_err(Error::internal)
    }

    /// A token.
    pub(super) fn token(
        &self,
        typ: &str,
        sub: String,
        grant: Option<Grant>,
        now: Timestamp,
        life: Duration,
    ) -> Result<String> {
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
