//! Devices: admins see all of their scope, others those that they own or are linked to; what one may do with what one
//! sees, roles and the kind of the link say.

mod input;

use std::str::FromStr;

use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    v1::{
        DeleteRequest, Device, DeviceInput, DeviceList, Empty, GetRequest, ListDevicesRequest, Tenant, VisibleDevices,
        VisibleDevicesRequest, devices_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, ServiceKey,
    list::{Export, List, Searched, Sort, Wanted},
    outbox::OutboxHandle,
};
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, IntoActiveModel, ModelTrait, QueryFilter,
    QuerySelect, Select,
};
use tonic::{Request, Response};

use self::input::{apply, check, icon_of, imei_status_of, status_of};
use crate::{
    acts, bindings, claims,
    entity::{
        device::{self, Column, Entity, IconType, ImeiStatus, Model, Status},
        device_member::Role,
    },
    heard::Heard,
    limits, members,
    people::People,
};

/// Users that one list may be narrowed to.
const USERS_MAX: usize = 500;

/// The RPCs.
pub struct Devices {
    pub(crate) db: Database,
    pub(crate) people: People,
    pub(crate) heard: Heard,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

type Answer<T> = std::result::Result<Response<T>, tonic::Status>;

#[tonic::async_trait]
impl devices_server::Devices for Devices {
    async fn list(&self, request: Request<ListDevicesRequest>) -> Answer<DeviceList> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, &request.into_inner()).await?))
    }

    type ExportStream = BoxStream<'static, std::result::Result<DeviceList, tonic::Status>>;

    async fn export(&self, request: Request<ListDevicesRequest>) -> Answer<Self::ExportStream> {
        let caller = Caller::of(&request)?;
        let export = self.whole(&caller, &request.into_inner()).await?;
        let total = export.remaining();
        let pieces = stream::try_unfold(export, async |mut export| Ok(export.next().await?.map(|rows| (rows, export))));
        let lists =
            pieces.map_ok(move |rows| DeviceList { items: rows.into_iter().map(Device::from).collect(), total });
        Ok(Response::new(lists.boxed()))
    }

    async fn get(&self, request: Request<GetRequest>) -> Answer<Device> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.one(&caller, &request.into_inner().id).await?.into()))
    }

    async fn create(&self, request: Request<DeviceInput>) -> Answer<Device> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?))
    }

    async fn update(&self, request: Request<DeviceInput>) -> Answer<Device> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Answer<Empty> {
        let caller = Caller::of(&request)?;
        self.remove(&caller, &request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }

    async fn visible(&self, request: Request<VisibleDevicesRequest>) -> Answer<VisibleDevices> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.visible_to(&caller, &request.into_inner()).await?))
    }
}

