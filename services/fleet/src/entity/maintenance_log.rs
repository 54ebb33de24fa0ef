use armada_proto::{DeviceId, MaintenanceId, MaintenanceLogId, TenantId, v1};
use armada_runtime::{Caller, Scope, folded_columns, row};
use sea_orm::{QuerySelect, QueryTrait, entity::prelude::*};

use super::device;

/// That a maintenance was completed once.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "maintenance_log")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MaintenanceLogId,
    pub tenant_id: TenantId,
    /// None when it was removed since.
    pub maintenance_id: Option<MaintenanceId>,
    pub device_id: DeviceId,
    /// The name of the vehicle, which changes with its own.
    pub device_name: String,
    pub device_name_folded: String,
    /// Its plate, likewise.
    pub vehicle_code: String,
    /// The title of the maintenance, as it was.
    pub name: String,
    pub name_folded: String,
    /// `YYYY-MM-DD`.
    pub done_on: String,
    /// In the minor unit.
    pub cost: i64,
    pub currency: String,
    pub vendor: String,
    pub vendor_folded: String,
    /// Kilometres; 0 when nobody knows.
    pub odometer: i32,
    /// 0 when nobody knows.
    pub engine_hours: i32,
    pub parts: String,
    pub notes: String,
    /// When it was due: `YYYY-MM-DD`, or empty.
    pub due_date: String,
    pub due_odometer: i32,
    pub due_engine_hours: i32,
    pub is_late: bool,
    /// Since when a report of it is to be made; none when it is there, or not wanted.
    pub report_at: Option<i64>,
    /// What a search looks in, folded.
    pub search: String,
    /// Since when it is hidden, because its tenant is deleted.
    pub hidden_at: Option<i64>,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(
    ActiveModel;
    folded: name => name_folded, vendor => vendor_folded, device_name => device_name_folded;
    search: name, vendor, parts, notes, device_name, vehicle_code
);

// Without its files.
row! {
    Model as v1::MaintenanceLog, v1::MaintenanceLogInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, maintenance_id, device_id, device_name, vehicle_code, name, currency, due_date, due_odometer,
        due_engine_hours, is_late, created_at, updated_at;
    given: done_on, cost, vendor, odometer, engine_hours, parts, notes;
    new: ;
}

impl Entity {
    /// What was completed in a scope, but for that of deleted tenants: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)));
        rows.filter(Column::HiddenAt.is_null())
    }

    /// What a caller sees of a scope, which must be theirs: admins everything, others that of vehicles that they are
    /// linked to.
    pub fn visible_to(caller: &Caller, scope: Scope) -> Select<Self> {
        let rows = Self::within(scope);
        if caller.grant.is_none() || caller.is_admin() {
            return rows;
        }
        let devices = device::Entity::visible_to(caller, scope).select_only().column(device::Column::Id);
        rows.filter(Column::DeviceId.in_subquery(devices.into_query()))
    }
}
