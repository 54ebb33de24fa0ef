//! The edge: REST, the live socket, the OpenAPI document and the console, on one port. It stores nothing. A handler
//! knows its caller, calls the service that decides, and passes the answer on.

#![warn(missing_docs)]

mod account;
mod audit;
mod caller;
mod client;
mod console;
mod cookie;
mod devices;
mod docs_page;
mod edge;
mod ended;
mod export;
mod failure;
mod headers;
mod input;
mod language;
mod names;
mod observe;
mod oidc;
mod origin;
mod permissions;
mod positions;
mod query;
mod registration;
mod roles;
mod routes;
mod sessions;
mod socket;
mod socket_document;
mod tenants;
mod tickets;
mod track;
mod users;
mod version;

use armada_runtime::{Bus, Code, Context, Error, Result, Service};
use serde::{Deserialize, Serialize};

use crate::edge::Edge;

pub use routes::openapi;

/// Name of the service.
pub const NAME: &str = "bff";

/// Section `bff` of the configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address that browsers use, e.g. `https://fleet.example`: decides `Secure` cookies and whose pages may open
    /// sockets. Needed behind a proxy that changes the host.
    pub public_url: Option<String>,
    /// Proxies in front of this one, as addresses or blocks such as `10.0.0.0/8`: their `X-Forwarded-For` tells where a
    /// request comes from. Of nobody else's is any notice taken.
    pub trusted_proxies: Vec<String>,
    /// Seconds in which a ticket opens a socket.
    pub ticket_seconds: u64,
    /// Seconds between two pings on a socket.
    pub ping_seconds: u64,
    /// Seconds without a word from a client after which its socket is closed.
    pub silence_seconds: u64,
    /// Seconds after which a socket that takes nothing is dropped.
    pub stuck_seconds: u64,
    /// Seconds after which is asked again what a socket's user may see, if nobody told of a change before.
    pub visibility_seconds: u64,
    /// The shortest time between two flushes of a socket, in milliseconds. When much is waiting it becomes longer.
    pub flush_ms: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            public_url: None,
            trusted_proxies: Vec::new(),
            ticket_seconds: 30,
            ping_seconds: 30,
            silence_seconds: 75,
            stuck_seconds: 30,
            visibility_seconds: 30,
            flush_ms: 100,
        }
    }
}

impl Config {
    fn check(&self) -> Result<()> {
        let seconds = [
            ("ticket_seconds", self.ticket_seconds, tickets::LIFE_MAX.as_secs()),
            ("ping_seconds", self.ping_seconds, 3600),
            ("silence_seconds", self.silence_seconds, 3600),
            ("stuck_seconds", self.stuck_seconds, 3600),
            ("visibility_seconds", self.visibility_seconds, 3600),
            ("flush_ms", self.flush_ms, 60_000),
        ];
        for (name, value, max) in seconds {
            if !(1..=max).contains(&value) {
                return Err(Error::new(Code::Invalid, "invalid", format!("bff.{name} = {value}: must be 1 to {max}")));
            }
        }
        Ok(())
    }
}

/// Makes the bucket of spent tickets.
pub async fn migrate(bus: &Bus, config: &Config) -> Result<()> {
    config.check()?;
    tickets::migrate(bus).await
}

/// Builds the edge. The services that it calls must have been built or be configured as peers.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    config.check()?;
    let edge = Edge::new(context, config).await?;
    let router = routes::router(&edge)?;
    let ended = edge.ended.clone().follow(context.bus.clone(), context.shutdown.clone());
    Ok(Service::new(NAME)
        .http(router)
        .task("directory", edge.sockets.clone().follow_directory(context.bus.clone()))
        .task("sockets", edge.sockets.clone().drain())
        .task("ended-sessions", ended))
}