impl Devices {
    async fn page(&self, caller: &Caller, request: &ListDevicesRequest) -> Result<DeviceList> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let rows = filtered(caller, scope, request)?;
        let tx = self.db.read(&scope).await?;
        let (rows, total) = LIST.fetch(&tx, rows, wanted(request)).await?;
        Ok(DeviceList { items: rows.into_iter().map(Device::from).collect(), total })
    }

    async fn whole(&self, caller: &Caller, request: &ListDevicesRequest) -> Result<Export<Entity>> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let export = LIST.export(&self.db, scope, filtered(caller, scope, request)?, wanted(request)).await?;
        let tx = self.db.write(&scope).await?;
        acts::exported(&tx, caller, scope, export.remaining()).await?;
        tx.commit().await?;
        Ok(export)
    }

    async fn one(&self, caller: &Caller, id: &str) -> Result<Model> {
        let id: DeviceId = id.parse()?;
        let tx = self.db.read(&caller.scope()).await?;
        let rows = Entity::visible_to(caller, caller.scope()).filter(Column::Id.eq(id));
        rows.one(&tx).await?.ok_or_else(Error::not_found)
    }

    async fn make(&self, caller: &Caller, mut input: DeviceInput) -> Result<Device> {
        check(&mut input, true)?;
        let (tenant, found) = self.tenant_of_new(caller, &input).await?;
        let owner = self.owner(tenant, input.user_id.as_deref()).await?.or_else(|| members::own_eyes(caller));
        let now = Timestamp::now().millis();
        let mut device = Model {
            id: DeviceId::new(),
            tenant_id: tenant,
            user_id: owner,
            imei: String::new(),
            name: String::new(),
            name_folded: String::new(),
            sim_number: String::new(),
            max_parking_time: 0,
            status: Status::Active,
            bound_from: 0,
            search: String::new(),
            row_version: 1,
            created_at: now,
            updated_at: now,
            icon_type: IconType::Car,
            vehicle_code: String::new(),
            vehicle_code_folded: String::new(),
            vehicle_type: String::new(),
            primary_driver: String::new(),
            primary_driver_folded: String::new(),
            hidden_at: None,
            imei_status: ImeiStatus::Bound,
            imei_reason: String::new(),
        };
        apply(input, &mut device)?;
        device.imei_status = self.standing(caller, &found, &device.imei).await?;
        // Of several at once, whoever comes late finds next time what the others have made.
        for _ in 0..2 {
            match self.insert(caller, device.clone(), found.device_limit).await {
                Err(error) if may_claim(&error, caller, &device) => device.imei_status = ImeiStatus::Pending,
                Err(error) if error == Error::taken("imei") => {}
                made => return made,
            }
        }
        self.insert(caller, device, found.device_limit).await
    }

    async fn insert(&self, caller: &Caller, device: Model, limit: u32) -> Result<Device> {
        let tx = self.db.write(&Scope::Tenant(device.tenant_id)).await?;
        named_once(&tx, caller, &device).await?;
        limits::one_more_device(&tx, device.tenant_id, limit).await?;
        let mut device = device.into_active_model().insert(&tx).await.map_err(taken)?;
        bind_or_claim(&tx, caller, &mut device).await?;
        members::set_owner(&tx, &device).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        acts::changed(&tx, caller, None, Some(&device)).await?;
        self.commit(tx).await?;
        Ok(device.into())
    }

    async fn change(&self, caller: &Caller, mut input: DeviceInput) -> Result<Device> {
        let before = self.one(caller, &input.id).await?;
        check(&mut input, false)?;
        if input.tenant_id.as_ref().is_some_and(|wanted| *wanted != before.tenant_id.to_string()) {
            return Err(Error::field("tenant_id", "not_changeable"));
        }
        let mut after = before.clone();
        if let Some(imei) = input.imei.as_ref().filter(|imei| **imei != before.imei) {
            let tenant = self.people.named_tenant(&self.service_key, &before.tenant_id.to_string()).await?;
            after.imei.clone_from(imei);
            after.imei_status = self.standing(caller, &tenant, imei).await?;
        }
        // An owner who has been removed since may stay what they were.
        let named = input.user_id.as_deref().filter(|id| before.user_id.is_none_or(|owner| owner.to_string() != *id));
        let owner = match named {
            Some(id) => self.owner(before.tenant_id, Some(id)).await?,
            None => before.user_id.filter(|_| input.user_id.is_some()),
        };
        after.user_id = if input.user_id.is_some() { owner } else { before.user_id };
        match self.store(caller, input.clone(), &before, &after).await {
            Err(error) if may_claim(&error, caller, &after) => {
                after.imei_status = ImeiStatus::Pending;
                self.store(caller, input, &before, &after).await
            }
            changed => changed,
        }
    }

    /// Stores what a request says. Of `after` it takes the owner, and what becomes of an IMEI that `seen` has not.
    async fn store(&self, caller: &Caller, input: DeviceInput, seen: &Model, after: &Model) -> Result<Device> {
        let tx = self.db.write(&Scope::Tenant(seen.tenant_id)).await?;
        let before = locked(&tx, seen, input.row_version).await?;
        members::must_be(&tx, caller, before.id, &[Role::Owner, Role::Technician]).await?;
        let mut device = before.clone();
        if input.user_id.is_some() {
            device.user_id = after.user_id;
        }
        apply(input, &mut device)?;
        if device.imei != before.imei {
            if device.imei == seen.imei {
                return Err(Error::version_mismatch());
            }
            device.imei_status = after.imei_status;
            device.imei_reason.clear();
            named_once(&tx, caller, &device).await?;
        }
        device.row_version += 1;
        device.updated_at = Timestamp::now().millis();
        let mut device = device.into_active_model().reset_all().update(&tx).await.map_err(taken)?;
        if device.imei != before.imei {
            release(&tx, &before).await?;
            bind_or_claim(&tx, caller, &mut device).await?;
        }
        if device.user_id != before.user_id {
            members::set_owner(&tx, &device).await?;
        }
        bindings::mark(&tx, &device, &before.imei).await?;
        acts::changed(&tx, caller, Some(&before), Some(&device)).await?;
        self.commit(tx).await?;
        Ok(device.into())
    }

    async fn remove(&self, caller: &Caller, request: &DeleteRequest) -> Result<()> {
        let device = self.one(caller, &request.id).await?;
        let tx = self.db.write(&Scope::Tenant(device.tenant_id)).await?;
        let device = locked(&tx, &device, request.row_version).await?;
        members::must_be(&tx, caller, device.id, &[Role::Owner]).await?;
        members::remove_all(&tx, device.id).await?;
        release(&tx, &device).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        acts::changed(&tx, caller, Some(&device), None).await?;
        device.delete(&tx).await?;
        self.commit(tx).await
    }

    async fn commit(&self, tx: DatabaseTransaction) -> Result<()> {
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(())
    }

    /// Where a new device belongs, and what that tenant may have: the caller's tenant, or the one that a platform
    /// owner names. Another tenant than one's own is as unknown as one that does not exist.
    async fn tenant_of_new(&self, caller: &Caller, input: &DeviceInput) -> Result<(TenantId, Tenant)> {
        let named = input.tenant_id.as_deref().filter(|id| !id.is_empty());
        let tenant = match caller.narrow(named) {
            Ok(Scope::Tenant(tenant)) => tenant,
            Ok(Scope::Platform) => return Err(Error::field("tenant_id", "required")),
            Err(_) => return Err(Error::field("tenant_id", "unknown")),
        };
        Ok((tenant, self.people.named_tenant(&self.service_key, &tenant.to_string()).await?))
    }

    /// The owner whom a request names; none when it names nobody.
    async fn owner(&self, tenant: TenantId, user_id: Option<&str>) -> Result<Option<UserId>> {
        let Some(user_id) = user_id.filter(|id| !id.is_empty()) else { return Ok(None) };
        let unknown = || Error::field("user_id", "unknown");
        let id: UserId = user_id.parse().map_err(|_| unknown())?;
        let asking = self.service_key.caller(Scope::Tenant(tenant), None)?;
        self.people.user(&asking, id).await?.ok_or_else(unknown)?;
        Ok(Some(id))
    }
}

