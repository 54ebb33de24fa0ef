//! From where a request comes and as what: the services enter it in the audit, show it in the list of one's sessions, and
//! slow down who guesses passwords.

use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use armada_runtime::{Code, Error, Result, auth::Client};
use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum_extra::extract::CookieJar;
use http::{HeaderMap, HeaderName, header::USER_AGENT, request::Parts};
use ipnet::IpNet;

use super::{cookie, origin::OwnOrigin};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

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

/// Says that no proxy stands in front.
const NONE: &str = "none";

/// Proxies whose word is taken for where a request comes from.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    /// From addresses and CIDR blocks (RFC 4632), e.g. `127.0.0.1` and `10.0.0.0/8`, or `none` alone.
    pub fn new(networks: &[String]) -> Result<Self> {
        if networks == [NONE] {
            return Ok(Self::default());
        }
        let read = |text: &String| {
            let block = text.trim().parse().ok().or_else(|| text.trim().parse::<IpAddr>().ok().map(IpNet::from));
            block.ok_or_else(|| {
                let message = format!("bff.trusted_proxies: {text}: must be an address or a block such as 10.0.0.0/8");
                Error::new(Code::Invalid, "invalid", message)
            })
        };
        Ok(Self(networks.iter().map(read).collect::<Result<_>>()?))
    }

    /// All of them.
    pub(crate) fn networks(&self) -> Vec<IpNet> {
        self.0.to_vec()
    }

    /// The address from which a request that came from `peer` was sent first, as far as the word of proxies is good.
    /// Each of them appends whom it heard, so that what stands left of a stranger may be invented.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let hops = headers.get_all(FORWARDED_FOR).iter().map(|value| value.to_str().unwrap_or_default());
        let hops: Vec<_> = hops.flat_map(|hops| hops.split(',')).collect();
        for hop in hops.iter().rev() {
            if !self.0.iter().any(|network| network.contains(&client)) {
                break;
            }
            let Some(address) = address(hop.trim()) else { break };
            client = address.to_canonical();
        }
        client
    }
}

/// Some proxies tell the port as well.
fn address(hop: &str) -> Option<IpAddr> {
    hop.parse().ok().or_else(|| hop.parse().ok().map(|address: SocketAddr| address.ip()))
}
