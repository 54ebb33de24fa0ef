//! The program in whose name a call came in at the edge. It is told along with every call that follows from it, for the
//! audit and for limits; nothing is granted by it. It is believed of services alone: within a process, or with a token of
//! a service beside it. Whoever else reaches a gRPC port tells nothing of where a call comes from.

use std::{fmt, net::IpAddr};

use tonic::Request;

/// Metadata with the address.
pub const CLIENT_ADDRESS: &str = "armada-client-address";
/// Metadata with what the program calls itself.
pub const CLIENT_AGENT: &str = "armada-client-agent";
/// Metadata with what identity gave the browser to be known by.
pub const CLIENT_DEVICE: &str = "armada-client-device";
/// Metadata with the token of the service that makes the call, or hands on that of a user.
pub const VOUCHED_BY: &str = "armada-vouched-by";
/// Characters kept of what a program calls itself.
const AGENT_MAX: usize = 200;
/// Characters that a browser may bring to be known by.
const DEVICE_MAX: usize = 1000;

/// Marks a call that did not leave its process.
#[derive(Debug, Clone, Copy)]
pub struct Inside;

/// A program at the other end of the edge.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// From where; none for what began inside.
    pub address: Option<IpAddr>,
    /// `User-Agent`, visible ASCII only.
    pub agent: String,
    /// What identity gave the browser at an earlier sign-in to be known by; empty when it brings nothing.
    pub device: String,
}

/// Without what it is known by.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("address", &self.address).field("agent", &self.agent).finish_non_exhaustive()
    }
}

impl Client {
    /// A client with what it calls itself, which is cut and cleaned.
    pub fn new(address: Option<IpAddr>, agent: &str) -> Self {
        let agent = agent.chars().filter(|c| *c == ' ' || c.is_ascii_graphic()).take(AGENT_MAX).collect();
        Self { address, agent, device: String::new() }
    }

    /// The same client with what it brings to be known by; something else than that is passed over.
    pub fn with_device(self, device: &str) -> Self {
        let good = device.len() <= DEVICE_MAX && device.bytes().all(|byte| byte.is_ascii_graphic());
        Self { device: if good { device.to_owned() } else { String::new() }, ..self }
    }

    /// Who a call came in from.
    pub fn of<T>(request: &Request<T>) -> Self {
        Self::in_headers(request.metadata().as_ref())
    }

    /// As it stands in the headers of a gRPC call.
    pub(super) fn in_headers(headers: &http::HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let address = text(CLIENT_ADDRESS).and_then(|text| text.parse().ok());
        Self::new(address, text(CLIENT_AGENT).unwrap_or_default()).with_device(text(CLIENT_DEVICE).unwrap_or_default())
    }

    /// A call to another service that tells of this client.
    pub fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let address = self.address.map(|address| address.to_string()).unwrap_or_default();
        for (name, text) in [(CLIENT_ADDRESS, &address), (CLIENT_AGENT, &self.agent), (CLIENT_DEVICE, &self.device)] {
            if !text.is_empty()
                && let Ok(value) = text.parse()
            {
                request.metadata_mut().insert(name, value);
            }
        }
        request
    }
}
