//! How much may be asked: of the edge in all, from one address, by one user and by one tenant. Whoever asks for more is
//! told when to try again, and nobody else notices.

pub(crate) mod heavy;

use std::{convert::Infallible, hash::Hash, net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use armada_proto::{TenantId, UserId};
use armada_runtime::{
    Error, Result,
    health::Health,
    serve::{GuardedBody, network},
};
use axum::{
    body::Body,
    extract::{FromRef, FromRequestParts, MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    state::keyed::HashMapStateStore,
};
use http::{Method, header::AUTHORIZATION};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};
use tokio_util::sync::CancellationToken;

use self::heavy::HeavyLimiter;
use crate::{
    auth::caller::Authenticated,
    config::Limits,
    http::{client::RequestClient, failure::Failure},
};

/// How often what is full again is forgotten.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(60);

/// Buckets of units, one for each key that was seen lately.
pub struct Buckets<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, HashMapStateStore<K>, DefaultClock>,
    burst: u32,
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    /// So many units a second come back, up to `burst`.
    pub fn new(rate: u32, burst: u32) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(rate)).allow_burst(at_least_one(burst));
        Self { limiter: RateLimiter::hashmap(quota), burst }
    }

    /// Takes so many units, or tells after how many seconds they are there.
    pub fn take(&self, key: &K, units: u32) -> Result<()> {
        let units = NonZeroU32::new(units.min(self.burst)).unwrap_or(NonZeroU32::MIN);
        let Ok(Err(early)) = self.limiter.check_key_n(key, units) else { return Ok(()) };
        let wait = early.wait_time_from(self.limiter.clock().now());
        Err(Error::too_many_requests(u32::try_from(wait.as_secs_f64().ceil() as u64).unwrap_or(u32::MAX).max(1)))
    }

    /// Forgets the buckets that are full again.
    pub fn tidy(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    /// Buckets that are remembered.
    pub fn count(&self) -> usize {
        self.limiter.len()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    limit: &'static str,
}

/// Keeps the limits. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Limiter(Arc<Counters>);

/// Files that a user may be sending at a time.
const UPLOADS_OF_USER: u32 = 2;

struct Counters {
    addresses: Buckets<IpAddr>,
    users: Buckets<UserId>,
    tenants: Buckets<TenantId>,
    /// A map asks for dozens of tiles at once, without a token, and several people may share an address: nothing else that
    /// they do waits for that.
    tiles: Buckets<IpAddr>,
    heavy: HeavyLimiter,
    /// A slow network makes an upload last: it takes no turn from what others of the tenant do.
    uploads: HeavyLimiter<UserId>,
    refused: Family<Labels, Counter>,
}

impl Limiter {
    pub(crate) fn new(limits: &Limits, health: &Health) -> Self {
        let refused = Family::<Labels, Counter>::default();
        for limit in ["address", "user", "tenant", "tile", "heavy"] {
            let _ = refused.get_or_create(&Labels { limit });
        }
        let help = "Requests that were too many, by the limit that they came up against";
        health.metrics(|registry| registry.register("http_server_requests_refused", help, refused.clone()));
        Self(Arc::new(Counters {
            addresses: Buckets::new(limits.address_rate, limits.address_burst),
            users: Buckets::new(limits.user_rate, limits.user_burst),
            tenants: Buckets::new(limits.tenant_rate, limits.tenant_burst),
            tiles: Buckets::new(limits.tile_rate, limits.tile_burst),
            heavy: HeavyLimiter::new(limits.heavy_per_tenant, Duration::from_secs(limits.heavy_seconds)),
            uploads: HeavyLimiter::new(UPLOADS_OF_USER, Duration::from_secs(limits.heavy_seconds)),
            refused,
        }))
    }

    fn count(&self, limit: &'static str) -> impl FnOnce(&Error) {
        let refused = self.0.refused.clone();
        move |_| {
            refused.get_or_create(&Labels { limit }).inc();
        }
    }

    /// Forgets now and then who has not asked lately, until shutdown.
    pub(crate) async fn tidy(self, shutdown: CancellationToken) -> Result<()> {
        while shutdown.run_until_cancelled(tokio::time::sleep(CLEANUP_INTERVAL)).await.is_some() {
            self.0.addresses.tidy();
            self.0.users.tidy();
            self.0.tenants.tidy();
            self.0.tiles.tidy();
        }
        Ok(())
    }

    fn address(&self, address: Option<IpAddr>, cost: Cost) -> Result<()> {
        let Some(address) = address else { return Ok(()) };
        match cost {
            Cost::Tile => self.0.tiles.take(&network(address), cost.units()).inspect_err(self.count("tile")),
            _ => self.0.addresses.take(&network(address), cost.units()).inspect_err(self.count("address")),
        }
    }

    fn caller(&self, user: UserId, tenant: Option<TenantId>, units: u32) -> Result<()> {
        self.0.users.take(&user, units).inspect_err(self.count("user"))?;
        let Some(tenant) = tenant else { return Ok(()) };
        self.0.tenants.take(&tenant, units).inspect_err(self.count("tenant"))
    }

    /// A turn for what is heavy; none is needed for anything else.
    async fn turn(&self, cost: Cost, user: UserId, tenant: Option<TenantId>) -> Result<Option<heavy::HeavyPermit>> {
        let turn = match cost {
            Cost::HeavyLimiter => self.0.heavy.turn(tenant).await,
            Cost::Upload => self.0.uploads.turn(user).await,
            _ => return Ok(None),
        };
        turn.map(Some).inspect_err(self.count("heavy"))
    }
}

/// What a request costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// As little as most.
    Ordinary,
    /// A list is read.
    List,
    /// A password is hashed, or a letter sent.
    SignIn,
    /// A file or a track is made: it waits for its turn.
    HeavyLimiter,
    /// A file is sent here: it waits for its user's turn.
    Upload,
    /// A tile, or a part of a map file: counted apart from all else.
    Tile,
}

