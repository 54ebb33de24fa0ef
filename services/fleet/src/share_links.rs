//! Addresses at which people without an account see vehicles for a while: whoever may share a device makes them, and
//! sees their own; admins see all of their scope. What one shows is decided whenever it is opened, see `open.rs`.

mod makers;
mod open;
pub mod removal;
mod sharers;
mod shown;
mod statuses;

use std::{sync::Arc, time::Duration};

use armada_proto::{
    DeviceId, MasterDataId, Timestamp, UserId, Violations,
    v1::{
        DeleteRequest, Empty, GetRequest, ListShareLinksRequest, MasterDataKind, OpenShareLinkRequest, OpenedShareLink,
        ShareLink, ShareLinkActRequest, ShareLinkInput, ShareLinkList, ShareLinkStatus, ShareLinkTicket,
        share_links_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Policies, Result, Scope, ServiceKey, acts,
    audit::{self, Act, Object},
    auth::Client,
    list::{List, Searched, Sort, among_ids},
    outbox::OutboxHandle,
    passwords::Passwords,
    random::random_text,
    resource::{self, Acts, ListStream, Resource, Row, tenant_of_new},
    throttle::Throttle,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect, Select,
};
use sha2::{Digest, Sha256};
use tonic::{Request, Response, Status};

use self::{
    sharers::{Sharer, Sharers},
    shown::{DEVICES_MAX, shown},
};
use crate::{
    bindings,
    entity::{
        device, master_data,
        share_link::{Column, Entity, Model},
    },
    identity::IdentityClient,
    members,
};

/// No link holds longer.
const LONGEST: Duration = Duration::from_secs(90 * 24 * 3600);

/// The RPCs.
#[derive(Clone)]
pub struct ShareLinks {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) policies: Policies,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    /// Of the link that a request makes.
    pub(crate) new_token_hash: Vec<u8>,
    /// Of those who have made what a request asks for.
    pub(crate) sharers: Arc<Sharers>,
}

type Answer<T> = Result<Response<T>, Status>;

impl share_links_server::ShareLinks for ShareLinks {
    type ExportStream = ListStream<Self>;

    async fn list(&self, request: Request<ListShareLinksRequest>) -> Answer<ShareLinkList> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::list(&this, &caller, request).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Answer<ShareLink> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::get(&this, &caller, &request.id).await?))
    }

    async fn create(&self, request: Request<ShareLinkInput>) -> Answer<ShareLink> {
        let (caller, request) = (Caller::of(&request)?, request.into_inner());
        let tenant = request.tenant_id.as_deref().and_then(|id| id.parse().ok());
        let sharers = Arc::new(self.sharers_of(&caller, tenant).await?);
        let token = random_text()?;
        let this = Self { new_token_hash: hash(&token), sharers, ..self.clone() };
        let made = resource::create(&this, &caller, request).await?;
        Ok(Response::new(ShareLink { url_token: Some(token), ..made }))
    }

    async fn update(&self, request: Request<ShareLinkInput>) -> Answer<ShareLink> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::update(&this, &caller, request).await?))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Answer<Empty> {
        let (this, caller, request) = self.now(request).await?;
        resource::delete(&this, &caller, request).await?;
        Ok(Response::new(Empty {}))
    }

    async fn export(&self, request: Request<ListShareLinksRequest>) -> Answer<Self::ExportStream> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::export(&this, &caller, request).await?))
    }

    async fn renew_address(&self, request: Request<ShareLinkActRequest>) -> Answer<ShareLink> {
        let (this, caller, request) = self.now(request).await?;
        let token = random_text()?;
        let token_hash = hash(&token);
        let renew = |link: &mut Model| {
            link.token_hash = token_hash;
            link.ticket_version += 1;
        };
        let renewed = this.change(&caller, request, "share_link:renew_address", renew).await?;
        Ok(Response::new(ShareLink { url_token: Some(token), ..renewed }))
    }

    async fn revoke(&self, request: Request<ShareLinkActRequest>) -> Answer<ShareLink> {
        let (this, caller, request) = self.now(request).await?;
        let revoke = |link: &mut Model| link.revoked_at = Some(Timestamp::now().millis());
        Ok(Response::new(this.change(&caller, request, "share_link:revoke", revoke).await?))
    }

    async fn open(&self, request: Request<OpenShareLinkRequest>) -> Answer<OpenedShareLink> {
        let client = Client::of(&request);
        Ok(Response::new(self.opened(&client, request.into_inner()).await?))
    }

    async fn look(&self, request: Request<ShareLinkTicket>) -> Answer<OpenedShareLink> {
        Ok(Response::new(self.looked_at(&request.into_inner()).await?))
    }
}

