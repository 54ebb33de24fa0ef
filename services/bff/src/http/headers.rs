//! What every answer tells a browser: which scripts may run, that nobody may frame us, what may be stored.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{
    HeaderName, HeaderValue,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    },
};

use super::origin::OwnOrigin;

/// The `Content-Disposition` of a file to be saved (RFC 6266), with a name that every client reads and the one that it has, which may
/// be of any letters (RFC 8187).
pub(crate) fn attachment(plain: &str, name: &str) -> String {
    let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", name.replace('+', "%20"))
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The headers that are the same on every answer.
#[derive(Clone)]
pub(crate) struct Headers {
    policy: HeaderValue,
    /// Over https.
    transport: Option<HeaderValue>,
}

impl Headers {
    /// For an edge that browsers find at `origin`.
    pub(crate) fn new(origin: &OwnOrigin, with_subdomains: bool) -> Self {
        // Tiles of the configured maps come from here; those of a map that somebody named for themselves from wherever that
        // is. Browsers differ in whether 'self' includes sockets, so the public host is named where it is known.
        let socket = origin.authority().map(|authority| {
            let scheme = if origin.is_https() { "wss" } else { "ws" };
            format!(" {scheme}://{authority}")
        });
        let policy = format!(
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; \
             connect-src 'self'{}; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
             frame-ancestors 'none'",
            socket.unwrap_or_default()
        );
        let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'self'"));
        let transport = match with_subdomains {
            true => HeaderValue::from_static("max-age=31536000; includeSubDomains"),
            false => HeaderValue::from_static("max-age=31536000"),
        };
        Self { policy, transport: origin.is_https().then_some(transport) }
    }
}

/// Puts them on an answer. One that has a rule for caches keeps it, and so does one with a policy of its own; all others must
/// not be stored.
pub(crate) async fn set(State(headers): State<Headers>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let map = response.headers_mut();
    map.entry(CONTENT_SECURITY_POLICY).or_insert(headers.policy);
    map.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    map.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    map.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    map.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(transport) = headers.transport {
        map.insert(STRICT_TRANSPORT_SECURITY, transport);
    }
    response
}
