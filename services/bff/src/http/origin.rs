//! Whose pages may use what a browser sends by itself: cookies, and sockets.

use std::sync::Arc;

use armada_runtime::{Code, Error, Result};
use axum::extract::{FromRef, FromRequestParts};
use http::{
    Uri,
    header::{HOST, ORIGIN},
    request::Parts,
};

use super::{body::is_json, failure::Failure};

/// Where browsers find this edge.
#[derive(Debug, Clone, Default)]
pub struct OwnOrigin {
    /// `scheme://host[:port]`, if it is configured.
    public: Option<Arc<str>>,
}

/// From which page a request was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentFrom {
    /// A page of ours.
    Own,
    /// A page of somebody else.
    Foreign,
    /// No browser, or a browser that does not say.
    Unknown,
}

impl OwnOrigin {
    /// From `ARMADA_PUBLIC_URL`.
    pub fn new(public_url: Option<&str>) -> Result<Self> {
        let public = match public_url {
            Some(url) => Some(origin_of(url).ok_or_else(|| {
                Error::new(Code::Invalid, "invalid", format!("public_url = {url}: must be http(s)://host[:port]"))
            })?),
            None => None,
        };
        Ok(Self { public: public.map(Arc::from) })
    }

    /// Whether browsers reach it over TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.public.as_deref().is_some_and(|origin| origin.starts_with("https://"))
    }

    /// The public host with its port, if it is configured.
    pub(crate) fn authority(&self) -> Option<&str> {
        self.public.as_deref().and_then(|origin| origin.split_once("://")).map(|(_, authority)| authority)
    }

    /// The address of a path as browsers find it: by the configured address, or else by the host that the request was
    /// sent to.
    pub(crate) fn url(&self, parts: &Parts, path: &str) -> Option<String> {
        match &self.public {
            Some(public) => Some(format!("{public}{path}")),
            None => Some(format!("http://{}{path}", host(parts)?)),
        }
    }

    /// Compares `Origin` with the configured address and with the address that the request itself was sent to.
    pub fn of(&self, parts: &Parts) -> SentFrom {
        let Some(origin) = parts.headers.get(ORIGIN) else { return SentFrom::Unknown };
        let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        let host = host(parts);
        let sent_to = origin.split_once("://").is_some_and(|(scheme, authority)| {
            matches!(scheme, "http" | "https") && host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
        });
        if sent_to || self.public.as_deref() == Some(origin.as_str()) { SentFrom::Own } else { SentFrom::Foreign }
    }
}

/// The host that a request was sent to; HTTP/2 has it in the address.
fn host(parts: &Parts) -> Option<&str> {
    let header = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
    header.or_else(|| parts.uri.authority().map(|authority| authority.as_str()))
}

fn origin_of(url: &str) -> Option<String> {
    let uri: Uri = url.trim().parse().ok()?;
    let scheme = uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https"))?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?.as_str();
    let default_port = if scheme == "https" { ":443" } else { ":80" };
    Some(format!("{scheme}://{}", authority.strip_suffix(default_port).unwrap_or(authority)).to_ascii_lowercase())
}

/// Refuses what another site's page made a browser send along with our cookie: the page must be ours, or the body must
/// be declared as JSON, which no other site may without being asked first.
pub(crate) struct SameOrigin;

impl<S: Send + Sync> FromRequestParts<S> for SameOrigin
where
    OwnOrigin: FromRef<S>,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match OwnOrigin::from_ref(state).of(parts) {
            SentFrom::Own => Ok(Self),
            SentFrom::Unknown if is_json(&parts.headers) => Ok(Self),
            _ => Err(Error::forbidden().into()),
        }
    }
}