/// What becomes of the PIN.
#[derive(Default, Clone)]
pub enum Pin {
    #[default]
    Kept,
    Removed,
    /// The hash of a new one.
    Set(String),
}

impl Resource for ShareLinks {
    type Entity = Entity;
    type Row = Model;
    type Message = ShareLink;
    type Input = ShareLinkInput;
    type Request = ListShareLinksRequest;
    type List = ShareLinkList;
    type Prepared = Pin;
    /// Whether the PIN is another.
    type Effects = bool;

    const ACTS: Acts = acts!("share_link");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("expires_at", Sort::Plain(Column::ExpiresAt)),
            ("opened_count", Sort::Plain(Column::OpenedCount)),
            ("last_opened_at", Sort::OrZero(Column::LastOpenedAt)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn outbox(&self) -> Option<&OutboxHandle> {
        Some(&self.outbox)
    }

    fn visible(caller: &Caller, scope: Scope) -> Select<Entity> {
        Entity::visible_to(caller, scope)
    }

    fn filter(&self, rows: Select<Entity>, request: &ListShareLinksRequest) -> Result<Select<Entity>> {
        let rows = among_ids::<_, DeviceId>(rows, Column::DeviceId, &request.device_ids);
        let rows = among_ids::<_, MasterDataId>(rows, Column::DeviceGroupId, &request.device_group_ids);
        let rows = among_ids::<_, UserId>(rows, Column::UserId, &request.user_ids);
        let now = Timestamp::now();
        let statuses = request.statuses().filter(|status| *status != ShareLinkStatus::Unspecified);
        let is = |status| statuses::has_status(status, now, &self.sharers);
        let any = statuses.fold(Condition::any(), |any, status| any.add(is(status)));
        Ok(if any.is_empty() { rows } else { rows.filter(any) })
    }

    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<ShareLink>> {
        statuses::present(tx, &self.sharers, rows).await
    }

    fn new_row(caller: &Caller, input: &ShareLinkInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut ShareLinkInput, violations: &mut Violations) {
        check_subject(before, input, violations);
        let now = Timestamp::now();
        match input.expires_at {
            Some(end) if end <= now => violations.add("expires_at", "in_the_past"),
            Some(end) if end > now + LONGEST => violations.add("expires_at", "too_late"),
            Some(_) => {}
            None if before.is_none() => violations.add("expires_at", "required"),
            None => {}
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, input: &mut ShareLinkInput) -> Result<Pin> {
        if input.id.is_empty() {
            self.identity.must_exist(&self.service_key, row.tenant_id).await?;
        }
        match input.pin.take() {
            None => Ok(Pin::Kept),
            Some(pin) if pin.is_empty() => Ok(Pin::Removed),
            Some(pin) => Ok(Pin::Set(self.passwords.hash(pin).await?)),
        }
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        input: ShareLinkInput,
        pin: Pin,
    ) -> Result<bool> {
        match before {
            Some(before) => must_not_be_revoked(before)?,
            None => {
                row.user_id = caller.user()?.user_id;
                row.token_hash.clone_from(&self.new_token_hash);
                assign(tx, caller, row, &input).await?;
            }
        }
        row.expires_at = input.expires_at.map_or(row.expires_at, Timestamp::millis);
        row.apply(input);
        row.pin_hash = match pin {
            Pin::Kept => return Ok(false),
            Pin::Removed => None,
            Pin::Set(hash) => Some(hash),
        };
        row.ticket_version += 1;
        Ok(before.is_some())
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        _: &mut bool,
    ) -> Result<()> {
        bindings::mark_tenant(tx, row.tenant_id).await
    }

    async fn removing(&self, tx: &DatabaseTransaction, _: &Caller, row: &Model) -> Result<bool> {
        bindings::mark_tenant(tx, row.tenant_id).await?;
        Ok(false)
    }

    fn unseen_change(has_other_pin: &bool) -> Option<&'static str> {
        has_other_pin.then_some("pin")
    }
}

impl ShareLinks {
    /// The service as it answers a request now, with who may share what.
    async fn now<T>(&self, request: Request<T>) -> Result<(Self, Caller, T)> {
        let caller = Caller::of(&request)?;
        let sharers = Arc::new(self.sharers_of(&caller, None).await?);
        Ok((Self { sharers, ..self.clone() }, caller, request.into_inner()))
    }

