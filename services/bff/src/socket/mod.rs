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

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use armada_proto::{TenantId, UserId, binding};
use armada_runtime::{Context, Error, Policies, Result, ServiceKey, bus::Bucket};
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

/// The service that tells of devices.
const FLEET: &str = "fleet";
/// A message of a client that is larger than this closes its socket.
const MESSAGE_MAX: usize = 64 * 1024;
/// What is read of one at most, to be able to say so.
const READ_MAX: usize = 1 << 20;
/// Bytes gathered for one write. Small, so that a slow client shows progress.
const WRITE_BUFFER: usize = 16 * 1024;
/// Seconds after which to try again who has too many.
const SOCKETS_RETRY: u32 = 30;
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
    /// What fleet tells of devices.
    devices: Bucket,
    metrics: Metrics,
    ended: EndedSessions,
    policies: Policies,
    config: Config,
    shutdown: CancellationToken,
    open: TaskTracker,
    by_user: Mutex<HashMap<UserId, u32>>,
}

/// A user's open socket, counted until this is dropped.
struct Counted {
    sockets: Sockets,
    user: UserId,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut by_user = self.sockets.by_user();
        if let Some(open) = by_user.get_mut(&self.user) {
            *open -= 1;
            if *open == 0 {
                by_user.remove(&self.user);
            }
        }
    }
}

impl Sockets {
    pub(crate) async fn new(context: &Context, clients: Clients, ended: EndedSessions, config: Config) -> Result<Self> {
        let metrics = Metrics::new(&context.health);
        Ok(Self(Arc::new(Shared {
            hub: Hub::new(context, clients.clone(), metrics.clone()),
            directory: Directory::new(),
            devices: context.bucket(binding::BUCKET, FLEET).await?,
            clients,
            service_key: context.service_key.clone(),
            metrics,
            ended,
            policies: context.policies.clone(),
            config,
            shutdown: context.shutdown.clone(),
            open: TaskTracker::new(),
            by_user: Mutex::default(),
        })))
    }

    fn by_user(&self) -> MutexGuard<'_, HashMap<UserId, u32>> {
        self.0.by_user.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more socket of a user, if they may have it.
    fn count(&self, user: UserId) -> Result<Counted> {
        let mut by_user = self.by_user();
        let open = by_user.entry(user).or_default();
        if *open >= self.0.config.limits.sockets_per_user {
            return Err(Error::too_many_requests(SOCKETS_RETRY));
        }
        *open += 1;
        Ok(Counted { sockets: self.clone(), user })
    }

    /// Knows of every device what catalogues say, until shutdown.
    pub(crate) async fn follow_directory(self) -> Result<()> {
        let shared = self.0;
        shared.shutdown.run_until_cancelled(shared.directory.clone().follow(&shared.devices)).await;
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
    let counted = sockets.count(grant.user_id)?;
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
    Ok(upgrade.on_upgrade(move |socket| {
        sockets.0.open.clone().track_future(async move {
            let _counted = counted;
            session.run(socket).await;
        })
    }))
}

/// Whose positions come together on one subject: a tenant's, or everybody's for a platform owner.
type Of = Option<TenantId>;
