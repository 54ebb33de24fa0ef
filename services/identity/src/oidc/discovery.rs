//! What the provider says of itself and the keys that sign its tokens: asked for once an hour, and the keys also when a
//! token names one that is not known, which a stranger could otherwise make this ask for all day.

use std::{sync::Arc, time::Duration};

use armada_runtime::{Error, Result};
use jsonwebtoken::jwk::JwkSet;
use serde::Deserialize;
use tokio::{sync::Mutex, time::Instant};

use super::http::{self, Http};

/// How long an answer is believed.
const CACHED_FOR: Duration = Duration::from_secs(3600);
/// The keys are asked for no sooner again because a token names one that is not among them.
const UNKNOWN_KEY_PAUSE: Duration = Duration::from_secs(60);

/// What the provider says of itself (OpenID Connect Discovery 1.0 §3), as far as it is needed here.
#[derive(Debug, Clone, Deserialize)]
pub struct Provider {
    issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// An answer of the provider and when it came. Whoever needs one that is not there waits for the one who asks.
struct Cached<T>(Mutex<Option<(Instant, Arc<T>)>>);

/// The cache.
pub struct Discovery {
    issuer: String,
    http: Http,
    provider: Cached<Provider>,
    keys: Cached<JwkSet>,
    /// When a key was unknown last.
    unknown_at: Mutex<Option<Instant>>,
}

impl Discovery {
    /// Of an issuer, which is asked for nothing yet.
    pub fn new(issuer: &str, http: Http) -> Self {
        let (provider, keys) = (Cached(Mutex::default()), Cached(Mutex::default()));
        Self { issuer: issuer.to_owned(), http, provider, keys, unknown_at: Mutex::default() }
    }

    /// The provider, which must be the one that is configured, and on https.
    pub async fn provider(&self) -> Result<Arc<Provider>> {
        self.provider
            .get(async || {
                let issuer = self.issuer.trim_end_matches('/');
                let provider: Provider = self.http.get(&format!("{issuer}/.well-known/openid-configuration")).await?;
                let endpoints = [&provider.authorization_endpoint, &provider.token_endpoint, &provider.jwks_uri];
                if provider.issuer != self.issuer || !endpoints.into_iter().all(|url| http::is_safe(url)) {
                    let why = "the sign-in provider is another one than it says, or not on https";
                    return Err(Error::unavailable(why));
                }
                Ok(provider)
            })
            .await
    }

    /// The keys; asked for again when they do not `suffice`, unless that was so a moment ago as well.
    pub async fn keys(&self, suffice: impl Fn(&JwkSet) -> bool) -> Result<Arc<JwkSet>> {
        let provider = self.provider().await?;
        let ask = async || self.http.get(&provider.jwks_uri).await;
        let keys = self.keys.get(ask).await?;
        if suffice(&keys) {
            return Ok(keys);
        }
        let mut unknown_at = self.unknown_at.lock().await;
        if unknown_at.is_some_and(|at| at.elapsed() < UNKNOWN_KEY_PAUSE) {
            return Ok(keys);
        }
        *unknown_at = Some(Instant::now());
        self.keys.forget().await;
        self.keys.get(ask).await
    }
}

impl<T> Cached<T> {
    async fn get(&self, ask: impl AsyncFnOnce() -> Result<T>) -> Result<Arc<T>> {
        let mut cached = self.0.lock().await;
        if let Some((_, value)) = cached.as_ref().filter(|(at, _)| at.elapsed() < CACHED_FOR) {
            return Ok(value.clone());
        }
        let value = Arc::new(ask().await?);
        *cached = Some((Instant::now(), value.clone()));
        Ok(value)
    }

    async fn forget(&self) {
        *self.0.lock().await = None;
    }
}
