//! The ports of a process: accepting connections, serving them within limits, and letting them end when the process does.
//! HTTP/1.1 is for clients from outside, who may be slow, many, or neither by accident; HTTP/2 is for gRPC between
//! services.

mod activity;
mod leftover;
mod limits;

use std::{
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
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
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

pub use self::limits::{Limits, network};

use self::{
    activity::{Activity, Watched},
    limits::{ConnectionLimiter, ConnectionPermit},
};
use crate::{error::Result, health::Health};

/// When to accept again after the system had no descriptor left.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(200);
/// Bytes of the head of a request, and so of what is read ahead of a body: the largest token and its cookies are a tenth.
const HEAD_MAX: usize = 32 << 10;
/// How often a service asks whether its peer is still there, and how long it waits for the answer.
const PING: Duration = Duration::from_secs(20);

/// Serves clients until shutdown, and then until what they have asked for is answered.
pub(crate) async fn http(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    health: Health,
    shutdown: CancellationToken,
) -> Result<()> {
    let limiter = ConnectionLimiter::new(limits, &health);
    let connections = TaskTracker::new();
    while let Some((stream, peer)) = shutdown.run_until_cancelled(accept(&listener)).await {
        // Whoever has too many connections hears nothing: an answer would cost more than they do.
        if let Some(permit) = limiter.admit(peer.ip()) {
            connections.spawn(serve_http(stream, peer, permit, router.clone(), shutdown.clone()));
        }
    }
    drop(listener);
    connections.close();
    connections.wait().await;
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

async fn serve_http(
    stream: TcpStream,
    peer: SocketAddr,
    permit: ConnectionPermit,
    router: Router,
    shutdown: CancellationToken,
) {
    let limiter = permit.limiter.clone();
    let activity = Arc::new(Activity::new());
    let io = TokioIo::new(Watched::new(stream, activity.clone(), permit));
    let answering = activity.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let in_flight = answering.begin();
        let (head, body) = request.into_parts();
        let (body, leftover) = leftover::split(body);
        let mut request = Request::from_parts(head, Body::new(body));
        request.extensions_mut().insert(ConnectInfo(peer));
        let answer = router.clone().oneshot(request);
        async move {
            let response = answer.await;
            leftover.drain().await;
            // Until the answer is written, its request is in flight.
            response.map(|response| response.map(|body| GuardedBody::new(body, in_flight)))
        }
    });
    // HTTP/2 is not spoken here: browsers would speak it with TLS alone, which ends at the proxy.
    let mut builder = conn::http1::Builder::new();
    let mut connection = pin!(builder.max_buf_size(HEAD_MAX).serve_connection(io, service).with_upgrades());
    let served = async {
        tokio::select! {
            ended = connection.as_mut() => return ended,
            () = shutdown.cancelled() => connection.as_mut().graceful_shutdown(),
        }
        connection.await
    };
    tokio::select! {
        ended = served => {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended");
            }
        }
        reason = activity.overdue(&limiter.limits) => limiter.close(reason),
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