impl Cost {
    /// By its method and the path of its route.
    pub fn of(method: &Method, path: &str) -> Self {
        if path.starts_with("/api/v1/map-sources/") {
            return Self::Tile;
        }
        let last = path.rsplit('/').next().unwrap_or_default();
        match path.strip_prefix("/auth/") {
            Some(_) if method == Method::POST => return Self::SignIn,
            Some(_) => return Self::Ordinary,
            None => {}
        }
        match last {
            // It may have a PIN compared.
            "shared-view" => Self::SignIn,
            "files" if method == Method::POST => Self::Upload,
            "export" | "track" | "segments" | "verification" | "print" => Self::HeavyLimiter,
            _ if method == Method::GET && path.starts_with("/api/v1/") && !path.contains('{') => Self::List,
            _ => Self::Ordinary,
        }
    }

    fn units(self) -> u32 {
        match self {
            Self::Ordinary | Self::Tile => 1,
            Self::List => 3,
            Self::SignIn => 10,
            Self::HeavyLimiter | Self::Upload => 20,
        }
    }
}

/// Lets a request through, or not. What is heavy holds its turn until the answer has been sent.
pub(crate) async fn limit<S>(State(state): State<S>, request: Request, next: Next) -> Response
where
    S: Clone + Send + Sync + 'static,
    Limiter: FromRef<S>,
    RequestClient: FromRequestParts<S, Rejection = Infallible>,
    Authenticated: FromRequestParts<S>,
{
    let limiter = Limiter::from_ref(&state);
    let (mut parts, body) = request.into_parts();
    let path = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let cost = Cost::of(&parts.method, path);
    let Ok(RequestClient(client)) = RequestClient::from_request_parts(&mut parts, &state).await;
    if let Err(error) = limiter.address(client.address, cost) {
        return Failure::from(error).into_response();
    }
    let mut turn = None;
    // Whoever is nobody is told so by the handler.
    if cost != Cost::Tile
        && parts.headers.contains_key(AUTHORIZATION)
        && let Ok(Authenticated(caller)) = Authenticated::from_request_parts(&mut parts, &state).await
        && let Ok(grant) = caller.user()
    {
        if let Err(error) = limiter.caller(grant.user_id, grant.tenant_id, cost.units()) {
            return Failure::from(error).into_response();
        }
        turn = match limiter.turn(cost, grant.user_id, grant.tenant_id).await {
            Ok(turn) => turn,
            Err(error) => return Failure::from(error).into_response(),
        };
    }
    let response = next.run(Request::from_parts(parts, body)).await;
    match turn {
        Some(turn) => response.map(|body| Body::new(GuardedBody::new(body, turn))),
        None => response,
    }
}
