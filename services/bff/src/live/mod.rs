//! The live socket: who may open one, and what it tells.

pub(crate) mod columns;
pub(crate) mod commands;
pub(crate) mod directory;
pub(crate) mod events;
mod hub;
pub(crate) mod inbox;
pub(crate) mod message;
mod metrics;
pub(crate) mod rows;
mod session;
pub(crate) mod sockets;
pub(crate) mod tickets;
pub(crate) mod update;
mod viewer;
pub(crate) mod visibility;
pub(crate) mod visit;

use armada_runtime::Error;
use axum::{
    extract::{State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    response::Response,
};
use http::{StatusCode, header::ACCEPT_LANGUAGE, request::Parts};

use self::{session::Session, sockets::Sockets, tickets::Tickets, viewer::Viewer};
use crate::http::{
    failure::{Answer, Failure},
    language::Language,
    origin::{OwnOrigin, SentFrom},
    query::Query,
};

/// What is read of a client's message at most, to be able to say that it is too large.
const READ_MAX: usize = 1 << 20;
/// Bytes gathered for one write. Small, so that a slow client shows progress.
const WRITE_BUFFER: usize = 16 * 1024;
/// What is read at a time, kept for as long as the socket is open: clients say little, and many sockets are open.
const READ_BUFFER: usize = 4 * 1024;

/// `GET /ws?token=<ticket>&userId=&context=`, with the subprotocol `armada.columns.v1` for columns. Whatever is wrong
/// with the ticket or the page that sent it, the answer is 401. A ticket is spent by showing it.
pub(crate) async fn open(
    State(origin): State<OwnOrigin>,
    State(tickets): State<Tickets>,
    State(sockets): State<Sockets>,
    query: Query,
    parts: Parts,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    if origin.of(&parts) == SentFrom::Foreign {
        return Err(Error::unauthenticated().into());
    }
    let ticket = query.text("token").ok_or_else(Error::unauthenticated)?;
    let grant = tickets.take(&ticket).await?;
    let upgrade = upgrade.map_err(|_| Failure::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required"))?;
    let counted = sockets.count(grant.user_id, sockets.0.config.limits.sockets_per_user)?;
    let upgrade = upgrade.protocols([columns::PROTOCOL]);
    let viewer = Viewer::new(sockets.clone(), grant, query.text("userId")).await?;
    let session = Session {
        viewer,
        everything: query.text("context").as_deref() == Some("maps"),
        in_columns: upgrade.selected_protocol().is_some(),
        language: Language::wanted(parts.headers.get(ACCEPT_LANGUAGE)),
        sockets: sockets.clone(),
    };
    let upgrade = sized(upgrade, READ_MAX);
    Ok(upgrade.on_upgrade(move |socket| {
        sockets.0.open.clone().track_future(async move {
            let _counted = counted;
            session.run(socket).await;
        })
    }))
}

/// With the buffers of a live socket, for messages up to `longest` bytes from the client.
fn sized(upgrade: WebSocketUpgrade, longest: usize) -> WebSocketUpgrade {
    let upgrade = upgrade.max_message_size(longest).max_frame_size(longest);
    upgrade.read_buffer_size(READ_BUFFER).write_buffer_size(WRITE_BUFFER)
}
