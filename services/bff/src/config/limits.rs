//! Section `bff.limits`.

use std::time::Duration;

use armada_runtime::{Result, serve};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::check::within;

/// The largest rate or burst.
const RATE_MAX: u64 = 1_000_000;
/// The longest time limit, in seconds.
const SECONDS_MAX: u64 = 3600;

/// Section `bff.limits`. Rates are in units a second: an ordinary request is one unit, a list three, what hashes a
/// password or sends a letter ten, and a file or a track twenty. A burst is how many units may be asked for at once.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Seconds that the head of a request may take.
    pub header_seconds: u64,
    /// Seconds that the body of a request may take.
    pub body_seconds: u64,
    /// Seconds that a connection may wait for its next request. A proxy in front should wait for less.
    pub idle_seconds: u64,
    /// Seconds after which a client that takes nothing of its answer is cut off.
    pub stalled_seconds: u64,
    /// Connections open at a time.
    pub connections: u64,
    /// Connections open at a time from one address, or one /48 of IPv6. Trusted proxies are not under it.
    pub connections_per_address: u64,
    /// Live sockets of one user.
    pub sockets_per_user: u32,
    /// Live sockets of the visitors of one share link.
    pub sockets_per_link: u32,
    /// Units a second from one address, or one /48 of IPv6.
    pub address_rate: u32,
    /// Units at once from there.
    pub address_burst: u32,
    /// Units a second of one user.
    pub user_rate: u32,
    /// Units at once of one user.
    pub user_burst: u32,
    /// Units a second of one tenant.
    pub tenant_rate: u32,
    /// Units at once of one tenant.
    pub tenant_burst: u32,
    /// Tiles and parts of map files a second from one address, or one /48 of IPv6: they take nothing of the units.
    pub tile_rate: u32,
    /// Of these at once from there.
    pub tile_burst: u32,
    /// Files and tracks that are made for one tenant at a time.
    pub heavy_per_tenant: u32,
    /// Seconds that the next one waits for its turn.
    pub heavy_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_seconds: 10,
            body_seconds: 15,
            idle_seconds: 75,
            stalled_seconds: 60,
            connections: 10_000,
            connections_per_address: 1_000,
            sockets_per_user: 50,
            sockets_per_link: 500,
            address_rate: 500,
            address_burst: 5_000,
            user_rate: 200,
            user_burst: 2_000,
            tenant_rate: 1_000,
            tenant_burst: 10_000,
            tile_rate: 1_000,
            tile_burst: 10_000,
            heavy_per_tenant: 4,
            heavy_seconds: 10,
        }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<()> {
        for (name, value, max) in [
            ("header_seconds", self.header_seconds, SECONDS_MAX),
            ("body_seconds", self.body_seconds, SECONDS_MAX),
            ("idle_seconds", self.idle_seconds, SECONDS_MAX),
            ("stalled_seconds", self.stalled_seconds, SECONDS_MAX),
            ("connections", self.connections, RATE_MAX),
            ("connections_per_address", self.connections_per_address, RATE_MAX),
            ("sockets_per_user", self.sockets_per_user.into(), RATE_MAX),
            ("sockets_per_link", self.sockets_per_link.into(), RATE_MAX),
            ("address_rate", self.address_rate.into(), RATE_MAX),
            ("address_burst", self.address_burst.into(), RATE_MAX),
            ("user_rate", self.user_rate.into(), RATE_MAX),
            ("user_burst", self.user_burst.into(), RATE_MAX),
            ("tenant_rate", self.tenant_rate.into(), RATE_MAX),
            ("tenant_burst", self.tenant_burst.into(), RATE_MAX),
            ("tile_rate", self.tile_rate.into(), RATE_MAX),
            ("tile_burst", self.tile_burst.into(), RATE_MAX),
            ("heavy_per_tenant", self.heavy_per_tenant.into(), RATE_MAX),
            ("heavy_seconds", self.heavy_seconds, SECONDS_MAX),
        ] {
            within(&format!("bff.limits.{name}"), value, max)?;
        }
        Ok(())
    }

    /// Those that hold for a connection before it has asked for anything.
    pub(crate) fn connections(&self, proxies: Vec<IpNet>) -> serve::Limits {
        serve::Limits {
            connections: usize::try_from(self.connections).unwrap_or(usize::MAX),
            connections_per_address: usize::try_from(self.connections_per_address).unwrap_or(usize::MAX),
            header: Duration::from_secs(self.header_seconds),
            idle: Duration::from_secs(self.idle_seconds),
            stalled: Duration::from_secs(self.stalled_seconds),
            proxies,
        }
    }
}
