//! Proxies that stand in front of the edge, and what they say of where a request comes from.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use armada_runtime::{Code, Error, Result};
use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
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
