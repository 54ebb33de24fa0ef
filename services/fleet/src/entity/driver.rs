use armada_proto::{
    DriverId, TenantId,
    v1::{self, DriverStatus},
};
use armada_runtime::{Scope, folded_columns, row};
use sea_orm::entity::prelude::*;

/// A person who drives vehicles.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "driver")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DriverId,
    pub tenant_id: TenantId,
    pub name: String,
    /// What it is sorted by: the name as [`armada_runtime::text::sort_key`] makes it.
    pub name_folded: String,
    pub status: DriverStatus,
    pub phone: String,
    pub email: String,
    pub license_number: String,
    pub license_class: String,
    /// `YYYY-MM-DD`; empty for unknown.
    pub license_expiry: String,
    pub vehicle_type: String,
    pub license_plate: String,
    /// It, folded.
    pub license_plate_folded: String,
    pub home_base: String,
    /// It, folded.
    pub home_base_folded: String,
    /// Letters and digits of a card or key; unique in a tenant unless it is empty.
    pub identification: String,
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
    folded: name => name_folded, license_plate => license_plate_folded, home_base => home_base_folded;
    search: name, email, phone, license_plate, license_number, identification
);

row! {
    Model as v1::Driver, v1::DriverInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, created_at, updated_at;
    given: name, status, phone, email, license_number, license_class, license_expiry, vehicle_type, license_plate,
        home_base, identification, notes;
    new: status = DriverStatus::Available;
}

impl Entity {
    /// The drivers of a scope, but for those of deleted tenants: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)));
        rows.filter(Column::HiddenAt.is_null())
    }
}
