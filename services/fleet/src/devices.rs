//! Devices: admins see all of their scope, others those that they own or are linked to; what one may do with what one
//! sees, roles and the kind of the link say.

mod changed;
pub mod deletion;
pub mod erasing;
mod fuel;
pub mod groups;
mod imei;
mod live_states;
mod new;
mod references;
mod restoring;
mod rules;

use std::{slice, sync::Arc};

use armada_proto::{
    DeviceId, MasterDataId, TenantId, Timestamp, UserId, Violations,
    access::permission::{DEVICE_DELETE, DEVICE_MEMBER_CREATE},
    v1::{
        BulkDevicesRequest, Device, DeviceBinding, DeviceGroupList, DeviceIconType, DeviceInput, DeviceList,
        DeviceStatus, Empty, EraseDeviceInput, GetRequest, ImeiStatus, ImportDevicesRequest, ListDevicesRequest,
        VisibleDevices, VisibleDevicesRequest, devices_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Jobs, Result, Scope, Seal, ServiceKey, acts,
    list::{List, Searched, Sort, among, among_ids, called},
    outbox::OutboxHandle,
    resource::{Acts, Resource, Row, tenant_of_new},
    resource_service,
};
use armada_track::{TrackerId, tracker_id_text};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select,
};
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

pub use self::imei::NamedImei;
use self::{deletion::UNDO_PERIOD, imei::named_once, live_states::in_states};
use crate::{
    device_thresholds, driver_assignments,
    entity::device::{Column, Entity, Model},
    gateways::Gateways,
    heard_imei_lookup::HeardImeiLookup,
    identity::IdentityClient,
    master_data::labels,
    members,
    meters::{Changed, replaced_trackers},
    seen_by,
};

/// The RPCs.
#[derive(Clone)]
pub struct Devices {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) heard_imeis: HeardImeiLookup,
    pub(crate) gateways: Gateways,
    /// For passwords of trackers.
    pub(crate) seal: Seal,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    /// Wakes the sweep of files.
    pub(crate) removed: Arc<Notify>,
    /// Wakes whoever acts on meters.
    pub(crate) meters_changed: Changed,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl devices_server::Devices, for Devices:
        List, Get, Create, Update, Delete, Export, Bulk(BulkDevicesRequest), Import(ImportDevicesRequest);

    async fn visible(&self, request: Request<VisibleDevicesRequest>) -> Result<Response<VisibleDevices>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.visible_to(&caller, request.into_inner()).await?))
    }

    async fn groups(&self, request: Request<Empty>) -> Result<Response<DeviceGroupList>, Status> {
        let caller = Caller::of(&request)?;
        let scope = caller.scope();
        let tx = self.db.read(&scope).await?;
        let items = groups::of_devices(&tx, scope, <Self as Resource>::visible(&caller, scope)).await?;
        Ok(Response::new(DeviceGroupList { items }))
    }

    async fn rules(&self, request: Request<GetRequest>) -> Result<Response<DeviceBinding>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.rules(&caller, &request.into_inner().id).await?))
    }

    async fn restore(&self, request: Request<GetRequest>) -> Result<Response<Device>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.restore(&caller, &request.into_inner().id).await?))
    }

    async fn erase(&self, request: Request<EraseDeviceInput>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.erase(&caller, request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }
}

/// What the password of a tracker is sealed for.
/// What passwords of trackers are sealed for.
pub const PASSWORD: &str = "tracker password";
const PASSWORD_MAX: usize = 64;

/// What became of a device besides what its fields show.
#[derive(Default)]
pub struct Effects {
    has_other_password: bool,
    /// It, when its meters are read from something else than before.
    meters_of: Option<DeviceId>,
    /// All of them, if they were named.
    groups: Option<String>,
}

/// What is asked of others before a device is written.
#[derive(Default, Clone)]
pub struct Prepared {
    /// The owner, where the request says who it is, or that there is none.
    owner: Option<Option<UserId>>,
    /// Devices that the tenant may have; 0 for no limit. Known of a new device alone.
    device_limit: u32,
    /// What becomes of the IMEI, if it is another one than before.
    imei: Option<NamedImei>,
}

impl Resource for Devices {
    type Entity = Entity;
    type Row = Model;
    type Message = Device;
    type Input = DeviceInput;
    type Request = ListDevicesRequest;
    type List = DeviceList;
    type Prepared = Prepared;
    type Effects = Effects;

    const ACTS: Acts = acts!("device");
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
            ("deleted_at", Sort::OrZero(Column::DeletedAt)),
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

    /// Deleted ones too: they are brought back.
    fn reachable(caller: &Caller) -> Select<Entity> {
        let scope = caller.scope();
        let ids = |rows: Select<Entity>| rows.select_only().column(Column::Id).into_query();
        let present = Column::Id.in_subquery(ids(Self::visible(caller, scope)));
        let deleted = Column::Id.in_subquery(ids(Entity::deleted_to(caller, scope)));
        Entity::find().filter(Condition::any().add(present).add(deleted))
    }

