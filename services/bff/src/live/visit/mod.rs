//! Visitors of share links: people without an account, who see what vehicles are called and where they are, and nothing
//! else. Fleet decides what a link shows, here is what is told of that.

pub(crate) mod shown;
mod socket;

use std::time::Duration;

use armada_proto::{
    ShareLinkId,
    v1::{OpenShareLinkRequest, OpenedShareLink, ShareLinkTicket, SharedView, SharedViewRequest},
};
use armada_runtime::{Error, Result, Scope, Validate, auth::Client};
use axum::{
    Json,
    extract::{State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    response::Response,
};
use http::{StatusCode, request::Parts};

use self::socket::Visit;
use super::{
    sized,
    sockets::{Counted, Sockets},
    tickets::Tickets,
};
use crate::{
    http::{
        body::Input,
        client::RequestClient,
        failure::{Answer, Failure},
        origin::{OwnOrigin, SameOrigin, SentFrom},
        query::Query,
    },
    maps::catalogue::Catalogue,
};

/// `typ` of a ticket that opens one socket.
const TICKET: &str = "visit-ticket";
/// `typ` of what opens a link again without its PIN.
const SESSION: &str = "visit-session";
/// How long that holds.
const SESSION_LIFE: Duration = Duration::from_secs(12 * 3600);
/// What is read of a visitor's message at most: they have nothing to say but that they are still there.
const READ_MAX: usize = 1024;

/// Opens the address of a link: what its visitor needs for the socket, or that they must say the PIN first.
pub(crate) async fn view(
    State(sockets): State<Sockets>,
    State(tickets): State<Tickets>,
    State(catalogue): State<Catalogue>,
    RequestClient(client): RequestClient,
    _: SameOrigin,
    Input(mut request): Input<SharedViewRequest>,
) -> Answer<Json<SharedView>> {
    request.validate().check().map_err(Error::from)?;
    let ticket = match &request.session_token {
        // What does not hold any more is as if it were not there.
        Some(session) => tickets.subject_of(SESSION, session).await.ok(),
        None => None,
    };
    let SharedViewRequest { url_token, pin, .. } = request;
    let opened = sockets.open_link(client, OpenShareLinkRequest { url_token, pin, ticket }).await?;
    if opened.needs_pin {
        return Ok(Json(SharedView { needs_pin: true, ..SharedView::default() }));
    }
    let ticket = ShareLinkTicket { id: opened.id, ticket_version: opened.ticket_version };
    let session_token = tickets.issue_for(SESSION_LIFE, SESSION, &ticket)?;
    let ticket = tickets.issue(TICKET, &ticket)?;
    Ok(Json(SharedView { needs_pin: false, session_token, ticket, map_sources: catalogue.usable().await }))
}

/// `GET /ws/shared?token=<ticket>`: the live positions of what a link shows, as long as it does.
pub(crate) async fn open(
    State(origin): State<OwnOrigin>,
    State(tickets): State<Tickets>,
    State(sockets): State<Sockets>,
    State(catalogue): State<Catalogue>,
    query: Query,
    parts: Parts,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    if origin.of(&parts) == SentFrom::Foreign {
        return Err(Error::unauthenticated().into());
    }
    let ticket = query.text("token").ok_or_else(Error::unauthenticated)?;
    let ticket: ShareLinkTicket = tickets.consume(TICKET, &ticket).await?;
    let upgrade = upgrade.map_err(|_| Failure::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required"))?;
    let opened = sockets.look_at_link(&ticket).await?;
    let counted = sockets.count_visitor(&opened)?;
    let visit = Visit { sockets: sockets.clone(), catalogue, ticket, opened };
    Ok(sized(upgrade, READ_MAX).on_upgrade(move |socket| {
        sockets.0.open.clone().track_future(async move {
            let _counted = counted;
            visit.run(socket).await;
        })
    }))
}

impl Sockets {
    /// Guesses at a PIN are counted by where they come from.
    async fn open_link(&self, client: Client, request: OpenShareLinkRequest) -> Result<OpenedShareLink> {
        let mut caller = self.0.service_key.caller(Scope::Platform, None)?;
        caller.client = client;
        Ok(self.0.clients.share_links().open(caller.sign(request)).await?.into_inner())
    }

    async fn look_at_link(&self, ticket: &ShareLinkTicket) -> Result<OpenedShareLink> {
        let caller = self.0.service_key.caller(Scope::Platform, None)?;
        Ok(self.0.clients.share_links().look(caller.sign(ticket.clone())).await?.into_inner())
    }

    fn count_visitor(&self, opened: &OpenedShareLink) -> Result<Counted> {
        let link: ShareLinkId = opened.id.parse()?;
        self.count(link, self.0.config.limits.sockets_per_link)
    }
}
