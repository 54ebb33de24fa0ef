use armada_proto::{
    DeviceId, DocumentId, DriverId, TenantId,
    access::permission::DRIVER_LIST,
    v1::{self, DocumentKind, DocumentSubject},
};
use armada_runtime::{Caller, Scope, folded_columns, row};
use sea_orm::{Condition, QuerySelect, QueryTrait, entity::prelude::*};

use super::device;

/// When somebody is reminded of a document, unless they say otherwise.
const REMINDER_DAYS: &str = "30,14,7,1,0";

/// A document of a vehicle or of a driver.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "document")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DocumentId,
    pub tenant_id: TenantId,
    pub kind: DocumentKind,
    pub name: String,
    pub name_folded: String,
    pub number: String,
    pub number_folded: String,
    /// The vehicle, or [`Model::driver_id`].
    pub device_id: Option<DeviceId>,
    pub driver_id: Option<DriverId>,
    /// The name of either, which changes with theirs.
    pub subject_name: String,
    pub subject_name_folded: String,
    /// The plate, or the number of the license.
    pub subject_code: String,
    /// `YYYY-MM-DD`; empty for unknown.
    pub issued_on: String,
    /// `YYYY-MM-DD`; empty for one that does not expire.
    pub expires_on: String,
    /// It, or what comes behind every day: how they are sorted.
    pub expiry_order: String,
    /// Days before the last one, the most first, with commas between.
    pub reminder_days: String,
    /// The next day, in the tenant's time zone, on which somebody is reminded; empty for none.
    pub next_reminder_on: String,
    pub notes: String,
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
    folded: name => name_folded, number => number_folded, subject_name => subject_name_folded;
    search: name, number, subject_name, subject_code
);

// Without its files and how it stands today.
row! {
    Model as v1::Document, v1::DocumentInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, device_id, driver_id, subject_name, subject_code, created_at, updated_at;
    given: kind, name, number, issued_on, expires_on, reminder_days, notes;
    new: reminder_days = REMINDER_DAYS.to_owned();
}

impl Entity {
    /// The documents of a scope, but for those of deleted tenants: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)));
        rows.filter(Column::HiddenAt.is_null())
    }

    /// What a caller sees of a scope, which must be theirs: admins everything, others what belongs to vehicles that they
    /// are linked to, and to drivers if they may see those.
    pub fn visible_to(caller: &Caller, scope: Scope) -> Select<Self> {
        let rows = Self::within(scope);
        if caller.grant.is_none() || caller.is_admin() {
            return rows;
        }
        let devices = device::Entity::visible_to(caller, scope).select_only().column(device::Column::Id);
        let mut seen = Condition::any().add(Column::DeviceId.in_subquery(devices.into_query()));
        if caller.can(DRIVER_LIST) {
            seen = seen.add(Column::DriverId.is_not_null());
        }
        rows.filter(seen)
    }
}

impl Model {
    /// Whose it is.
    pub fn subject(&self) -> DocumentSubject {
        if self.device_id.is_some() { DocumentSubject::Vehicle } else { DocumentSubject::Driver }
    }
}