    async fn expand(&self, scope: &Scope, request: &mut ListDevicesRequest) -> Result<()> {
        groups::expand(&self.db, scope, &mut request.group_ids).await?;
        if !request.user_ids.is_empty() {
            let seen = seen_by::of(&self.identity, &self.service_key, *scope, &request.user_ids);
            request.seen_by = seen.await?;
        }
        Ok(())
    }

    fn filter(&self, rows: Select<Entity>, request: &ListDevicesRequest) -> Result<Select<Entity>> {
        let known_by = [Column::NameFolded, Column::VehicleCodeFolded, Column::Imei, Column::SimNumber];
        let rows = called(self.db().backend(), rows, &known_by, &request.names);
        let rows = among::<_, DeviceStatus>(rows, Column::Status, request.status);
        let rows = among::<_, ImeiStatus>(rows, Column::ImeiStatus, request.imei_status);
        let rows = among::<_, DeviceIconType>(rows, Column::IconType, request.icon_types.iter().copied());
        let rows = with_entries(rows, request);
        let rows = match (&request.in_states, request.live_states.is_empty()) {
            (_, true) => rows,
            (Some(found), false) => rows.filter(in_states(self.db.backend(), found)),
            // Only the edge knows whom to ask.
            (None, false) => return Err(Error::field("in_states", "required")),
        };
        Ok(match &request.seen_by {
            Some(seen) => rows.filter(seen_by::devices(seen)),
            None => rows,
        })
    }

    /// Deleted ones are for those who can bring them back.
    fn requested(&self, caller: &Caller, scope: Scope, request: &ListDevicesRequest) -> Result<Select<Entity>> {
        if request.in_states.is_some() && caller.believed(request.in_states.as_ref()).is_none() {
            return Err(Error::field("in_states", "invalid"));
        }
        let rows = match request.deleted {
            true if !caller.can(DEVICE_DELETE) => return Err(Error::forbidden()),
            true => Entity::deleted_to(caller, scope),
            false => Self::visible(caller, scope),
        };
        self.filter(rows, request)
    }

    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Device>> {
        let device = |row: &Model| Device {
            warnings: row.warnings(),
            has_password: row.password.is_some(),
            erase_after: row.deleted_at.map(|at| Timestamp::from_millis(at) + UNDO_PERIOD),
            ..row.clone().into()
        };
        let mut devices: Vec<_> = rows.iter().map(device).collect();
        let members = groups::members(tx, &rows).await?;
        let named = references::ids(&rows).chain(members.iter().map(|member| member.group_id));
        let labels = labels(tx, named.collect()).await?;
        references::show(&labels, &rows, &mut devices);
        groups::show(&labels, members, &mut devices);
        Ok(devices)
    }

    async fn show_to(&self, caller: &Caller, tx: &DatabaseTransaction, devices: &mut [Device]) -> Result<()> {
        imei::warn_of_others(tx, caller, devices).await
    }

    fn new_row(caller: &Caller, input: &DeviceInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut DeviceInput, violations: &mut Violations) {
        if let Some(imei) = input.imei.as_mut().filter(|imei| !imei.is_empty()) {
            *imei = tracker_id_text(imei);
            if imei.parse::<TrackerId>().is_err() {
                violations.add("imei", "invalid_imei");
            }
        }
        if input.password.as_ref().is_some_and(|password| password.chars().count() > PASSWORD_MAX) {
            violations.add("password", "too_long");
        }
        fuel::check(before, input, violations);
    }

    fn refusal(violations: Violations) -> Error {
        let is_missing = violations.iter().any(|(name, code)| matches!(name, "imei" | "name") && code == "required");
        let error = Error::from(violations);
        match is_missing {
            true => Error {
                fields: error.fields,
                ..Error::new(Code::Invalid, "device_imei_and_name_required", "IMEI and device name are required.")
            },
            false => error,
        }
    }

    async fn prepare(&self, caller: &Caller, row: &Model, input: &mut DeviceInput) -> Result<Prepared> {
        let imei = match input.imei.as_ref().filter(|imei| **imei != row.imei) {
            Some(imei) => {
                let tenant = self.identity.named_tenant(&self.service_key, &row.tenant_id.to_string()).await?;
                self.imei_statuses(caller, &tenant, vec![imei.clone()]).await?.remove(imei)
            }
            None => None,
        };
        let owner = match input.user_id.as_deref() {
            // An owner who has been removed since may stay what they were.
            Some(id) if row.user_id.is_some_and(|owner| owner.to_string() == id) => Some(row.user_id),
            Some(id) => Some(self.owner(row.tenant_id, id).await?),
            None => None,
        };
        Ok(Prepared { owner, device_limit: 0, imei })
    }

