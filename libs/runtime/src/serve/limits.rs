//! How many connections there may be, and for how long.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ipnet::{IpNet, Ipv6Net};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};

use crate::health::Health;

/// Why a connection was not admitted, or was ended.
const REASONS: [&str; 5] = ["connections", "connections_per_address", "header", "idle", "stalled"];

/// What the connections of clients may take.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Open at a time.
    pub connections: usize,
    /// Open at a time from one address, or one network of IPv6: see [`network`].
    pub connections_per_address: usize,
    /// How long the head of a request may take.
    pub header: Duration,
    /// How long a connection may wait for its next request.
    pub idle: Duration,
    /// How long a client may take nothing of an answer.
    pub stalled: Duration,
    /// Behind these is more than one client: their connections count in all, and not for their addresses.
    pub proxies: Vec<IpNet>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            connections_per_address: 1_000,
            header: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            stalled: Duration::from_secs(60),
            proxies: Vec::new(),
        }
    }
}

/// Whose addresses one customer of a provider has: of IPv4 the address, of IPv6 its /48 (RFC 6177).
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Net::new_assert(address, 48).network().into(),
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

/// What `/metrics` shows of connections.
#[derive(Clone, Default)]
struct Metrics {
    open: Gauge,
    closed: Family<Reason, Counter>,
}

impl Metrics {
    fn new(health: &Health) -> Self {
        let metrics = Self::default();
        let (open, closed) = (metrics.open.clone(), metrics.closed.clone());
        for reason in REASONS {
            let _ = closed.get_or_create(&Reason { reason });
        }
        health.metrics(|registry| {
            registry.register("http_server_open_connections", "Connections of clients that are open", open);
            let help = "Connections that were not admitted or were ended, by the limit that they came up against";
            registry.register("http_server_connections_closed", help, closed);
        });
        metrics
    }

    fn close(&self, reason: &'static str) {
        self.closed.get_or_create(&Reason { reason }).inc();
    }
}

/// Admits connections as long as there is room.
pub(super) struct ConnectionLimiter {
    pub(super) limits: Limits,
    metrics: Metrics,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// The permit of one open connection, given back when this is dropped.
pub(super) struct ConnectionPermit {
    pub(super) limiter: Arc<ConnectionLimiter>,
    network: Option<IpAddr>,
}

impl ConnectionLimiter {
    pub(super) fn new(limits: Limits, health: &Health) -> Arc<Self> {
        Arc::new(Self { limits, metrics: Metrics::new(health), counts: Mutex::default() })
    }

    /// Counts a connection that is ended for one of [`REASONS`].
    pub(super) fn close(&self, reason: &'static str) {
        self.metrics.close(reason);
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A permit for a connection from there, if there is room.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionPermit> {
        let peer = peer.to_canonical();
        let network = (!self.limits.proxies.iter().any(|proxy| proxy.contains(&peer))).then(|| network(peer));
        let mut counts = self.counts();
        if counts.all >= self.limits.connections {
            self.metrics.close("connections");
            return None;
        }
        if let Some(network) = network {
            let open = counts.by_network.entry(network).or_default();
            if *open >= self.limits.connections_per_address {
                self.metrics.close("connections_per_address");
                return None;
            }
            *open += 1;
        }
        counts.all += 1;
        self.metrics.open.set(i64::try_from(counts.all).unwrap_or(i64::MAX));
        Some(ConnectionPermit { limiter: self.clone(), network })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.counts();
        counts.all -= 1;
        self.limiter.metrics.open.set(i64::try_from(counts.all).unwrap_or(i64::MAX));
        let Some(network) = self.network else { return };
        if let Some(open) = counts.by_network.get_mut(&network) {
            *open -= 1;
            if *open == 0 {
                counts.by_network.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_limiter(connections: usize, connections_per_address: usize) -> Arc<ConnectionLimiter> {
        let proxies = vec!["10.0.0.0/8".parse().expect("a block")];
        let limits = Limits { connections, connections_per_address, proxies, ..Limits::default() };
        Arc::new(ConnectionLimiter { limits, metrics: Metrics::default(), counts: Mutex::default() })
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn limits_permits_per_network() {
        let limiter = new_limiter(5, 2);
        let first = limiter.admit(address("2001:db8:1:2::1")).expect("a permit");
        let _second = limiter.admit(address("2001:db8:1:ffff::9")).expect("a permit");
        assert!(limiter.admit(address("2001:db8:1::3")).is_none());
        let _other = limiter.admit(address("2001:db8:2::3")).expect("another network has its own");
        drop(first);
        let _third = limiter.admit(address("2001:db8:1::3")).expect("it was given back");
        let _proxy = limiter.admit(address("::ffff:10.1.2.3")).expect("a proxy");
        let _again = limiter.admit(address("10.1.2.3")).expect("a proxy stands for many");
        assert!(limiter.admit(address("203.0.113.9")).is_none(), "all are taken");
    }
}
