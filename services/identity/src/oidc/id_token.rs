//! What an ID token must be to be believed (OpenID Connect Core 1.0 §3.1.3.7).

use armada_runtime::{Code, Error, Result};
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse},
};
use serde::Deserialize;

use crate::config::OidcConfig;

/// Seconds that two clocks may differ.
const LEEWAY: u64 = 30;
/// Characters of a subject (OpenID Connect Core 1.0 §2).
const SUBJECT_MAX: usize = 255;

/// What the provider says of who has signed in.
#[derive(Debug, Clone)]
pub struct IdToken {
    /// `iss`.
    pub issuer: String,
    /// `sub`: never given to anybody else by this issuer.
    pub subject: String,
    /// The address, if the provider has verified it.
    pub email: Option<String>,
    /// The provider asked for a second factor.
    pub is_multi_factor: bool,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// Authentication methods (RFC 8176).
    #[serde(default)]
    amr: Vec<String>,
    acr: Option<String>,
    nonce: Option<String>,
    azp: Option<String>,
    email: Option<String>,
    #[serde(default)]
    email_verified: Flag,
}

/// Some providers write it as a text.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Flag {
    #[default]
    Absent,
    Bool(bool),
    Text(String),
}

/// Whether the key set has the key that a token names. One that names none is looked for among those that are there.
pub fn has_key(token: &str, keys: &JwkSet) -> bool {
    let kid = jsonwebtoken::decode_header(token).ok().and_then(|header| header.kid);
    kid.is_none_or(|kid| keys.find(&kid).is_some())
}

/// Whom the token vouches for.
pub fn verify(token: &str, keys: &JwkSet, config: &OidcConfig, nonce: &str) -> Result<IdToken> {
    let claims = signed(token, keys, config)?;
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(failed("the token was made for another sign-in"));
    }
    if claims.azp.is_some_and(|azp| azp != config.client_id) {
        return Err(failed("the token was made for another program"));
    }
    let verified = match claims.email_verified {
        Flag::Bool(verified) => verified,
        Flag::Text(text) => text == "true",
        Flag::Absent => false,
    };
    if claims.sub.is_empty() || claims.sub.len() > SUBJECT_MAX || !claims.sub.is_ascii() {
        return Err(failed("the token names nobody"));
    }
    let accepted = |value: &String| config.multi_factor.contains(value);
    Ok(IdToken {
        issuer: claims.iss,
        subject: claims.sub,
        email: claims.email.filter(|_| verified),
        is_multi_factor: claims.amr.iter().any(accepted) || claims.acr.as_ref().is_some_and(accepted),
    })
}

fn signed(token: &str, keys: &JwkSet, config: &OidcConfig) -> Result<Claims> {
    let header = jsonwebtoken::decode_header(token).map_err(refused)?;
    let fitting = keys.keys.iter().filter(|key| algorithm(key) == Some(header.alg));
    let mut fitting = fitting.filter(|key| match (&header.kid, &key.common.key_id) {
        (Some(wanted), kid) => kid.as_ref() == Some(wanted),
        // Without a name there must be no doubt which one is meant.
        (None, _) => true,
    });
    let key = fitting.next().filter(|_| header.kid.is_some() || fitting.next().is_none());
    let key = key.ok_or_else(|| failed("no key of the provider fits the token"))?;
    let key = DecodingKey::from_jwk(key).map_err(refused)?;
    let mut validation = Validation::new(header.alg);
    validation.set_issuer(&[&config.issuer]);
    validation.set_audience(&[&config.client_id]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    validation.validate_nbf = true;
    validation.leeway = LEEWAY;
    Ok(jsonwebtoken::decode::<Claims>(token, &key, &validation).map_err(refused)?.claims)
}

/// The one algorithm that a key is for. It comes from the key, never from the token, and no key is a shared secret.
fn algorithm(key: &Jwk) -> Option<Algorithm> {
    if key.common.public_key_use.as_ref().is_some_and(|wanted| *wanted != PublicKeyUse::Signature) {
        return None;
    }
    match &key.algorithm {
        AlgorithmParameters::RSA(_) => Some(Algorithm::RS256),
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => Some(Algorithm::ES256),
        AlgorithmParameters::OctetKeyPair(_) => Some(Algorithm::EdDSA),
        _ => None,
    }
}

fn refused(error: jsonwebtoken::errors::Error) -> Error {
    failed(&format!("the token of the provider is not good: {error}"))
}

/// The sign-in by the provider did not work out.
pub(super) fn failed(why: &str) -> Error {
    Error::new(Code::Unauthenticated, "oidc_failed", why)
}
