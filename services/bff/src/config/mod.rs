//! The settings of the edge.

mod check;
mod limits;
mod maps;

use armada_runtime::Result;
use serde::{Deserialize, Serialize};

use self::check::{refused, within};
use crate::http::{origin::OwnOrigin, proxies::TrustedProxies};

pub(crate) use self::maps::FILE_PREFIX;
pub use self::{
    limits::Limits,
    maps::{MapSourceConfig, MapsConfig},
};

/// The longest that a ticket may live: shorter than it is remembered, whatever the clocks of two edges say.
pub(crate) const TICKET_SECONDS_MAX: u64 = 45;

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
    /// Section `bff.maps`. Addresses in it may hold keys, which are written nowhere.
    #[serde(skip_serializing)]
    pub maps: MapsConfig,
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
            flush_ms: 60,
            limits: Limits::default(),
            maps: MapsConfig::default(),
        }
    }
}

impl Config {
    /// An error that names the setting which cannot be.
    pub fn check(&self) -> Result<()> {
        let seconds = [
            ("ticket_seconds", self.ticket_seconds, TICKET_SECONDS_MAX),
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
        self.maps.check()?;
        self.limits.check()
    }
}
