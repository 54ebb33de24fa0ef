use armada_proto::{
    DeviceId, DriverId, MasterDataId, TenantId, UserId,
    v1::{self, DeviceIconType, DeviceMemberRole, DeviceStatus, FuelSource, IgnitionWire, ImeiStatus, MeterSource},
};
use armada_runtime::{Caller, Scope, folded_columns, row};
use armada_track::{FuelSensor, Imei, has_almost_imei_digits};
use sea_orm::{
    Condition, QuerySelect, QueryTrait,
    entity::prelude::*,
    sea_query::{ExprTrait, SelectStatement},
};

use super::device_member;

/// A vehicle with its tracker.
#[derive(Clone, Debug, Default, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "device")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DeviceId,
    pub tenant_id: TenantId,
    /// The owner, who is also a member with that role.
    pub user_id: Option<UserId>,
    /// By what its tracker is known: an IMEI, or what it calls itself otherwise, see [`armada_track::TrackerId`]. Within a tenant
    /// one device names it, on the platform one is bound to it.
    pub imei: String,
    pub name: String,
    /// What it is sorted by: the name as [`armada_runtime::text::sort_key`] makes it.
    pub name_folded: String,
    pub sim_number: String,
    /// Seconds; 0 for never.
    pub max_parking_time: i64,
    /// km/h; 0 for none.
    pub speed_limit: i32,
    pub status: DeviceStatus,
    /// Fixes of the IMEI before this instant belonged to somebody else; 0 when nobody had it before.
    pub bound_from: i64,
    /// What a search looks in, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
    pub icon_type: DeviceIconType,
    /// The number plate, or the fleet's own code.
    pub vehicle_code: String,
    /// It, folded.
    pub vehicle_code_folded: String,
    pub vehicle_type_id: Option<MasterDataId>,
    /// Who usually drives.
    pub primary_driver_id: Option<DriverId>,
    /// Their name, which changes with theirs.
    pub primary_driver: String,
    /// It, folded.
    pub primary_driver_folded: String,
    /// Since when it is hidden, because its tenant is deleted.
    pub hidden_at: Option<i64>,
    /// Since when it is deleted itself.
    pub deleted_at: Option<i64>,
    /// Who deleted it.
    pub deleted_by: Option<UserId>,
    pub imei_status: ImeiStatus,
    /// Why the IMEI was refused; empty for none.
    pub imei_reason: String,
    pub gps_brand_id: Option<MasterDataId>,
    pub gps_model_id: Option<MasterDataId>,
    pub gps_protocol_id: Option<MasterDataId>,
    pub vehicle_brand_id: Option<MasterDataId>,
    pub vehicle_model_id: Option<MasterDataId>,
    pub vehicle_status_id: Option<MasterDataId>,
    pub device_category_id: Option<MasterDataId>,
    pub cargo_category_id: Option<MasterDataId>,
    pub temperature_range_id: Option<MasterDataId>,
    pub warehouse_id: Option<MasterDataId>,
    pub tracker_serial_number: String,
    pub engine_number: String,
    pub chassis_number: String,
    /// `YYYY-MM-DD`; empty for unknown.
    pub license_expiry: String,
    /// Cubic metres; 0 for unknown.
    pub capacity_volume: f64,
    /// Kilograms; 0 for unknown.
    pub capacity_weight: i32,
    pub has_hazmat_certificate: bool,
    /// Litres; 0 for unknown.
    pub fuel_capacity: i32,
    pub maintenance_status: String,
    pub wms_routing_profile: String,
    /// Ids with commas between; empty for everywhere.
    pub allowed_zones: String,
    /// Of the tracker, sealed.
    pub password: Option<Vec<u8>>,
    /// From what its meters are read.
    pub odometer_source: MeterSource,
    pub engine_hours_source: MeterSource,
    /// Thresholds of its own, none for those of its tenant: km/h from which it moves.
    pub moving_speed: Option<i32>,
    pub stop_seconds: Option<i32>,
    /// Metres.
    pub min_trip_distance: Option<i32>,
    pub min_trip_seconds: Option<i32>,
    pub idle_seconds: Option<i32>,
    pub idle_alert_seconds: Option<i32>,
    pub gap_seconds: Option<i32>,
    pub stale_seconds: Option<i32>,
    pub offline_seconds: Option<i32>,
    /// Metres.
    pub tow_distance: Option<i32>,
    /// Whether its tracker is connected to the ignition.
    pub ignition_wire: IgnitionWire,
    /// From which of the values that are reported its fuel is read.
    pub fuel_source: FuelSource,
    /// The name of that value, where it is an attribute.
    pub fuel_attribute: String,
    /// As [`armada_track::FuelTable`] writes it; empty for none.
    pub fuel_table: String,
    /// Of its IMEI, which can be guessed, it has what comes through the gateways of its tenant alone.
    pub own_gateways: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(
    ActiveModel;
    folded: name => name_folded, vehicle_code => vehicle_code_folded, primary_driver => primary_driver_folded;
    search: name, vehicle_code, imei, sim_number, primary_driver
);

