//! The edge: REST, the live socket, the OpenAPI document and the console, on one port. It stores nothing but tiles of
//! street maps, which can be fetched again. A handler knows its caller, calls the service that decides, and passes the
//! answer on.

#![warn(missing_docs)]

mod auth;
mod clients;
mod config;
mod export;
mod http;
mod import;
mod limits;
mod live;
mod maps;
mod pages;
mod resources;
mod routes;
#[doc(hidden)]
pub mod rules;
mod state;

use armada_runtime::{Bus, Context, Result, Service};

use crate::{http::proxies::TrustedProxies, live::tickets, state::AppState};

pub use config::{Config, Limits, MapSourceConfig, MapsConfig};
pub use pages::console::{ConsoleFile, ConsoleFiles};

/// Name of the service.
pub const NAME: &str = "bff";

/// Makes the bucket of spent tickets.
pub async fn migrate(bus: &Bus, config: &Config) -> Result<()> {
    config.check()?;
    tickets::migrate(bus).await
}

/// Builds the edge, which serves these files of the console. The services that it calls must have been built or be
/// configured as peers.
pub async fn build(context: &Context, config: Config, console: ConsoleFiles) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config, console)).await
}

async fn put_together(context: &Context, config: Config, console: ConsoleFiles) -> Result<Service> {
    config.check()?;
    let connections = config.limits.connections(TrustedProxies::new(&config.trusted_proxies)?.networks());
    let context = &context.of(NAME)?;
    let state = AppState::new(context, config, console).await?;
    let router = routes::router(&state, context.health.clone())?;
    let AppState { ended, limiter, sockets, tiles, .. } = state;
    Ok(Service::new(NAME)
        .http(router, connections)
        .task("directory", sockets.clone().follow_directory())
        .task("sockets", sockets.drain())
        .task("ended-sessions", ended.follow(context.shutdown.clone()))
        .task("limits", limiter.tidy(context.shutdown.clone()))
        .task("map-cache", tiles.tidy(context.shutdown.clone())))
}
