//! The edge: REST, the live socket, the OpenAPI document and the console, on one port. It stores nothing. A handler
//! knows its caller, calls the service that decides, and passes the answer on.

#![warn(missing_docs)]

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
mod limits;
mod names;
mod observe;
mod oidc;
mod origin;
mod query;
mod rest;
mod routes;
mod sessions;
mod socket;
mod tenants;
mod tickets;
mod track;
mod users;
mod version;

use armada_runtime::{Bus, Code, Context, Error, Result, Service};
use serde::{Deserialize, Serialize};

use crate::{client::TrustedProxies, edge::Edge, origin::OwnOrigin};

pub use limits::Limits;
pub use routes::OPENAPI;

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
    /// request comes from. Of nobody else's is any notice taken. `["none"]` says that clients come directly. Needed
    /// when the public address is `https://…`: without it everybody would share the limits of one address.
    pub trusted_proxies: Vec<String>,
    /// Over https, browsers are told to use it for the names below this host's as well.
    pub hsts_subdomains: bool,
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
    /// Section `bff.limits`.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            public_url: None,
            trusted_proxies: Vec::new(),
            hsts_subdomains: true,
            ticket_seconds: 30,
            ping_seconds: 30,
            silence_seconds: 75,
            stuck_seconds: 30,
            visibility_seconds: 30,
            flush_ms: 100,
            limits: Limits::default(),
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
            within(&format!("bff.{name}"), value, max)?;
        }
        TrustedProxies::new(&self.trusted_proxies)?;
        if OwnOrigin::new(self.public_url.as_deref())?.is_https() && self.trusted_proxies.is_empty() {
            return Err(refused(
                "bff.trusted_proxies is needed with a public address of https://: name the proxies in front, e.g. \
                 [\"10.0.0.0/8\"], or [\"none\"] when there are none"
                    .to_owned(),
            ));
        }
        self.limits.check()
    }
}

/// An error unless a setting is at least 1 and at most `max`.
fn within(name: &str, value: u64, max: u64) -> Result<()> {
    if (1..=max).contains(&value) { Ok(()) } else { Err(refused(format!("{name} = {value}: must be 1 to {max}"))) }
}

/// A configuration that cannot be.
fn refused(message: String) -> Error {
    Error::new(Code::Invalid, "invalid", message)
}

/// Makes the bucket of spent tickets.
pub async fn migrate(bus: &Bus, config: &Config) -> Result<()> {
    config.check()?;
    tickets::migrate(bus).await
}

/// Builds the edge. The services that it calls must have been built or be configured as peers.
pub async fn build(context: &Context, config: Config) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config)).await
}

async fn put_together(context: &Context, config: Config) -> Result<Service> {
    config.check()?;
    let connections = config.limits.connections(TrustedProxies::new(&config.trusted_proxies)?.networks());
    let context = &context.of(NAME)?;
    let edge = Edge::new(context, config).await?;
    let router = routes::router(&edge)?;
    let limits = edge.clone();
    let shutdown = context.shutdown.clone();
    let ended = edge.ended.clone().follow(context.shutdown.clone());
    Ok(Service::new(NAME)
        .http(router, connections)
        .task("directory", edge.sockets.clone().follow_directory())
        .task("sockets", edge.sockets.clone().drain())
        .task("ended-sessions", ended)
        .task("limits", async move { limits.limits.tidy(shutdown).await }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_needs_to_know_what_stands_in_front() {
        let with = |public_url: &str, trusted: &[&str]| {
            let trusted_proxies = trusted.iter().map(ToString::to_string).collect();
            Config { public_url: Some(public_url.to_owned()), trusted_proxies, ..Config::default() }.check()
        };
        let refused = with("https://fleet.example", &[]).expect_err("nobody is named").message;
        assert!(refused.starts_with("bff.trusted_proxies is needed") && !refused.contains('\n'), "{refused}");
        for trusted in [&["none"][..], &["10.0.0.0/8", "::1"]] {
            with("https://fleet.example", trusted).expect("somebody is named, or nobody");
        }
        with("http://localhost:8080", &[]).expect("it is no address of the outside");
        assert!(with("http://localhost:8080", &["none", "::1"]).is_err());
    }

    #[test]
    fn limits_are_at_least_one() {
        let limits = Limits { user_burst: 0, ..Limits::default() };
        let refused = Config { limits, ..Config::default() }.check().expect_err("nobody could ask");
        assert_eq!(refused.message, "bff.limits.user_burst = 0: must be 1 to 1000000");
    }
}
