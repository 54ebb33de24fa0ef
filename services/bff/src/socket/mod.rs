//! The live socket: who may open one, and what is common to all of them.

mod columns;
mod directory;
mod hub;
mod inbox;
mod message;
mod metrics;
mod rows;
mod session;
mod update;
mod viewer;

use std::{sync::Arc, time::Duration};

use armada_proto::TenantId;
use armada_runtime::{Bus, Context, Error, Policies, Result, ServiceKey};
use axum::{
    extract::{State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    response::Response,
};
use http::{StatusCode, header::ACCEPT_LANGUAGE, request::Parts};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Config,
    edge::{Clients, Edge},
    ended::EndedSessions,
    failure::{Answer, Failure},
    language::Language,
    origin::SentFrom,
    query::Query,
};
use directory::Directory;
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
    directory: Directory,
    metrics: Metrics,
    ended: EndedSessions,
    policies: Policies,
    config: Config,
    shutdown: CancellationToken,
    open: TaskTracker,
}

impl Sockets {
    pub(crate) fn new(context: &Context, clients: Clients, ended: EndedSessions, config: Config) -> Self {
        let metrics = Metrics::new(&context.health);
        Self(Arc::new(Shared {
            hub: Hub::new(context, clients.clone(), metrics.clone()),
            directory: Directory::new(),
            clients,
            service_key: context.service_key.clone(),
            metrics,
            ended,
            policies: context.policies.clone(),
            config,
            shutdown: context.shutdown.clone(),
            open: TaskTracker::new(),
        }))
    }

    /// Knows of every device what catalogues say, until shutdown.
    pub(crate) async fn follow_directory(self, bus: Bus) -> Result<()> {
        let shared = self.0;
        shared.shutdown.run_until_cancelled(shared.directory.clone().follow(bus)).await;
        Ok(())
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

/// `GET /ws?token=<ticket>&userId=&context=`, with the subprotocol `armada.columns.v1` for columns. Whatever is wrong
/// with the ticket or the page that sent it, the answer is 401. A ticket is spent by showing it.
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
    let upgrade = upgrade.protocols([columns::PROTOCOL]);
    let viewer = Viewer::new(sockets.clone(), grant, query.text("userId")).await?;
    let session = Session {
        viewer,
        everything: query.text("context").as_deref() == Some("maps"),
        in_columns: upgrade.selected_protocol().is_some(),
        language: Language::wanted(parts.headers.get(ACCEPT_LANGUAGE)),
        sockets: sockets.clone(),
    };
    let upgrade = upgrade.max_message_size(READ_MAX).max_frame_size(READ_MAX).write_buffer_size(WRITE_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| sockets.0.open.clone().track_future(session.run(socket))))
}

/// Whose positions come together on one subject: a tenant's, or everybody's for a platform owner.
type Of = Option<TenantId>;