/// How devices are listed.
const LIST: List<Column> = List {
    sortable: &[
        ("name", Sort::Plain(Column::NameFolded)),
        ("vehicle_code", Sort::Plain(Column::VehicleCodeFolded)),
        ("imei", Sort::Plain(Column::Imei)),
        ("primary_driver", Sort::Plain(Column::PrimaryDriverFolded)),
        ("icon_type", Sort::Plain(Column::IconType)),
        ("status", Sort::Plain(Column::Status)),
        ("created_at", Sort::Plain(Column::CreatedAt)),
        ("updated_at", Sort::Plain(Column::UpdatedAt)),
    ],
    searched: Searched::Indexed(Column::Search),
    id: Column::Id,
};

/// What a request says of order and search.
fn wanted(request: &ListDevicesRequest) -> Wanted<'_> {
    Wanted { page: request.page, page_size: request.page_size, sort: &request.sort, q: &request.q }
}

/// The devices that a request asks for, of those that the caller sees.
fn filtered(caller: &Caller, scope: Scope, request: &ListDevicesRequest) -> Result<Select<Entity>> {
    let mut rows = Entity::visible_to(caller, scope);
    if let Some(status) = status_of(request.status)? {
        rows = rows.filter(Column::Status.eq(status));
    }
    if let Some(status) = imei_status_of(request.imei_status)? {
        rows = rows.filter(Column::ImeiStatus.eq(status));
    }
    if !request.icon_types.is_empty() {
        let icons: Result<Vec<_>> = request.icon_types.iter().map(|&icon| icon_of(Some(icon))).collect();
        rows = rows.filter(Column::IconType.is_in(icons?.into_iter().flatten()));
    }
    if request.user_ids.len() > USERS_MAX {
        return Err(Error::field("user_ids", "too_many"));
    }
    if !request.user_ids.is_empty() {
        // What is no id is linked to nothing; a list of such narrows to nothing.
        rows = rows.filter(device::linked_to(request.user_ids.iter().filter_map(|id| UserId::from_str(id).ok())));
    }
    Ok(rows)
}

