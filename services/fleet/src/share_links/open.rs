//! What a visitor of a link may see: what its maker may see and share at that moment, and nothing when there is no such
//! thing. Who has the address of a link that was revoked, or has expired, is told so; addresses cannot be guessed.

use std::{net::IpAddr, time::Duration};

use armada_proto::{
    DeviceId, ShareLinkId, Timestamp,
    v1::{OpenShareLinkRequest, OpenedShareLink, ShareLinkStatus, ShareLinkTicket},
};
use armada_runtime::{
    Code, Error, Result, Scope,
    auth::Client,
    passwords::Source,
    serve::network,
    throttle::{Limit, Pace},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use tokio_util::sync::CancellationToken;

use super::{
    ShareLinks, hash,
    shown::{DEVICES_MAX, shown},
};
use crate::entity::{
    device,
    share_link::{Column, Entity, Model},
};

/// How often guesses of long ago are forgotten.
const HOUSEKEEPING: Duration = Duration::from_secs(3600);

/// Guesses at a PIN from one network.
const GUESSES: Pace = Pace::Doubling { free: 5, longest: Duration::from_secs(15 * 60) };
/// From wherever they come: within a day less than fifty of the 10,000 shortest PINs can be tried.
const GUESSES_OF_ALL: Pace = Pace::Steady { burst: 20, each: Duration::from_secs(3600) };

impl ShareLinks {
    /// Forgets guesses of long ago, until shutdown.
    pub(crate) async fn forget_guesses(self, shutdown: CancellationToken) -> Result<()> {
        let mut pause = Duration::ZERO;
        while shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
            pause = HOUSEKEEPING;
            if let Err(error) = self.throttle.tidy(Timestamp::now()).await {
                tracing::warn!(%error, "guesses at PINs of long ago are still there; will try again");
            }
        }
        Ok(())
    }

    /// What a visitor of an address sees, who is counted when they come for the first time.
    pub(super) async fn opened(&self, client: &Client, request: OpenShareLinkRequest) -> Result<OpenedShareLink> {
        let link = self.link_where(Column::TokenHash.eq(hash(&request.url_token))).await?;
        let devices = self.devices_of(&link).await?;
        let ticket = request.ticket.filter(|ticket| ticket.id == link.id.to_string());
        let is_new = ticket.is_none();
        if ticket.is_none_or(|ticket| ticket.ticket_version != link.ticket_version)
            && let Some(pin_hash) = &link.pin_hash
        {
            let Some(pin) = request.pin.filter(|pin| !pin.is_empty()) else {
                return Ok(OpenedShareLink { needs_pin: true, ..OpenedShareLink::default() });
            };
            self.must_be_pin(&link, pin_hash, pin, client.address).await?;
        }
        if is_new {
            self.count(&link).await?;
        }
        Ok(answer(&link, devices))
    }

    /// What somebody may still see to whom a link was opened.
    pub(super) async fn looked_at(&self, ticket: &ShareLinkTicket) -> Result<OpenedShareLink> {
        let id: ShareLinkId = ticket.id.parse().map_err(|_| over())?;
        let link = self.link_where(Column::Id.eq(id)).await?;
        if link.ticket_version != ticket.ticket_version {
            return Err(over());
        }
        let devices = self.devices_of(&link).await?;
        Ok(answer(&link, devices))
    }

    /// The link that a condition names, while it holds. Who has its address learns why it does not.
    async fn link_where(&self, condition: Expr) -> Result<Model> {
        let tx = self.db.read(&Scope::Platform).await?;
        let link = Entity::within(Scope::Platform).filter(condition).one(&tx).await?.ok_or_else(over)?;
        match link.status(Timestamp::now()) {
            ShareLinkStatus::Expired => Err(Error::new(Code::NotFound, "share_link_expired", "this link has expired")),
            ShareLinkStatus::Revoked => {
                Err(Error::new(Code::NotFound, "share_link_withdrawn", "this link was revoked"))
            }
            _ => Ok(link),
        }
    }

    /// The devices that a link shows now with their names; an error when there are none.
    async fn devices_of(&self, link: &Model) -> Result<Vec<(DeviceId, String)>> {
        let sharer = self.sharer(link).await?.ok_or_else(over)?;
        let tx = self.db.read(&Scope::Tenant(link.tenant_id)).await?;
        let rows = shown(&tx, link, sharer).await?.select_only().columns([device::Column::Id, device::Column::Name]);
        let rows = rows.order_by_asc(device::Column::NameFolded).order_by_asc(device::Column::Id).limit(DEVICES_MAX);
        let devices: Vec<_> = rows.into_tuple().all(&tx).await?;
        if devices.is_empty() { Err(over()) } else { Ok(devices) }
    }

    /// An error unless it is the PIN of a link. Who guesses waits.
    async fn must_be_pin(&self, link: &Model, pin_hash: &str, pin: String, from: Option<IpAddr>) -> Result<()> {
        let place = from.map(|address| network(address).to_string()).unwrap_or_default();
        let limits = vec![
            Limit::new("pin", &format!("{place} {}", link.id), GUESSES),
            Limit::new("pins", &link.id.to_string(), GUESSES_OF_ALL),
        ];
        let attempt = self.throttle.admit(limits).await?;
        match self.passwords.matches(pin, Some(pin_hash), Source::Address(from)).await {
            Ok(true) => attempt.succeeded().await,
            Ok(false) => Err(Error::field("pin", "wrong_pin")),
            Err(error) => {
                attempt.undone().await?;
                Err(error)
            }
        }
    }

    /// One visitor more. That is no change of the link by anybody, so that its version stays.
    async fn count(&self, link: &Model) -> Result<()> {
        let tx = self.db.write(&Scope::Tenant(link.tenant_id)).await?;
        let counted = Entity::update_many()
            .col_expr(Column::OpenedCount, Expr::col(Column::OpenedCount).add(1))
            .col_expr(Column::LastOpenedAt, Expr::val(Timestamp::now().millis()));
        counted.filter(Column::Id.eq(link.id)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

fn answer(link: &Model, devices: Vec<(DeviceId, String)>) -> OpenedShareLink {
    let (device_ids, names) = devices.into_iter().map(|(id, name)| (id.to_string(), name)).unzip();
    OpenedShareLink {
        id: link.id.to_string(),
        tenant_id: link.tenant_id.to_string(),
        expires_at: Some(Timestamp::from_millis(link.expires_at)),
        ticket_version: link.ticket_version,
        needs_pin: false,
        device_ids,
        names,
        user_id: link.user_id.to_string(),
    }
}

/// The same for an address that never was, that is another by now, or that shows nothing any more.
fn over() -> Error {
    Error::new(Code::NotFound, "share_link_over", "this link no longer works")
}
