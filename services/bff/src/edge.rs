//! What every handler works with.

use std::{ops::Deref, sync::Arc};

use armada_runtime::{Context, Result, Transport, Verifier, audit::Audit};

use crate::{
    Config, client::TrustedProxies, ended::EndedSessions, headers::Headers, limits::Limiter, observe::Requests,
    origin::OwnOrigin, socket::Sockets, tickets::Tickets,
};

/// The largest answer of another service, in bytes: the last positions of some 200,000 vehicles.
const ANSWER_MAX: usize = 64 << 20;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Edge(Arc<Parts>);

/// What an [`Edge`] holds.
pub(crate) struct Parts {
    pub(crate) verifier: Verifier,
    pub(crate) ended: EndedSessions,
    pub(crate) origin: OwnOrigin,
    pub(crate) proxies: TrustedProxies,
    pub(crate) limits: Limiter,
    pub(crate) headers: Headers,
    pub(crate) tickets: Tickets,
    pub(crate) sockets: Sockets,
    pub(crate) requests: Requests,
    pub(crate) notes: Audit,
    peers: Clients,
}

impl Edge {
    pub(crate) async fn new(context: &Context, config: Config) -> Result<Self> {
        let peers = Clients::new(context)?;
        let origin = OwnOrigin::new(config.public_url.as_deref())?;
        let ended = EndedSessions::open(context).await?;
        Ok(Self(Arc::new(Parts {
            verifier: context.verifier(),
            headers: Headers::new(&origin, config.hsts_subdomains),
            origin,
            limits: Limiter::new(&config.limits, &context.health),
            proxies: TrustedProxies::new(&config.trusted_proxies)?,
            tickets: Tickets::open(context, &config).await?,
            requests: Requests::new(&context.health),
            notes: context.audit.clone(),
            sockets: Sockets::new(context, peers.clone(), ended.clone(), config).await?,
            ended,
            peers,
        })))
    }
}

impl Deref for Edge {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = Clients;

    fn deref(&self) -> &Clients {
        &self.peers
    }
}

include!(concat!(env!("OUT_DIR"), "/clients.rs"));
