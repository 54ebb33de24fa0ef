//! Devices: admins see all of their scope, others those that they own or are linked to; what one may do with what one
//! sees, roles and the kind of the link say.

use std::str::FromStr;

use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    v1::{
        DeleteRequest, Device, DeviceIconType, DeviceInput, DeviceList, DeviceStatus, Empty, GetRequest,
        ListDevicesRequest, VisibleDevices, VisibleDevicesRequest, devices_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Fields, Result, Scope, ServiceKey,
    list::{Export, List, Sort, Wanted},
    outbox::Bell,
};
use armada_track::Imei;
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, ModelTrait, QueryFilter, QuerySelect, Select,
};
use tonic::{Request, Response};

use crate::{
    acts, bindings,
    entity::{
        device::{self, Column, Entity, IconType, Model, Status},
        device_member::Role,
    },
    limits, members,
    people::People,
};

const NAME_MAX: usize = 200;
const SIM_NUMBER_MAX: usize = 40;
const VEHICLE_CODE_MAX: usize = 32;
const VEHICLE_TYPE_MAX: usize = 64;
const PRIMARY_DRIVER_MAX: usize = 100;
/// A year.
const PARKING_MAX_SECONDS: u32 = 365 * 24 * 3600;
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

/// Brings the input into the form in which it is stored, or says what is wrong with it.
fn check(input: &mut DeviceInput, creating: bool) -> Result<()> {
    let mut fields = Fields::default();
    fields.require("imei", input.imei.as_deref(), creating);
    fields.require("name", input.name.as_deref(), creating);
    fields.check().map_err(|error| Error {
        fields: error.fields,
        ..Error::new(Code::Invalid, "device_imei_and_name_required", "IMEI and device name are required.")
    })?;
    let mut fields = Fields::default();
    if let Some(imei) = &mut input.imei {
        *imei = imei.trim().to_owned();
        if imei.parse::<Imei>().is_err() {
            fields.wrong("imei", "invalid_imei");
        }
    }
    fields.line("name", &mut input.name, NAME_MAX);
    fields.line("sim_number", &mut input.sim_number, SIM_NUMBER_MAX);
    fields.line("vehicle_code", &mut input.vehicle_code, VEHICLE_CODE_MAX);
    fields.line("vehicle_type", &mut input.vehicle_type, VEHICLE_TYPE_MAX);
    fields.line("primary_driver", &mut input.primary_driver, PRIMARY_DRIVER_MAX);
    if input.max_parking_time.is_some_and(|seconds| seconds > PARKING_MAX_SECONDS) {
        fields.wrong("max_parking_time", "too_large");
    }
    if status_of(input.status).is_err() {
        fields.wrong("status", "invalid");
    }
    if icon_of(input.icon_type).is_err() {
        fields.wrong("icon_type", "invalid");
    }
    fields.check()
}

/// The status that a request names, if any.
fn status_of(number: Option<i32>) -> Result<Option<Status>> {
    match DeviceStatus::try_from(number.unwrap_or_default()) {
        Ok(DeviceStatus::Unspecified) => Ok(None),
        Ok(DeviceStatus::Active) => Ok(Some(Status::Active)),
        Ok(DeviceStatus::Inactive) => Ok(Some(Status::Inactive)),
        Err(_) => Err(Error::field("status", "invalid")),
    }
}

/// The icon that a request names, if any.
fn icon_of(number: Option<i32>) -> Result<Option<IconType>> {
    Ok(match DeviceIconType::try_from(number.unwrap_or_default()) {
        Ok(DeviceIconType::Unspecified) => None,
        Ok(DeviceIconType::Car) => Some(IconType::Car),
        Ok(DeviceIconType::Van) => Some(IconType::Van),
        Ok(DeviceIconType::Pickup) => Some(IconType::Pickup),
        Ok(DeviceIconType::Truck) => Some(IconType::Truck),
        Ok(DeviceIconType::Bus) => Some(IconType::Bus),
        Ok(DeviceIconType::Motorcycle) => Some(IconType::Motorcycle),
        Ok(DeviceIconType::HeavyEquipment) => Some(IconType::HeavyEquipment),
        Err(_) => return Err(Error::field("icon_type", "invalid")),
    })
}

/// What is accepted although it looks wrong.
fn warnings(input: &DeviceInput) -> Vec<String> {
    let imei = input.imei.as_deref().and_then(|imei| imei.parse::<Imei>().ok());
    if imei.is_some_and(|imei| !imei.check_digit_ok()) { vec!["imei_check_digit".to_owned()] } else { Vec::new() }
}

/// Takes over what is present, but for the owner and the tenant.
fn apply(input: DeviceInput, device: &mut Model) -> Result<()> {
    if let Some(status) = status_of(input.status)? {
        device.status = status;
    }
    if let Some(icon) = icon_of(input.icon_type)? {
        device.icon_type = icon;
    }
    if let Some(seconds) = input.max_parking_time {
        device.max_parking_time = seconds.into();
    }
    let texts = [
        (input.imei, &mut device.imei),
        (input.name, &mut device.name),
        (input.sim_number, &mut device.sim_number),
        (input.vehicle_code, &mut device.vehicle_code),
        (input.vehicle_type, &mut device.vehicle_type),
        (input.primary_driver, &mut device.primary_driver),
    ];
    for (text, column) in texts {
        if let Some(text) = text {
            *column = text;
        }
    }
    device.search = device.searched();
    Ok(())
}

/// Whichever tenant has the IMEI, the answer is the same.
fn taken(error: sea_orm::DbErr) -> Error {
    Error::on_unique(error, &[("imei", "imei")])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(imei: &str, name: &str) -> DeviceInput {
        DeviceInput { imei: Some(imei.to_owned()), name: Some(name.to_owned()), ..DeviceInput::default() }
    }

    #[test]
    fn imei_and_name_are_required() {
        for (mut input, wrong) in [
            (DeviceInput::default(), 2),
            (input("", "  "), 2),
            (input("490154203237518", ""), 1),
            (input(" ", "B 1234 XY"), 1),
        ] {
            let error = check(&mut input, true).unwrap_err();
            assert_eq!(error.code, "device_imei_and_name_required");
            assert_eq!(error.fields.len(), wrong, "{:?}", error.fields);
        }
        assert!(check(&mut DeviceInput::default(), false).is_ok());
        assert!(check(&mut input("490154203237518", ""), false).is_err());
    }

    #[test]
    fn imeis_have_fifteen_digits() {
        for imei in ["49015420323751", "4901542032375180", "49015420323751x", "४90154203237518", "490154203237 18"] {
            assert_eq!(check(&mut input(imei, "x"), true).unwrap_err().fields["imei"], "invalid_imei", "{imei}");
        }
        let mut good = input(" 490154203237518 ", "x");
        check(&mut good, true).unwrap();
        assert_eq!(good.imei.as_deref(), Some("490154203237518"));
        assert!(warnings(&good).is_empty());
        assert_eq!(warnings(&input("490154203237519", "x")), ["imei_check_digit"]);
    }

    #[test]
    fn other_fields_are_bounded() {
        let mut wrong = DeviceInput {
            sim_number: Some("1".repeat(41)),
            max_parking_time: Some(u32::MAX),
            status: Some(9),
            ..input("490154203237518", "a\u{202e}b")
        };
        let fields = check(&mut wrong, true).unwrap_err().fields;
        let codes = ["name", "sim_number", "max_parking_time", "status"].map(|name| fields[name].as_str());
        assert_eq!(codes, ["invalid_characters", "too_long", "too_large", "invalid"]);
    }
}
