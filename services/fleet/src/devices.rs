//! Devices: admins see all of their scope, others those that they own or are linked to; what one may do with what one
//! sees, roles and the kind of the link say.

mod input;

use std::str::FromStr;

use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    v1::{
        DeleteRequest, Device, DeviceInput, DeviceList, Empty, GetRequest, ListDevicesRequest, VisibleDevices,
        VisibleDevicesRequest, devices_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, ServiceKey,
    list::{Export, List, Sort, Wanted},
    outbox::Bell,
};
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, ModelTrait, QueryFilter, QuerySelect, Select,
};
use tonic::{Request, Response};

use self::input::{apply, check, icon_of, status_of, warnings};
use crate::{
    acts, bindings,
    entity::{
        device::{self, Column, Entity, IconType, Model, Status},
        device_member::Role,
    },
    limits, members,
    people::People,
};

/// Users that one list may be narrowed to.
const USERS_MAX: usize = 500;

/// The RPCs.
pub struct Devices {
    pub(crate) db: Database,
    pub(crate) people: People,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) bell: Bell,
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
        let (tenant, limit) = self.tenant_of_new(caller, &input).await?;
        let owner = self.owner(tenant, input.user_id.as_deref()).await?.or_else(|| members::own_eyes(caller));
        let warnings = warnings(&input);
        let now = Timestamp::now().millis();
        let mut device = Model {
            id: DeviceId::new(),
            tenant_id: tenant,
            user_id: owner,
            imei: String::new(),
            name: String::new(),
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
            vehicle_type: String::new(),
            primary_driver: String::new(),
        };
        apply(input, &mut device)?;
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        limits::one_more_device(&tx, tenant, limit).await?;
        let mut device = device.into_active_model().insert(&tx).await.map_err(taken)?;
        bindings::begin(&tx, &mut device).await?;
        members::set_owner(&tx, &device).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        acts::changed(&tx, caller, None, Some(&device)).await?;
        self.commit(tx).await?;
        Ok(Device { warnings, ..device.into() })
    }

    async fn change(&self, caller: &Caller, mut input: DeviceInput) -> Result<Device> {
        let before = self.one(caller, &input.id).await?;
        check(&mut input, false)?;
        if input.tenant_id.as_ref().is_some_and(|wanted| *wanted != before.tenant_id.to_string()) {
            return Err(Error::field("tenant_id", "not_changeable"));
        }
        // An owner who has been removed since may stay what they were.
        let named = input.user_id.as_deref().filter(|id| before.user_id.is_none_or(|owner| owner.to_string() != *id));
        let owner = match named {
            Some(id) => self.owner(before.tenant_id, Some(id)).await?,
            None => before.user_id.filter(|_| input.user_id.is_some()),
        };
        let warnings = warnings(&input);
        let tx = self.db.write(&Scope::Tenant(before.tenant_id)).await?;
        let before = locked(&tx, &before, input.row_version).await?;
        members::must_be(&tx, caller, before.id, &[Role::Owner, Role::Technician]).await?;
        let mut device = before.clone();
        if input.user_id.is_some() {
            device.user_id = owner;
        }
        apply(input, &mut device)?;
        device.row_version += 1;
        device.updated_at = Timestamp::now().millis();
        let mut device = device.into_active_model().reset_all().update(&tx).await.map_err(taken)?;
        if device.imei != before.imei {
            bindings::end(&tx, &before).await?;
            bindings::begin(&tx, &mut device).await?;
        }
        if device.user_id != before.user_id {
            members::set_owner(&tx, &device).await?;
        }
        bindings::mark(&tx, &device, &before.imei).await?;
        acts::changed(&tx, caller, Some(&before), Some(&device)).await?;
        self.commit(tx).await?;
        Ok(Device { warnings, ..device.into() })
    }

    async fn remove(&self, caller: &Caller, request: &DeleteRequest) -> Result<()> {
        let device = self.one(caller, &request.id).await?;
        let tx = self.db.write(&Scope::Tenant(device.tenant_id)).await?;
        let device = locked(&tx, &device, request.row_version).await?;
        members::must_be(&tx, caller, device.id, &[Role::Owner]).await?;
        members::remove_all(&tx, device.id).await?;
        bindings::end(&tx, &device).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        acts::changed(&tx, caller, Some(&device), None).await?;
        device.delete(&tx).await?;
        self.commit(tx).await
    }

    async fn commit(&self, tx: DatabaseTransaction) -> Result<()> {
        tx.commit().await?;
        self.bell.ring().await;
        Ok(())
    }

    /// Where a new device belongs, and how many that tenant may have: the caller's tenant, or the one that a platform
    /// owner names. Another tenant than one's own is as unknown as one that does not exist.
    async fn tenant_of_new(&self, caller: &Caller, input: &DeviceInput) -> Result<(TenantId, u32)> {
        let named = input.tenant_id.as_deref().filter(|id| !id.is_empty());
        let tenant = match caller.narrow(named) {
            Ok(Scope::Tenant(tenant)) => tenant,
            Ok(Scope::Platform) => return Err(Error::field("tenant_id", "required")),
            Err(_) => return Err(Error::field("tenant_id", "unknown")),
        };
        let asking = self.service_key.caller(Scope::Tenant(tenant), None)?;
        let found = self.people.tenant(&asking, tenant).await?;
        let found = found.ok_or_else(|| Error::field("tenant_id", "unknown"))?;
        Ok((tenant, found.device_limit))
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
        ("name", Sort::Folded(Column::Name)),
        ("vehicle_code", Sort::Folded(Column::VehicleCode)),
        ("imei", Sort::Plain(Column::Imei)),
        ("primary_driver", Sort::Folded(Column::PrimaryDriver)),
        ("icon_type", Sort::Plain(Column::IconType)),
        ("status", Sort::Plain(Column::Status)),
        ("created_at", Sort::Plain(Column::CreatedAt)),
        ("updated_at", Sort::Plain(Column::UpdatedAt)),
    ],
    searched: Column::Search,
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

/// Whichever tenant has the IMEI, the answer is the same.
fn taken(error: sea_orm::DbErr) -> Error {
    Error::on_unique(error, &[("imei", "imei")])
}
