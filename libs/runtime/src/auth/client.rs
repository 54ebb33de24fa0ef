//! The program in whose name a call came in at the edge. It is told along with every call that follows from it, for the
//! audit and for limits; nothing is granted by it.

use std::net::IpAddr;

use tonic::Request;

/// Metadata with the address.
pub const CLIENT_ADDRESS: &str = "armada-client-address";
/// Metadata with what the program calls itself.
pub const CLIENT_AGENT: &str = "armada-client-agent";
/// Characters kept of that.
const AGENT_MAX: usize = 200;

/// A program at the other end of the edge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// From where; none for what began inside.
    pub address: Option<IpAddr>,
    /// `User-Agent`, visible ASCII only.
    pub agent: String,
}

impl Client {
    /// A client with what it calls itself, which is cut and cleaned.
    pub fn new(address: Option<IpAddr>, agent: &str) -> Self {
        let agent = agent.chars().filter(|c| *c == ' ' || c.is_ascii_graphic()).take(AGENT_MAX).collect();
        Self { address, agent }
    }

    /// Who a call came in from.
    pub fn of<T>(request: &Request<T>) -> Self {
        Self::in_headers(request.metadata().as_ref())
    }

    /// As it stands in the headers of a gRPC call.
    pub(super) fn in_headers(headers: &http::HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        Self::new(text(CLIENT_ADDRESS).and_then(|text| text.parse().ok()), text(CLIENT_AGENT).unwrap_or_default())
    }

    /// A call to another service that tells of this client.
    pub fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(value) = self.address.and_then(|address| address.to_string().parse().ok()) {
            request.metadata_mut().insert(CLIENT_ADDRESS, value);
        }
        if !self.agent.is_empty()
            && let Ok(value) = self.agent.parse()
        {
            request.metadata_mut().insert(CLIENT_AGENT, value);
        }
        request
    }
}
