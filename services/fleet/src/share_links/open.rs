//! What a visitor of a link may see: what its maker may see and share at that moment, and nothing when there is no such
//! thing. Whoever guesses at addresses learns nothing from the answers.

use std::{net::IpAddr, time::Duration};

use armada_proto::{
    DeviceId, Timestamp, UserId,
    access::permission as p,
    v1::{OpenShareLinkRequest, OpenedShareLink, ShareLinkStatus},
};
use armada_runtime::{
    Caller, Code, Error, Result, Scope,
    auth::Client,
    passwords::Source,
    serve::network,
    throttle::{Limit, Pace},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Select,
    sea_query::{Expr, ExprTrait},
};
use tokio_util::sync::CancellationToken;

use super::{ShareLinks, hash};
use crate::{
    devices::groups::is_in_any,
    entity::{
        device, device_member,
        share_link::{Column, Entity, Model},
    },
    members,
};

/// What the maker of a link must be allowed, for it to show anything.
const NEEDED: [&str; 3] = [p::DEVICE_LIST, p::POSITION_LIVE, p::SHARE_LINK_CREATE];

/// How often guesses of long ago are forgotten.
const HOUSEKEEPING: Duration = Duration::from_secs(3600);

/// Guesses at a PIN from one network.
const GUESSES: Pace = Pace::Doubling { free: 5, longest: Duration::from_secs(15 * 60) };
/// From wherever they come: within a day less than fifty of the 10,000 shortest PINs can be tried.
const GUESSES_OF_ALL: Pace = Pace::Steady { burst: 20, each: Duration::from_secs(3600) };

/// Whose devices a link may show.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sharer {
    /// Somebody who may share all of the tenant.
    Admin,
    /// Somebody who may share what they own.
    Owner(UserId),
}

impl Sharer {
    pub(super) fn of(caller: &Caller) -> Self {
        members::limited_user(caller).map_or(Self::Admin, Self::Owner)
    }
}

/// The devices that a link shows when its maker is such a one.
pub(super) fn shown(link: &Model, sharer: Sharer) -> Select<device::Entity> {
    let mut rows = device::Entity::within(Scope::Tenant(link.tenant_id));
    if let Sharer::Owner(user) = sharer {
        let owned = device_member::Entity::devices_of([user], members::OWNERS);
        rows = rows.filter(device::Column::Id.in_subquery(owned));
    }
    match (link.device_id, link.device_group_id) {
        (Some(device), _) => rows.filter(device::Column::Id.eq(device)),
        (None, group) => rows.filter(is_in_any(&group.iter().map(ToString::to_string).collect::<Vec<_>>())),
    }
}

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

    pub(super) async fn opened(&self, client: &Client, request: OpenShareLinkRequest) -> Result<OpenedShareLink> {
        let link = self.by_token(&request.url_token).await?;
        let sharer = self.sharer(&link).await?.ok_or_else(over)?;
        let tx = self.db.read(&Scope::Tenant(link.tenant_id)).await?;
        let rows = shown(&link, sharer).select_only().columns([device::Column::Id, device::Column::Name]);
        let devices: Vec<(DeviceId, String)> = rows.into_tuple().all(&tx).await?;
        drop(tx);
        if devices.is_empty() {
            return Err(over());
        }
        let ticket = request.ticket.filter(|ticket| ticket.id == link.id.to_string());
        if ticket.is_none_or(|ticket| ticket.ticket_version != link.ticket_version) {
            if let Some(pin_hash) = &link.pin_hash {
                let Some(pin) = request.pin.filter(|pin| !pin.is_empty()) else {
                    return Ok(OpenedShareLink { needs_pin: true, ..OpenedShareLink::default() });
                };
                self.must_be_pin(&link, pin_hash, pin, client.address).await?;
            }
            self.count(&link).await?;
        }
        let (device_ids, names) = devices.into_iter().map(|(id, name)| (id.to_string(), name)).unzip();
        Ok(OpenedShareLink {
            id: link.id.to_string(),
            tenant_id: link.tenant_id.to_string(),
            expires_at: Some(Timestamp::from_millis(link.expires_at)),
            ticket_version: link.ticket_version,
            needs_pin: false,
            device_ids,
            names,
        })
    }

    /// The link of an address, while it holds.
    async fn by_token(&self, token: &str) -> Result<Model> {
        let tx = self.db.read(&Scope::Platform).await?;
        let link = Entity::within(Scope::Platform).filter(Column::TokenHash.eq(hash(token))).one(&tx).await?;
        link.filter(|link| link.status(Timestamp::now()) == ShareLinkStatus::Active).ok_or_else(over)
    }

    /// What the maker of a link is now; none when they may not share any more.
    async fn sharer(&self, link: &Model) -> Result<Option<Sharer>> {
        let Some(rights) = members::rights(&self.policies, link.user_id).await? else { return Ok(None) };
        if !NEEDED.iter().all(|key| rights.allow(key)) {
            return Ok(None);
        }
        if rights.is_platform_owner {
            // Others of a tenant that is suspended have no rights; who owns the platform has them all the same.
            let asking = self.service_key.caller(Scope::Tenant(link.tenant_id), None)?;
            let tenant = self.people.tenant(&asking, link.tenant_id).await?;
            return Ok(tenant.filter(|tenant| tenant.active).map(|_| Sharer::Admin));
        }
        if rights.tenant_id != Some(link.tenant_id) {
            return Ok(None);
        }
        Ok(Some(if rights.is_tenant_admin { Sharer::Admin } else { Sharer::Owner(link.user_id) }))
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

/// The same for an address that never was, is over, was revoked, or shows nothing any more.
fn over() -> Error {
    Error::new(Code::NotFound, "share_link_over", "this link no longer works")
}
