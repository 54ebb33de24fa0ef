//! The ports of a process: accepting connections, serving them within limits, and letting them end when the process does.
//! HTTP/1.1 is for clients from outside, who may be slow, many, or neither by accident; HTTP/2 is for gRPC between
//! services.

mod activity;

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    extract::ConnectInfo,
};
use http::Request;
use http_body::{Frame, SizeHint};
use hyper::{body::Incoming, server::conn, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{
        conn::auto,
        graceful::{GracefulShutdown, Watcher},
    },
    service::TowerToHyperService,
};
use ipnet::{IpNet, Ipv6Net};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use self::activity::{Activity, Watched};
use crate::{error::Result, health::Health};

/// When to accept again after the system had no descriptor left.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(200);
/// How often a service asks whether its peer is still there, and how long it waits for the answer.
const PING: Duration = Duration::from_secs(20);

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

/// Who is connected.
struct Doors {
    limits: Limits,
    metrics: Metrics,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// The place of one open connection; it is free again when this is dropped.
struct Place {
    doors: Arc<Doors>,
    network: Option<IpAddr>,
}

impl Doors {
    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from there, if there is one.
    fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
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
        Some(Place { doors: self.clone(), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.doors.counts();
        counts.all -= 1;
        self.doors.metrics.open.set(i64::try_from(counts.all).unwrap_or(i64::MAX));
        let Some(network) = self.network else { return };
        if let Some(open) = counts.by_network.get_mut(&network) {
            *open -= 1;
            if *open == 0 {
                counts.by_network.remove(&network);
            }
        }
    }
}

/// Serves clients until shutdown, and then until what they have asked for is answered.
pub(crate) async fn http(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    health: Health,
    shutdown: CancellationToken,
) -> Result<()> {
    let doors = Arc::new(Doors { limits, metrics: Metrics::new(&health), counts: Mutex::default() });
    let graceful = GracefulShutdown::new();
    while let Some((stream, peer)) = shutdown.run_until_cancelled(accept(&listener)).await {
        // Whoever has too many connections hears nothing: an answer would cost more than they do.
        if let Some(place) = doors.admit(peer.ip()) {
            tokio::spawn(serve_http(stream, peer, place, router.clone(), graceful.watcher()));
        }
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

/// The next connection. What fails here fails for one connection, or until somebody else's has ended.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) => {
                tracing::debug!(%error, "a connection was not accepted");
                if matches!(error.raw_os_error(), Some(code) if code == 23 || code == 24) {
                    tracing::warn!("no file descriptor is left for a connection: raise the limit, or lower bff.limits");
                    tokio::time::sleep(OUT_OF_DESCRIPTORS).await;
                }
            }
        }
    }
}

async fn serve_http(stream: TcpStream, peer: SocketAddr, place: Place, router: Router, watcher: Watcher) {
    let doors = place.doors.clone();
    let activity = Arc::new(Activity::new());
    let io = TokioIo::new(Watched::new(stream, activity.clone(), place));
    let answering = activity.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let in_flight = answering.begin();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let answer = router.clone().oneshot(request);
        // Until the answer is written, its request is in flight.
        async move { answer.await.map(|response| response.map(|body| GuardedBody::new(body, in_flight))) }
    });
    // HTTP/2 is not spoken here: browsers would speak it with TLS alone, which ends at the proxy.
    let builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    let connection = builder.serve_connection_with_upgrades(io, service);
    tokio::select! {
        ended = watcher.watch(connection) => {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended");
            }
        }
        reason = activity.overdue(&doors.limits) => doors.metrics.close(reason),
    }
}

/// A body that keeps something until it has been sent, or is not wanted any more.
pub struct GuardedBody<G> {
    body: Body,
    _guard: G,
}

impl<G> GuardedBody<G> {
    /// Keeps `guard` for as long as `body`.
    pub fn new(body: Body, guard: G) -> Self {
        Self { body, _guard: guard }
    }
}

impl<G: Unpin> HttpBody for GuardedBody<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Serves the other services until shutdown, and then until what they have asked for is answered.
pub(crate) async fn grpc(listener: TcpListener, router: Router, shutdown: CancellationToken) -> Result<()> {
    let graceful = GracefulShutdown::new();
    let mut builder = conn::http2::Builder::new(TokioExecutor::new());
    builder.timer(TokioTimer::new()).keep_alive_interval(PING).keep_alive_timeout(PING);
    while let Some((stream, peer)) = shutdown.run_until_cancelled(accept(&listener)).await {
        let service = TowerToHyperService::new(router.clone().map_request(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request
        }));
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let watcher = graceful.watcher();
        tokio::spawn(async move {
            if let Err(error) = watcher.watch(connection).await {
                tracing::debug!(%error, "a connection of a service ended");
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors(connections: usize, connections_per_address: usize) -> Arc<Doors> {
        let proxies = vec!["10.0.0.0/8".parse().expect("a block")];
        let limits = Limits { connections, connections_per_address, proxies, ..Limits::default() };
        Arc::new(Doors { limits, metrics: Metrics::default(), counts: Mutex::default() })
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_network_has_so_many_places_and_gives_them_back() {
        let doors = doors(5, 2);
        let first = doors.admit(address("2001:db8:1:2::1")).expect("a place");
        let _second = doors.admit(address("2001:db8:1:ffff::9")).expect("a place");
        assert!(doors.admit(address("2001:db8:1::3")).is_none());
        let _other = doors.admit(address("2001:db8:2::3")).expect("another network has its own");
        drop(first);
        let _third = doors.admit(address("2001:db8:1::3")).expect("it was given back");
        let _proxy = doors.admit(address("::ffff:10.1.2.3")).expect("a proxy");
        let _again = doors.admit(address("10.1.2.3")).expect("a proxy stands for many");
        assert!(doors.admit(address("203.0.113.9")).is_none(), "all are taken");
    }
}
