//! How much may be asked: of the edge in all, from one address, by one user and by one tenant. Whoever asks for more is
//! told when to try again, and nobody else notices.

mod heavy;

use std::{hash::Hash, net::IpAddr, num::NonZeroU32, time::Duration};

use armada_proto::{TenantId, UserId};
use armada_runtime::{
    Error, Result,
    auth::Client,
    health::Health,
    serve::{self, GuardedBody, network},
};
use axum::{
    body::Body,
    extract::{FromRequestParts, MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    state::keyed::HashMapStateStore,
};
use http::{Method, header::AUTHORIZATION};
use ipnet::IpNet;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use self::heavy::Heavy;
use crate::{caller::By, edge::Edge, failure::Failure, within};

/// How often what is full again is forgotten.
const TIDY: Duration = Duration::from_secs(60);
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
            address_rate: 500,
            address_burst: 5_000,
            user_rate: 200,
            user_burst: 2_000,
            tenant_rate: 1_000,
            tenant_burst: 10_000,
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
            ("address_rate", self.address_rate.into(), RATE_MAX),
            ("address_burst", self.address_burst.into(), RATE_MAX),
            ("user_rate", self.user_rate.into(), RATE_MAX),
            ("user_burst", self.user_burst.into(), RATE_MAX),
            ("tenant_rate", self.tenant_rate.into(), RATE_MAX),
            ("tenant_burst", self.tenant_burst.into(), RATE_MAX),
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

/// Buckets of units, one for each key that was seen lately.
struct Buckets<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, HashMapStateStore<K>, DefaultClock>,
    burst: u32,
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    fn new(rate: u32, burst: u32) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(rate)).allow_burst(at_least_one(burst));
        Self { limiter: RateLimiter::hashmap(quota), burst }
    }

    /// Takes so many units, or tells after how many seconds they are there.
    fn take(&self, key: &K, units: u32) -> Result<()> {
        let units = NonZeroU32::new(units.min(self.burst)).unwrap_or(NonZeroU32::MIN);
        let Ok(Err(early)) = self.limiter.check_key_n(key, units) else { return Ok(()) };
        let wait = early.wait_time_from(self.limiter.clock().now());
        Err(Error::too_many_requests(u32::try_from(wait.as_secs_f64().ceil() as u64).unwrap_or(u32::MAX).max(1)))
    }

    fn tidy(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    limit: &'static str,
}

/// Keeps the limits.
pub(crate) struct Limiter {
    addresses: Buckets<IpAddr>,
    users: Buckets<UserId>,
    tenants: Buckets<TenantId>,
    heavy: Heavy,
    refused: Family<Labels, Counter>,
    /// How long a body may take.
    pub(crate) body: Duration,
}

impl Limiter {
    pub(crate) fn new(limits: &Limits, health: &Health) -> Self {
        let refused = Family::<Labels, Counter>::default();
        for limit in ["address", "user", "tenant", "heavy"] {
            let _ = refused.get_or_create(&Labels { limit });
        }
        let help = "Requests that were too many, by the limit that they came up against";
        health.metrics(|registry| registry.register("http_server_requests_refused", help, refused.clone()));
        Self {
            addresses: Buckets::new(limits.address_rate, limits.address_burst),
            users: Buckets::new(limits.user_rate, limits.user_burst),
            tenants: Buckets::new(limits.tenant_rate, limits.tenant_burst),
            heavy: Heavy::new(limits.heavy_per_tenant, Duration::from_secs(limits.heavy_seconds)),
            refused,
            body: Duration::from_secs(limits.body_seconds),
        }
    }

    fn count(&self, limit: &'static str) -> impl FnOnce(&Error) {
        let refused = self.refused.clone();
        move |_| {
            refused.get_or_create(&Labels { limit }).inc();
        }
    }

    /// Forgets now and then who has not asked lately, until shutdown.
    pub(crate) async fn tidy(&self, shutdown: CancellationToken) -> Result<()> {
        while shutdown.run_until_cancelled(tokio::time::sleep(TIDY)).await.is_some() {
            self.addresses.tidy();
            self.users.tidy();
            self.tenants.tidy();
        }
        Ok(())
    }