    /// Does something to a link that was not revoked.
    async fn change(
        &self,
        caller: &Caller,
        ShareLinkActRequest { id, row_version }: ShareLinkActRequest,
        act: &'static str,
        change: impl FnOnce(&mut Model) + Send,
    ) -> Result<ShareLink> {
        let id = id.parse().map_err(|_| Error::not_found())?;
        let tx = self.db.write(&caller.scope()).await?;
        let before = resource::locked(self, &tx, caller, id, row_version).await?;
        must_not_be_revoked(&before)?;
        let mut row = before.clone();
        change(&mut row);
        row.touch(Timestamp::now());
        let row = row.into_active_model().reset_all().update(&tx).await?;
        bindings::mark_tenant(&tx, row.tenant_id).await?;
        let tenant = Some(row.tenant_id);
        let (was, is) = (resource::message(self, &tx, before).await?, resource::message(self, &tx, row).await?);
        let object = Object::new("share_link", &is.id, &is.name);
        let change = audit::changes(Some(&was), Some(&is));
        audit::record(&tx, caller, Act { act, tenant, object, change }).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(is)
    }
}

/// A link shows a device or a group, and goes on to show that.
fn check_subject(before: Option<&Model>, input: &mut ShareLinkInput, violations: &mut Violations) {
    for id in [&mut input.device_id, &mut input.device_group_id] {
        *id = id.take().filter(|id| !id.is_empty());
    }
    let Some(before) = before else {
        match (&input.device_id, &input.device_group_id) {
            (None, None) => violations.add("device_id", "required"),
            (Some(_), Some(_)) => violations.add("device_group_id", "one_subject"),
            _ => {}
        }
        return;
    };
    let device = before.device_id.map(|id| id.to_string());
    let group = before.device_group_id.map(|id| id.to_string());
    for (name, asked, own) in
        [("device_id", &input.device_id, &device), ("device_group_id", &input.device_group_id, &group)]
    {
        if asked.is_some() && asked != own {
            violations.add(name, "not_changeable");
        }
    }
}

/// Lets a new link show what a request names: a device that the caller may share, or a group with such devices.
async fn assign(tx: &DatabaseTransaction, caller: &Caller, row: &mut Model, input: &ShareLinkInput) -> Result<()> {
    let scope = Scope::Tenant(row.tenant_id);
    if let Some(id) = &input.device_id {
        let unknown = || Error::field("device_id", "unknown");
        let id: DeviceId = id.parse().map_err(|_| unknown())?;
        let devices = device::Entity::visible_to(caller, scope).filter(device::Column::Id.eq(id));
        // Or it could be removed before the link is written.
        devices.lock_shared().one(tx).await?.ok_or_else(unknown)?;
        row.device_id = Some(id);
        return members::must_be(tx, caller, id, members::OWNERS).await;
    }
    let unknown = || Error::field("device_group_id", "unknown");
    let id: MasterDataId = input.device_group_id.as_deref().unwrap_or_default().parse().map_err(|_| unknown())?;
    let groups = master_data::Entity::owned_by(scope).filter(master_data::Column::Id.eq(id));
    let groups = groups.filter(master_data::Column::Kind.eq(MasterDataKind::DeviceGroup));
    groups.lock_shared().one(tx).await?.ok_or_else(unknown)?;
    row.device_group_id = Some(id);
    match shown(tx, row, Sharer::of(caller)).await?.count(tx).await? {
        0 => Err(Error::field("device_group_id", "nothing_to_share")),
        1..=DEVICES_MAX => Ok(()),
        _ => Err(Error::field("device_group_id", "too_many_to_share")),
    }
}

fn must_not_be_revoked(link: &Model) -> Result<()> {
    match link.revoked_at {
        None => Ok(()),
        Some(_) => Err(Error::new(Code::Conflict, "share_link_revoked", "this link was revoked")),
    }
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}