    async fn prepare_new(&self, caller: &Caller, new: &mut [(Model, DeviceInput)]) -> Result<Vec<Prepared>> {
        self.prepare_all(caller, new).await
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        mut input: DeviceInput,
        prepared: Prepared,
    ) -> Result<Effects> {
        members::must_be(tx, caller, row.id, members::MAINTAINERS).await?;
        let imei = row.imei.clone();
        let owner = prepared.owner.unwrap_or(row.user_id);
        if owner != row.user_id {
            // Whoever owns it decides who else sees it: to name another owner is to link somebody.
            members::must_be(tx, caller, row.id, members::OWNERS).await?;
            caller.must(DEVICE_MEMBER_CREATE)?;
        }
        row.user_id = owner;
        if let Some(driver_id) = &input.primary_driver_id {
            driver_assignments::assign(tx, caller, row, driver_id).await?;
        }
        references::apply(tx, row, &mut input).await?;
        let refusal = device_thresholds::refusal_of(&input);
        let effects = self.take_over(row, input)?;
        device_thresholds::check(tx, refusal.into_iter().map(|refusal| (&*row, refusal)).collect()).await?;
        if row.imei != imei {
            // Whoever takes its tracker from it decides whose positions those are.
            members::must_be(tx, caller, row.id, members::OWNERS).await?;
            // None when the request names the IMEI that the device had, and somebody has given it another one since.
            let named = prepared.imei.ok_or_else(Error::version_mismatch)?;
            (row.imei_status, row.own_gateways) = (named.status, named.own_gateways);
            row.imei_reason.clear();
            named_once(tx, caller, slice::from_ref(row)).await?;
        }
        Ok(effects)
    }

    async fn apply_new(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Model],
        inputs: Vec<DeviceInput>,
        prepared: Vec<Prepared>,
    ) -> Result<Vec<Effects>> {
        self.apply_all(tx, caller, rows, inputs, prepared).await
    }

    async fn written_changes(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: &[Model],
        rows: &mut [Model],
        effects: &mut [Effects],
    ) -> Result<()> {
        self.changed(tx, caller, before, rows, effects).await?;
        replaced_trackers::by_imei(tx, caller, before, rows).await
    }

    async fn written_new(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Model],
        effects: &mut [Effects],
    ) -> Result<()> {
        self.written_all(tx, caller, rows, effects).await
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<Effects> {
        members::must_be(tx, caller, row.id, members::OWNERS).await?;
        Ok(Effects::default())
    }

    async fn remove(&self, tx: &DatabaseTransaction, caller: &Caller, row: Model) -> Result<()> {
        deletion::delete(tx, caller, slice::from_ref(&row)).await
    }

    async fn remove_all(&self, tx: &DatabaseTransaction, caller: &Caller, rows: Vec<Model>) -> Result<()> {
        deletion::delete(tx, caller, &rows).await
    }

    async fn committed(&self, effects: Effects) {
        self.meters_changed.notify(effects.meters_of);
    }

    fn unseen_change(effects: &Effects) -> Option<&'static str> {
        effects.has_other_password.then_some("has_other_password")
    }

    fn claim(input: &DeviceInput) -> Option<(&'static str, String)> {
        Some(("imei", input.imei.clone()?))
    }

    fn claimed(row: &Model) -> Option<String> {
        Some(row.imei.clone())
    }

    fn unique(error: DbErr) -> Error {
        Error::on_unique(error, &[("imei", "imei")])
    }

    /// Somebody else bound the IMEI in the moment when this one was to: the next look finds that, and it is claimed like
    /// any other that somebody has.
    fn is_lost_race(error: &Error) -> bool {
        *error == Error::taken("imei")
    }
}

/// Of these rows those with one of the entries of the master data that are asked for.
fn with_entries(mut rows: Select<Entity>, request: &ListDevicesRequest) -> Select<Entity> {
    let asked = [
        (Column::GpsBrandId, &request.gps_brand_ids),
        (Column::GpsModelId, &request.gps_model_ids),
        (Column::VehicleBrandId, &request.vehicle_brand_ids),
        (Column::VehicleModelId, &request.vehicle_model_ids),
        (Column::VehicleStatusId, &request.vehicle_status_ids),
        (Column::WarehouseId, &request.warehouse_ids),
    ];
    for (column, ids) in asked {
        rows = among_ids::<_, MasterDataId>(rows, column, ids);
    }
    match groups::parsed(&request.group_ids) {
        _ if request.group_ids.is_empty() => rows,
        groups => rows.filter(groups::is_in_any(groups)),
    }
}

impl Devices {
    /// Takes over what an input says of a device itself.
    fn take_over(&self, row: &mut Model, mut input: DeviceInput) -> Result<Effects> {
        let has_other_password = input.password.is_some();
        let effects = Effects { has_other_password, groups: input.group_ids.take(), ..Effects::default() };
        if let Some(password) = input.password.take() {
            let sealed = || self.seal.seal(PASSWORD, password.as_bytes());
            row.password = (!password.is_empty()).then(sealed).transpose()?;
        }
        row.apply(input);
        Ok(effects)
    }

    /// The owner whom a request names; none when it names nobody.
    async fn owner(&self, tenant: TenantId, user_id: &str) -> Result<Option<UserId>> {
        if user_id.is_empty() {
            return Ok(None);
        }
        self.identity.named_user(&self.service_key, tenant, user_id).await.map(Some)
    }
}