    fn address(&self, address: Option<IpAddr>, units: u32) -> Result<()> {
        let Some(address) = address else { return Ok(()) };
        self.addresses.take(&network(address), units).inspect_err(self.count("address"))
    }

    fn caller(&self, user: UserId, tenant: Option<TenantId>, units: u32) -> Result<()> {
        self.users.take(&user, units).inspect_err(self.count("user"))?;
        let Some(tenant) = tenant else { return Ok(()) };
        self.tenants.take(&tenant, units).inspect_err(self.count("tenant"))
    }

    async fn turn(&self, tenant: Option<TenantId>) -> Result<heavy::Turn> {
        self.heavy.turn(tenant).await.inspect_err(self.count("heavy"))
    }
}

/// What a request costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    Ordinary,
    List,
    SignIn,
    Heavy,
}

impl Cost {
    fn of(method: &Method, path: &str) -> Self {
        let last = path.rsplit('/').next().unwrap_or_default();
        match path.strip_prefix("/auth/") {
            Some(_) if method == Method::POST => return Self::SignIn,
            Some(_) => return Self::Ordinary,
            None => {}
        }
        match last {
            "export" | "track" | "verification" | "print" => Self::Heavy,
            _ if method == Method::GET && path.starts_with("/api/v1/") && !path.contains('{') => Self::List,
            _ => Self::Ordinary,
        }
    }

    fn units(self) -> u32 {
        match self {
            Self::Ordinary => 1,
            Self::List => 3,
            Self::SignIn => 10,
            Self::Heavy => 20,
        }
    }
}

/// Lets a request through, or not. What is heavy holds its turn until the answer has been sent.
pub(crate) async fn limit(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let path = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let cost = Cost::of(&parts.method, path);
    let Ok::<_, std::convert::Infallible>(client) = Client::from_request_parts(&mut parts, &edge).await;
    if let Err(error) = edge.limits.address(client.address, cost.units()) {
        return Failure::from(error).into_response();
    }
    let mut turn = None;
    // Whoever is nobody is told so by the handler.
    if parts.headers.contains_key(AUTHORIZATION)
        && let Ok(By(caller)) = By::from_request_parts(&mut parts, &edge).await
        && let Ok(grant) = caller.user()
    {
        if let Err(error) = edge.limits.caller(grant.user_id, grant.tenant_id, cost.units()) {
            return Failure::from(error).into_response();
        }
        if cost == Cost::Heavy {
            turn = match edge.limits.turn(grant.tenant_id).await {
                Ok(turn) => Some(turn),
                Err(error) => return Failure::from(error).into_response(),
            };
        }
    }
    let response = next.run(Request::from_parts(parts, body)).await;
    match turn {
        Some(turn) => response.map(|body| Body::new(GuardedBody::new(body, turn))),
        None => response,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_more_work_costs_more() {
        for (method, path, wanted) in [
            (Method::POST, "/auth/login", Cost::SignIn),
            (Method::GET, "/auth/options", Cost::Ordinary),
            (Method::GET, "/api/v1/devices", Cost::List),
            (Method::POST, "/api/v1/devices", Cost::Ordinary),
            (Method::GET, "/api/v1/devices/{id}", Cost::Ordinary),
            (Method::GET, "/api/v1/devices/{id}/track", Cost::Heavy),
            (Method::GET, "/api/v1/audit/export", Cost::Heavy),
            (Method::GET, "", Cost::Ordinary),
        ] {
            assert_eq!(Cost::of(&method, path), wanted, "{method} {path}");
        }
    }

    #[test]
    fn a_bucket_is_of_one_key_and_is_forgotten_when_it_is_full() {
        let buckets = Buckets::new(1, 30);
        buckets.take(&1, 20).expect("there are 30");
        let refused = buckets.take(&1, 20).expect_err("there are 10");
        assert!((9..=10).contains(&refused.retry_after.expect("a time")), "{refused}");
        buckets.take(&1, 10).expect("nothing was taken");
        buckets.take(&2, 100).expect("more than there ever are is all there are");
        buckets.tidy();
        assert_eq!(buckets.limiter.len(), 2);
        let fast = Buckets::new(1_000_000, 1);
        fast.take(&1, 1).expect("there is one");
        while !fast.limiter.is_empty() {
            fast.tidy();
        }
    }
}