/// Reads a device again for changing it, and refuses it when it is no longer at the version that the caller knows.
async fn locked(tx: &DatabaseTransaction, device: &Model, row_version: Option<i32>) -> Result<Model> {
    let rows = Entity::within(Scope::Tenant(device.tenant_id)).filter(Column::Id.eq(device.id)).lock_exclusive();
    let device = rows.one(tx).await?.ok_or_else(Error::not_found)?;
    if row_version.is_some_and(|version| version != device.row_version) {
        return Err(Error::version_mismatch());
    }
    Ok(device)
}

/// An error when another device of the tenant names the IMEI. Whoever sees that one is told which it is.
async fn named_once(tx: &DatabaseTransaction, caller: &Caller, device: &Model) -> Result<()> {
    let scope = Scope::Tenant(device.tenant_id);
    let other = Condition::all().add(Column::Imei.eq(&device.imei)).add(Column::Id.ne(device.id));
    let Some(other) = Entity::within(scope).filter(other).one(tx).await? else { return Ok(()) };
    let seen = Entity::visible_to(caller, scope).filter(Column::Id.eq(other.id)).one(tx).await?;
    let taken = Error::taken("imei");
    Err(match seen {
        Some(own) => taken.with_field("imei", "taken_by_own").with_conflicting(own.id, &own.name),
        None => taken.with_field("imei", "taken_by_unseen"),
    })
}

/// Gives a device the IMEI that it names, or claims it.
async fn bind_or_claim(tx: &DatabaseTransaction, caller: &Caller, device: &mut Model) -> Result<()> {
    if device.is_bound() { bindings::begin(tx, device).await } else { claims::open(tx, caller, device).await }
}

/// Takes from a device the IMEI that it names. Whoever else waits for it goes on waiting.
async fn release(tx: &DatabaseTransaction, device: &Model) -> Result<()> {
    if device.is_bound() { bindings::end(tx, device).await } else { claims::withdraw(tx, device).await }
}

/// Whether an IMEI went to somebody else in the moment when it was to be bound: then it is claimed like any other that
/// somebody has. Platform owners hear of it instead.
fn may_claim(error: &Error, caller: &Caller, device: &Model) -> bool {
    *error == Error::taken("imei") && device.is_bound() && !caller.is_platform_owner()
}

fn taken(error: sea_orm::DbErr) -> Error {
    Error::on_unique(error, &[("imei", "imei")])
}
