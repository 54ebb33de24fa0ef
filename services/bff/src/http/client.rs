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
pub(crate) struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    /// From addresses and CIDR blocks (RFC 4632), e.g. `127.0.0.1` and `10.0.0.0/8`, or `none` alone.
    pub(crate) fn new(networks: &[String]) -> Result<Self> {
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
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &[&str], peer: &str, hops: &[&str]) -> String {
        let trusted: Vec<_> = trusted.iter().map(|text| (*text).to_owned()).collect();
        let mut headers = HeaderMap::new();
        for hop in hops {
            headers.append(FORWARDED_FOR, hop.parse().expect("a header"));
        }
        let proxies = TrustedProxies::new(&trusted).expect("good blocks");
        proxies.client(peer.parse().expect("an address"), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        for (trusted, peer, hops, wanted) in [
            (&[][..], "203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            (&["10.0.0.0/8"], "203.0.113.9", &["198.51.100.1"], "203.0.113.9"),
            (&["10.0.0.0/8"], "10.1.2.3", &["198.51.100.1"], "198.51.100.1"),
            (&["10.0.0.0/8"], "10.1.2.3", &[], "10.1.2.3"),
            (&["10.0.0.0/8"], "::ffff:10.1.2.3", &["198.51.100.1:4711"], "198.51.100.1"),
            // What the client invented stands left of where it was heard.
            (&["10.0.0.0/8"], "10.1.2.3", &["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            (&["10.0.0.0/8"], "10.1.2.3", &["1.1.1.1", "198.51.100.1, 10.9.9.9"], "198.51.100.1"),
            (&["10.0.0.0/8"], "10.1.2.3", &["1.1.1.1, nonsense, 10.9.9.9"], "10.9.9.9"),
            (&["10.0.0.1"], "10.0.0.1", &["10.0.0.2, 10.0.0.3"], "10.0.0.3"),
            (&["fd00::/8"], "fd00::1", &["2001:db8::1"], "2001:db8::1"),
            (&["0.0.0.0/0"], "203.0.113.9", &["198.51.100.1"], "198.51.100.1"),
            (&["0.0.0.0/0"], "fd00::1", &["198.51.100.1"], "fd00::1"),
        ] {
            assert_eq!(client(trusted, peer, hops), wanted, "{trusted:?} {peer} {hops:?}");
        }
    }

    #[test]
    fn nonsense_is_no_network() {
        for text in ["", "10.0.0.0/33", "10.0.0/8", "fleet.example", "::/129", "10.0.0.0/-1", "10.0.0.0/"] {
            assert!(TrustedProxies::new(&[text.to_owned()]).is_err(), "{text}");
        }
    }
}
