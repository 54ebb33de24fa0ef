use armada_proto::{
    DeviceId, MaintenanceId, TenantId,
    v1::{self, MaintenanceTrigger},
};
use armada_runtime::{Caller, Scope, folded_columns, row};
use sea_orm::{QuerySelect, QueryTrait, entity::prelude::*};

use super::device;

/// Comes behind every day: of what has no date.
pub const NEVER: &str = "~";
/// Behind everything that a meter can show: of what has no such limit.
pub const NO_LIMIT: i64 = i64::MAX;
/// Comes before every day: what is to be looked at now.
pub const AT_ONCE: &str = "0";
/// Of a meter of which nobody knows what it shows.
pub const UNKNOWN: i64 = -1;

/// A maintenance of a vehicle.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "maintenance")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MaintenanceId,
    pub tenant_id: TenantId,
    pub device_id: DeviceId,
    /// The name of the vehicle, which changes with its own.
    pub device_name: String,
    pub device_name_folded: String,
    /// Its plate, likewise.
    pub vehicle_code: String,
    /// The title.
    pub name: String,
    pub name_folded: String,
    pub status: String,
    pub status_folded: String,
    pub priority: String,
    pub priority_folded: String,
    pub trigger_mode: MaintenanceTrigger,
    /// `YYYY-MM-DD`; empty for none.
    pub due_date: String,
    /// Kilometres; 0 for none.
    pub due_odometer: i32,
    /// 0 for none.
    pub due_engine_hours: i32,
    pub lead_days: i32,
    pub lead_odometer: i32,
    pub lead_engine_hours: i32,
    pub interval_days: i32,
    pub interval_odometer: i32,
    pub interval_engine_hours: i32,
    pub notification_emails: String,
    pub detail: String,
    pub auto_generate_report: bool,
    pub paused: bool,
    /// It was completed and does not come again.
    pub is_done: bool,
    /// `YYYY-MM-DD`; empty for never.
    pub last_done_on: String,
    /// The days from which on it is due soon, due and overdue by its date, or [`NEVER`].
    pub soon_on: String,
    pub due_on: String,
    pub overdue_on: String,
    /// The metres from which on it is, or [`NO_LIMIT`].
    pub soon_m: i64,
    pub due_m: i64,
    pub overdue_m: i64,
    /// The seconds of the engine from which on it is, or [`NO_LIMIT`].
    pub soon_s: i64,
    pub due_s: i64,
    pub overdue_s: i64,
    /// What the meters of the vehicle show, or [`UNKNOWN`]: changes with them.
    pub odometer_m: i64,
    pub engine_s: i64,
    /// When the newest figure was recorded that this takes into account; 0 for none.
    pub metered_at: i64,
    /// The day of that figure; empty for none.
    pub metered_on: String,
    /// No figure that is recorded before can have brought it to another state; [`NO_LIMIT`] where none can.
    pub look_after: i64,
    /// The day on which it will be due, or [`NEVER`].
    pub expected_on: String,
    pub is_forecast: bool,
    /// The next day, in the tenant's time zone, on which it is to be looked at; empty for none.
    pub next_look_on: String,
    /// How often its limits were set anew: what is told, is told once of each.
    pub occurrence: i32,
    /// The worst state that was told of this occurrence: 0 for none, 1 for due soon, 2 for due, 3 for overdue.
    pub announced: i32,
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
    folded: name => name_folded, status => status_folded, priority => priority_folded,
        device_name => device_name_folded;
    search: name, status, detail, device_name, vehicle_code
);

// Without how it stands today, when that will be, and what the meters show.
row! {
    Model as v1::Maintenance, v1::MaintenanceInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, device_id, device_name, vehicle_code, is_forecast, last_done_on, created_at, updated_at;
    given: name, status, priority, trigger_mode, due_date, due_odometer, due_engine_hours, lead_days, lead_odometer,
        lead_engine_hours, interval_days, interval_odometer, interval_engine_hours, notification_emails, detail,
        auto_generate_report, paused;
    new: status = PENDING.to_owned(), priority = "medium".to_owned(),
        trigger_mode = MaintenanceTrigger::Any, lead_days = 7, lead_odometer = 500, lead_engine_hours = 20,
        odometer_m = UNKNOWN, engine_s = UNKNOWN;
}

/// The status of what is to be done.
pub const PENDING: &str = "pending";

impl Entity {
    /// The maintenance of a scope, but for that of deleted tenants: how every query of this table begins.
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

impl Model {
    /// Whether somebody is told of it.
    pub fn is_open(&self) -> bool {
        !self.paused && !self.is_done
    }

    /// Whether what a meter shows matters to it.
    pub fn has_meter_limit(&self) -> bool {
        self.due_m != NO_LIMIT || self.due_s != NO_LIMIT || self.awaits_odometer() || self.awaits_engine()
    }

    /// Whether its odometer limit follows from the first figure that comes.
    pub fn awaits_odometer(&self) -> bool {
        self.counts_odometer() && self.due_odometer == 0 && self.interval_odometer > 0
    }

    /// The same of its limit of engine hours.
    pub fn awaits_engine(&self) -> bool {
        self.counts_engine() && self.due_engine_hours == 0 && self.interval_engine_hours > 0
    }

    /// Whether its date counts.
    pub fn counts_days(&self) -> bool {
        matches!(self.trigger_mode, MaintenanceTrigger::Any | MaintenanceTrigger::Schedule)
    }

    /// Whether its odometer limit counts.
    pub fn counts_odometer(&self) -> bool {
        matches!(self.trigger_mode, MaintenanceTrigger::Any | MaintenanceTrigger::Mileage)
    }

    /// Whether its limit of engine hours counts.
    pub fn counts_engine(&self) -> bool {
        matches!(self.trigger_mode, MaintenanceTrigger::Any | MaintenanceTrigger::EngineHours)
    }
}
