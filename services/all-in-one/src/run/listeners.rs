//! The sockets of a process, bound before anything else.

use std::net::{SocketAddr, TcpListener as StdListener, ToSocketAddrs};

use anyhow::{Context as _, Result};
use armada_runtime::health::Health;
use tokio::net::TcpListener;

use crate::{config::Config, services::Role};

/// Where gRPC is served when services that have some run alone and no address is configured.
const GRPC_ADDR: &str = "127.0.0.1:8082";

/// The addresses that were bound.
#[derive(Debug, Clone)]
pub(super) struct Addresses {
    pub(super) http: Option<SocketAddr>,
    pub(super) admin: SocketAddr,
    pub(super) grpc: Option<SocketAddr>,
}

/// The bound sockets.
pub(super) struct Listeners {
    pub(super) http: Option<TcpListener>,
    pub(super) admin: TcpListener,
    pub(super) grpc: Option<TcpListener>,
    pub(super) addresses: Addresses,
}

impl Listeners {
    /// Binds what these services need.
    pub(super) fn bind(config: &Config, roles: &[Role], everything: bool) -> Result<Self> {
        let serves_http = roles.iter().any(|role| role.declaration().serves_http);
        let http = serves_http.then_some(config.http_addr.as_str());
        let grpc = config.grpc_addr.as_deref().or((!everything).then_some(GRPC_ADDR));
        let grpc = grpc.filter(|_| roles.iter().any(|role| role.has_grpc()));
        let http = http.map(|address| bind("http_addr", address)).transpose()?;
        let admin = bind("admin_addr", &config.admin_addr)?;
        let grpc = grpc.map(|address| bind("grpc_addr", address)).transpose()?;
        let local = |listener: &TcpListener| listener.local_addr().context("local address");
        let addresses = Addresses {
            http: http.as_ref().map(local).transpose()?,
            admin: local(&admin)?,
            grpc: grpc.as_ref().map(local).transpose()?,
        };
        Ok(Self { http, admin, grpc, addresses })
    }
}

fn bind(setting: &str, address: &str) -> Result<TcpListener> {
    let cannot = || format!("{setting}: cannot listen on {address}");
    let mut last = None;
    for candidate in address.to_socket_addrs().with_context(cannot)? {
        match StdListener::bind(candidate) {
            Ok(listener) => {
                listener.set_nonblocking(true).with_context(cannot)?;
                return TcpListener::from_std(listener).with_context(cannot);
            }
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| anyhow::anyhow!("it names no address"), Into::into)).with_context(cannot)
}

/// Serves the admin port until the process ends: orchestrators ask during start and drain, too.
pub(super) async fn serve_admin(listener: TcpListener, health: Health) -> std::io::Result<()> {
    axum::serve(listener, health.router()).await
}