// Without what the master data and its groups are called, and whether there is a password.
row! {
    Model as v1::Device, v1::DeviceInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, user_id, primary_driver_id, primary_driver, created_at, updated_at, imei_status, imei_reason,
        gps_brand_id, gps_model_id, gps_protocol_id, vehicle_brand_id, vehicle_model_id, vehicle_status_id, vehicle_type_id,
        device_category_id, cargo_category_id, temperature_range_id, warehouse_id, deleted_at, deleted_by;
    given: imei, name, sim_number, max_parking_time, speed_limit, status, icon_type, vehicle_code,
        tracker_serial_number, engine_number, chassis_number, license_expiry, capacity_volume, capacity_weight, has_hazmat_certificate,
        fuel_capacity, maintenance_status, wms_routing_profile, allowed_zones, odometer_source, engine_hours_source,
        moving_speed, stop_seconds, min_trip_distance, min_trip_seconds, idle_seconds, idle_alert_seconds, gap_seconds,
        stale_seconds, offline_seconds, tow_distance, ignition_wire, fuel_source, fuel_attribute, fuel_table;
    new: status = DeviceStatus::Active, icon_type = DeviceIconType::Car, imei_status = ImeiStatus::Bound,
        odometer_source = MeterSource::Device, engine_hours_source = MeterSource::Computed,
        fuel_source = FuelSource::Liter, ignition_wire = IgnitionWire::Found;
}

impl Entity {
    /// The devices of a scope: how every query of this table begins, unless it begins with what a caller sees. Those that
    /// are deleted, and those of deleted tenants, are in none.
    pub fn within(scope: Scope) -> Select<Self> {
        Self::all(scope).filter(is_there())
    }

    fn all(scope: Scope) -> Select<Self> {
        scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)))
    }

    /// The ids of those that are deleted or of deleted tenants, for what belongs to them and is hidden with them.
    pub fn hidden() -> SelectStatement {
        // As an index says it, which has these alone.
        let is_hidden = Condition::any().add(Column::HiddenAt.is_not_null()).add(Column::DeletedAt.is_not_null());
        Self::find().select_only().column(Column::Id).filter(is_hidden).into_query()
    }

    /// Those of a scope that are deleted or of deleted tenants.
    pub fn hidden_in(scope: Scope) -> Select<Self> {
        Self::all(scope).filter(is_there().not())
    }

    /// The ids of those that are deleted themselves: what belongs to them does not come back with their tenant.
    pub fn deleted() -> SelectStatement {
        Self::find().select_only().column(Column::Id).filter(Column::DeletedAt.is_not_null()).into_query()
    }

    /// The deleted ones of a scope that a caller can bring back: admins all, others what they owned.
    pub fn deleted_to(caller: &Caller, scope: Scope) -> Select<Self> {
        let rows = Self::all(scope).filter(Column::DeletedAt.is_not_null()).filter(Column::HiddenAt.is_null());
        match &caller.grant {
            Some(grant) if !caller.is_admin() => {
                let owned = device_member::Entity::devices_of([grant.user_id], &[DeviceMemberRole::Owner]);
                rows.filter(Column::Id.in_subquery(owned))
            }
            _ => rows,
        }
    }

    /// The devices to which fixes come.
    pub fn bound() -> Select<Self> {
        Self::within(Scope::Platform).filter(Column::ImeiStatus.eq(ImeiStatus::Bound))
    }

    /// What a caller sees of a scope, which must be theirs: admins everything, others what they are linked to.
    pub fn visible_to(caller: &Caller, scope: Scope) -> Select<Self> {
        match &caller.grant {
            Some(grant) if !caller.is_admin() => Self::within(scope).filter(linked_to([grant.user_id])),
            _ => Self::within(scope),
        }
    }
}

/// Neither deleted nor of a deleted tenant.
pub fn is_there() -> Condition {
    let column = |column| Expr::col((Entity, column));
    Condition::all().add(column(Column::HiddenAt).is_null()).add(column(Column::DeletedAt).is_null())
}

impl Model {
    /// Whether the fixes of its IMEI come to it while it is there.
    pub fn is_bound(&self) -> bool {
        self.imei_status == ImeiStatus::Bound
    }

    /// How its fuel is read.
    pub fn fuel_sensor(&self) -> FuelSensor {
        let tank = u32::try_from(self.fuel_capacity).unwrap_or_default();
        let table = self.fuel_table.parse().unwrap_or_default();
        FuelSensor::new(self.fuel_source, self.fuel_attribute.clone(), tank, table)
    }

    /// What was accepted although it looks wrong, as codes.
    pub fn warnings(&self) -> Vec<String> {
        let warning = match self.imei.parse::<Imei>() {
            Ok(imei) if !imei.check_digit_ok() => "imei_check_digit",
            Err(_) if has_almost_imei_digits(&self.imei) => "imei_length",
            _ => return Vec::new(),
        };
        vec![warning.to_owned()]
    }
}

/// Devices that one of the users owns or is linked to now.
pub fn linked_to(users: impl IntoIterator<Item = UserId>) -> Expr {
    Column::Id.in_subquery(device_member::Entity::devices_of(users, &[]))
}

impl From<Model> for v1::DeviceBinding {
    fn from(row: Model) -> Self {
        Self {
            fuel: row.fuel_sensor().to_binding(),
            device_id: row.id.to_string(),
            tenant_id: row.tenant_id.to_string(),
            bound_from: row.bound_from,
            own_gateways: row.own_gateways,
            row_version: row.row_version,
            name: row.name,
            vehicle_code: row.vehicle_code,
            icon_type: row.icon_type.into(),
            primary_driver: row.primary_driver,
            inactive: row.status == DeviceStatus::Inactive,
            // What is corrected is not known here: `meters/rules.rs` adds it.
            odometer: None,
            engine_hours: None,
            max_parking_time: u32::try_from(row.max_parking_time).unwrap_or(u32::MAX),
            speed_limit: u32::try_from(row.speed_limit).unwrap_or_default(),
            // Neither is what its tenant says: `bindings.rs` adds it.
            thresholds: None,
            // And when its tracker was replaced.
            replaced_trackers: Vec::new(),
        }
    }
}
