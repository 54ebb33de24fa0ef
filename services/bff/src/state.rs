//! What handlers and extractors work with. Each takes its own part of it, by [`FromRef`].

use std::time::Duration;

use armada_runtime::{Context, Result, Verifier};
use axum::extract::FromRef;

use crate::{
    auth::ended::EndedSessions,
    clients::Clients,
    config::Config,
    http::{
        body::BodyReader, body_budget::BodyBudget, headers::Headers, observe::Requests, origin::OwnOrigin,
        proxies::TrustedProxies,
    },
    import::FileReaders,
    limits::Limiter,
    live::{sockets::Sockets, tickets::Tickets},
    maps::{catalogue::Catalogue, files::MapFiles, signature::Signatures, tiles::Tiles},
    pages::console::ConsoleFiles,
    resources::files::Uploads,
};

/// All parts, each cheap to clone.
#[derive(Clone, FromRef)]
pub(crate) struct AppState {
    pub(crate) verifier: Verifier,
    pub(crate) ended: EndedSessions,
    pub(crate) origin: OwnOrigin,
    pub(crate) proxies: TrustedProxies,
    pub(crate) limiter: Limiter,
    pub(crate) body_reader: BodyReader,
    pub(crate) headers: Headers,
    pub(crate) tickets: Tickets,
    pub(crate) sockets: Sockets,
    pub(crate) requests: Requests,
    pub(crate) clients: Clients,
    pub(crate) uploads: Uploads,
    pub(crate) readers: FileReaders,
    pub(crate) tiles: Tiles,
    pub(crate) map_files: MapFiles,
    pub(crate) signatures: Signatures,
    pub(crate) catalogue: Catalogue,
    pub(crate) console: ConsoleFiles,
}

impl AppState {
    pub(crate) async fn new(context: &Context, config: Config, console: ConsoleFiles) -> Result<Self> {
        let clients = Clients::new(context)?;
        let origin = OwnOrigin::new(config.public_url.as_deref())?;
        let ended = EndedSessions::open(context).await?;
        let tiles = Tiles::new(&config.maps, &context.health)?;
        let map_files = MapFiles::new(config.maps.data_dir.as_deref());
        let signatures = Signatures::new(&context.service_key)?;
        let proxies = TrustedProxies::new(&config.trusted_proxies)?;
        Ok(Self {
            verifier: context.verifier(),
            headers: Headers::new(&origin, config.hsts_subdomains),
            origin,
            limiter: Limiter::new(&config.limits, &context.health),
            body_reader: BodyReader {
                timeout: Duration::from_secs(config.limits.body_seconds),
                audit: context.audit.clone(),
                service: context.service_key.service(),
                budget: BodyBudget::default(),
                proxies: proxies.clone(),
            },
            proxies,
            tickets: Tickets::open(context, Duration::from_secs(config.ticket_seconds)).await?,
            requests: Requests::new(&context.health),
            sockets: Sockets::new(context, clients.clone(), ended.clone(), config).await?,
            ended,
            uploads: Uploads::new(context)?,
            readers: FileReaders::default(),
            clients,
            catalogue: Catalogue::new(tiles.clone(), map_files.clone(), signatures.clone()),
            tiles,
            map_files,
            signatures,
            console,
        })
    }
}
