//! From where a request comes and as what: the services enter it in the audit, show it in the list of one's sessions, and
//! slow down who guesses passwords.

use std::{convert::Infallible, net::SocketAddr};

use armada_runtime::auth::Client;
use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum_extra::extract::CookieJar;
use http::{header::USER_AGENT, request::Parts};

use super::{cookie, origin::OwnOrigin, proxies::TrustedProxies};

/// The program that a request comes from.
pub(crate) struct RequestClient(pub(crate) Client);

impl<S: Send + Sync> FromRequestParts<S> for RequestClient
where
    TrustedProxies: FromRef<S>,
    OwnOrigin: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let (proxies, origin) = (TrustedProxies::from_ref(state), OwnOrigin::from_ref(state));
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let address = peer.map(|peer| proxies.client(peer, &parts.headers));
        let agent = parts.headers.get(USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes()));
        let cookies = CookieJar::from_headers(&parts.headers);
        let device = cookie::device(&cookies, origin.is_https()).unwrap_or_default();
        Ok(Self(Client::new(address, &agent.unwrap_or_default()).with_device(&device)))
    }
}
