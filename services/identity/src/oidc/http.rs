//! Calls of the provider: short, small, over TLS, and never anywhere else than asked.

use std::{fmt, time::Duration};

use armada_runtime::{
    Code, Error, Result,
    https::{self, HttpsClient},
    trust,
};
use http::{
    Method, Request, Uri,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use http_body_util::{BodyExt, Full, Limited};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use tokio_util::bytes::Bytes;

const TIMEOUT: Duration = Duration::from_secs(10);
/// The largest answer that is read.
const ANSWER_MAX: usize = 256 * 1024;

/// Cheap to clone. It follows no redirects.
#[derive(Clone)]
pub struct Http(HttpsClient<Full<Bytes>>);

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Http")
    }
}

/// Over TLS, or to this machine.
pub fn is_safe(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    match (uri.scheme_str(), uri.host()) {
        (Some("https"), Some(host)) => !host.is_empty(),
        (Some("http"), Some(host)) => matches!(host, "localhost" | "127.0.0.1" | "[::1]"),
        _ => false,
    }
}

impl Http {
    /// It trusts whom this process trusts.
    pub fn new() -> Result<Self> {
        Ok(Self(https::client().map_err(Error::internal)?))
    }

    /// The JSON at an address.
    pub async fn get<T: DeserializeOwned>(&self, url: &str) -> Result<T> {
        let request = Request::builder().method(Method::GET).uri(url).header(ACCEPT, "application/json");
        self.call(request.body(Full::default()).map_err(provider_unreachable)?).await
    }

    /// The JSON that answers a form.
    pub async fn post<T: DeserializeOwned>(&self, url: &str, form: String, basic: Option<String>) -> Result<T> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(url)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(basic) = basic {
            request = request.header(AUTHORIZATION, format!("Basic {basic}"));
        }
        self.call(request.body(Full::from(form)).map_err(provider_unreachable)?).await
    }

    async fn call<T: DeserializeOwned>(&self, request: Request<Full<Bytes>>) -> Result<T> {
        let answered = timeout(TIMEOUT, async {
            let response = self.0.request(request).await;
            let response = response.map_err(|error| provider_unreachable(trust::reason(&error)))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), ANSWER_MAX)
                .collect()
                .await
                .map_err(provider_unreachable)?
                .to_bytes();
            Ok::<_, Error>((status, body))
        });
        let (status, body) = answered.await.map_err(provider_unreachable)??;
        if status.is_client_error() {
            tracing::warn!(%status, "the sign-in provider refuses");
            return Err(Error::new(Code::Unauthenticated, "oidc_failed", format!("the provider refuses: {status}")));
        }
        if !status.is_success() {
            return Err(provider_unreachable(status));
        }
        serde_json::from_slice(&body).map_err(provider_unreachable)
    }
}

fn provider_unreachable(why: impl fmt::Display) -> Error {
    Error::unavailable(format!("the sign-in provider does not answer as it should: {why}"))
}
