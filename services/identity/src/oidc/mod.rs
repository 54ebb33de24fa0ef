//! Signing in by another provider: OpenID Connect 1.0, the authorization code flow with PKCE (RFC 7636), a nonce and a
//! state. The provider says who it is, and nothing else: it makes no users and grants no rights.

mod discovery;
pub mod http;
mod id_token;

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use armada_proto::{
    Timestamp,
    v1::{OidcFinishRequest, OidcStart, OidcStartRequest},
};
use armada_runtime::{Error, Result, Seal, random::random_text};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use form_urlencoded::Serializer;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use self::id_token::IdToken;
use self::{
    discovery::{Discovery, Provider},
    http::Http,
};
use crate::config::{Config, OidcConfig, refused};

/// How long somebody may take at the provider.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(600);
/// What states are sealed for.
const SEALED_FOR: &str = "oidc state";

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

/// What is remembered between the two halves of a sign-in: sealed, in a cookie of the browser that began it.
#[derive(Serialize, Deserialize)]
struct PendingSignIn {
    state: String,
    nonce: String,
    verifier: String,
    redirect_uri: String,
    expires_at: i64,
}

/// The provider. Cheap to clone.
#[derive(Clone)]
pub struct Oidc {
    config: Arc<OidcConfig>,
    redirect_uri: String,
    seal: Seal,
    http: Http,
    discovery: Arc<Discovery>,
    /// States of this process that were used, until they have run out.
    used: Arc<Mutex<HashSet<(i64, String)>>>,
}

impl Oidc {
    /// The one that is configured, if any. It is asked for nothing yet: it may be away while this starts.
    pub fn new(config: &Config, seal: Seal) -> Result<Option<Self>> {
        let Some(oidc) = &config.oidc else { return Ok(None) };
        if !http::is_safe(&oidc.issuer) {
            return Err(refused(format!("identity.oidc.issuer = {}: must begin with https://", oidc.issuer)));
        }
        let http = Http::new()?;
        Ok(Some(Self {
            config: Arc::new(oidc.clone()),
            redirect_uri: config.page("/auth/oidc/callback"),
            seal,
            discovery: Arc::new(Discovery::new(&oidc.issuer, http.clone())),
            http,
            used: Arc::default(),
        }))
    }

    /// Where the browser goes, and what it keeps until it is back.
    pub async fn start(&self, request: OidcStartRequest) -> Result<OidcStart> {
        let redirect_uri = self.own(request.redirect_uri)?;
        let provider = self.discovery.provider().await?;
        let begun = PendingSignIn {
            state: random_text()?,
            nonce: random_text()?,
            verifier: random_text()?,
            redirect_uri,
            expires_at: (Timestamp::now() + SIGN_IN_TIMEOUT).millis(),
        };
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&begun.verifier));
        let query = Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", &begun.redirect_uri)
            .append_pair("scope", "openid email")
            .append_pair("state", &begun.state)
            .append_pair("nonce", &begun.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .finish();
        let separator = if provider.authorization_endpoint.contains('?') { '&' } else { '?' };
        let sealed = self.seal.seal(SEALED_FOR, &serde_json::to_vec(&begun).map_err(Error::internal)?)?;
        Ok(OidcStart {
            authorization_url: format!("{}{separator}{query}", provider.authorization_endpoint),
            state_token: URL_SAFE_NO_PAD.encode(sealed),
        })
    }

    /// Whom the provider vouches for.
    pub async fn finish(&self, request: OidcFinishRequest) -> Result<IdToken> {
        let begun = self.begun(&request)?;
        let provider = self.discovery.provider().await?;
        let form = Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", &request.code)
            .append_pair("redirect_uri", &begun.redirect_uri)
            .append_pair("code_verifier", &begun.verifier)
            .finish();
        let tokens = self.tokens(&provider, form).await?;
        let keys = self.discovery.keys(|keys| id_token::has_key(&tokens.id_token, keys)).await?;
        id_token::verify(&tokens.id_token, &keys, &self.config, &begun.nonce)
    }

    /// What this browser began, once. Another browser's answer, one that took too long, and one that was given before are
    /// refused alike.
    fn begun(&self, request: &OidcFinishRequest) -> Result<PendingSignIn> {
        let sealed = URL_SAFE_NO_PAD.decode(&request.state_token).unwrap_or_default();
        let opened = self.seal.open(SEALED_FOR, &sealed)?;
        let begun: Option<PendingSignIn> = opened.and_then(|text| serde_json::from_slice(&text).ok());
        let now = Timestamp::now().millis();
        let begun = begun
            .filter(|begun| begun.state == request.state && begun.redirect_uri == request.redirect_uri)
            .filter(|begun| begun.expires_at > now && !request.code.is_empty())
            .ok_or_else(|| id_token::failed("another browser began this sign-in, or it took too long"))?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|(expires_at, _)| *expires_at > now);
        match used.insert((begun.expires_at, begun.state.clone())) {
            true => Ok(begun),
            false => Err(id_token::failed("this sign-in was finished before")),
        }
    }

    /// Back to this console alone: the provider is configured to go nowhere else, and so is this.
    fn own(&self, redirect_uri: String) -> Result<String> {
        match redirect_uri == self.redirect_uri {
            true => Ok(redirect_uri),
            false => Err(Error::field("redirect_uri", "unknown")),
        }
    }

    /// Exchanges the code. The password goes into a header (RFC 6749 §2.3.1) unless the provider wants it in the form.
    async fn tokens(&self, provider: &Provider, form: String) -> Result<Tokens> {
        let OidcConfig { client_id, client_secret, .. } = &*self.config;
        let methods = provider.token_endpoint_auth_methods_supported.as_deref().unwrap_or_default();
        let basic = methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic");
        if basic {
            let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", encoded(client_id), encoded(client_secret.reveal()));
            let header = base64::engine::general_purpose::STANDARD.encode(pair);
            return self.http.post(&provider.token_endpoint, form, Some(header)).await;
        }
        let form = Serializer::new(form)
            .append_pair("client_id", client_id)
            .append_pair("client_secret", client_secret.reveal())
            .finish();
        self.http.post(&provider.token_endpoint, form, None).await
    }
}
