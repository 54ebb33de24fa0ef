//! The live socket: who may open one, and what is common to all of them.

mod hub;
mod inbox;
mod message;
mod metrics;
mod session;
mod update;
mod viewer;

use std::{sync::Arc, time::Duration};

use armada_proto::TenantId;
use armada_runtime::{Context, Error, Result, ServiceKey};
use axum::{
    extract::{State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    response::Response,
};
use http::{StatusCode, header::ACCEPT_LANGUAGE, request::Parts};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Config,
    edge::{Clients, Edge},
    failure::{Answer, Failure},
    language::Language,
    origin::SentFrom,
    query::Query,
};
use hub::Hub;
use metrics::Metrics;
use session::Session;
use viewer::Viewer;

/// A message of a client that is larger than this closes its socket.
const MESSAGE_MAX: usize = 64 * 1024;
/// What is read of one at most, to be able to say so.
const READ_MAX: usize = 1 << 20;
/// Bytes gathered for one write. Small, so that a slow client shows progress.
const WRITE_BUFFER: usize = 16 * 1024;
/// How long sockets may take to say goodbye on shutdown.
const GOODBYE: Duration = Duration::from_secs(5);

/// What all sockets share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Sockets(Arc<Shared>);

struct Shared {
    clients: Clients,
    service_key: ServiceKey,
    hub: Hub,
    metrics: Metrics,
    config: Config,
    shutdown: CancellationToken,
    open: TaskTracker,
}

impl Sockets {
    pub(crate) fn new(context: &Context, clients: Clients, config: Config) -> Self {
        let metrics = Metrics::new(&context.health);
        Self(Arc::new(Shared {
            hub: Hub::new(context, clients.clone(), metrics.clone()),
            clients,
            service_key: context.service_key.clone(),
            metrics,
            config,
            shutdown: context.shutdown.clone(),
            open: TaskTracker::new(),
        }))
    }

    /// Ends after shutdown, when every socket has been told.
    pub(crate) async fn drain(self) -> Result<()> {
        let shared = self.0;
        shared.shutdown.cancelled().await;
        shared.open.close();
        if tokio::time::timeout(GOODBYE, shared.open.wait()).await.is_err() {
            tracing::warn!("{} sockets did not close in time", shared.open.len());
        }
        Ok(())
    }
}

/// `GET /ws?token=<ticket>&userId=&context=`. Whatever is wrong with the ticket or the page that sent it, the answer is
/// 401. A ticket is spent by showing it.
pub(crate) async fn open(
    State(edge): State<Edge>,
    query: Query,
    parts: Parts,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    if edge.origin.of(&parts) == SentFrom::Foreign {
        return Err(Error::unauthenticated().into());
    }
    let ticket = query.text("token").ok_or_else(Error::unauthenticated)?;
    let grant = edge.tickets.take(&ticket).await?;
    let upgrade = upgrade.map_err(|_| Failure::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required"))?;
    let sockets = edge.sockets.clone();
    let viewer = Viewer::new(sockets.clone(), grant, query.text("userId")).await?;
    let session = Session {
        viewer,
        everything: query.text("context").as_deref() == Some("maps"),
        language: Language::wanted(parts.headers.get(ACCEPT_LANGUAGE)),
        sockets: sockets.clone(),
    };
    let upgrade = upgrade.max_message_size(READ_MAX).max_frame_size(READ_MAX).write_buffer_size(WRITE_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| sockets.0.open.clone().track_future(session.run(socket))))
}

/// Whose positions come together on one subject: a tenant's, or everybody's for a platform owner.
type Of = Option<TenantId>;
