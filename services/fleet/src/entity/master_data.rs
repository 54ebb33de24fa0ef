use armada_proto::{
    MasterDataId, TenantId, Timestamp,
    v1::{self, DeviceIconType, MasterDataKind},
};
use armada_runtime::{Scope, folded_columns, row};
use sea_orm::{Condition, entity::prelude::*};

use super::hidden_tenant;

/// What the fields of devices choose from.
#[derive(Clone, Debug, Default, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "master_data")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MasterDataId,
    /// None for what the platform has for all tenants.
    pub tenant_id: Option<TenantId>,
    pub kind: MasterDataKind,
    /// Unique among those of its kind under the same parent.
    pub name: String,
    pub name_folded: String,
    /// The name, of a model behind that of its brand.
    pub label: String,
    /// What it is sorted by: the label, folded.
    pub label_folded: String,
    /// The brand of a model, the group that a group lies in.
    pub parent_id: Option<MasterDataId>,
    pub protocol_id: Option<MasterDataId>,
    /// 0 for unknown.
    pub port: i32,
    /// Words with commas between.
    pub reports: String,
    pub vehicle_type_id: Option<MasterDataId>,
    /// `unspecified` where there is nothing to be drawn.
    pub icon_type: DeviceIconType,
    /// Litres; 0 for unknown.
    pub fuel_capacity: i32,
    /// °C.
    pub min_temperature: f64,
    /// °C.
    pub max_temperature: f64,
    pub address: String,
    /// Degrees north.
    pub lat: Option<f64>,
    /// Degrees east.
    pub lng: Option<f64>,
    pub description: String,
    /// What a search looks in, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(
    ActiveModel; folded: name => name_folded, label => label_folded; search: label, address, description
);

// Without the names of what its ids name, which are looked up.
row! {
    Model as v1::MasterDataEntry, v1::MasterDataEntryInput, tenant: |row| row.tenant_id;
    made: id, tenant_id, kind, label, parent_id, protocol_id, vehicle_type_id, created_at, updated_at;
    given: name, port, reports, icon_type, fuel_capacity, min_temperature, max_temperature, address, lat, lng,
        description;
}

impl Model {
    /// An entry as it begins.
    pub fn new(tenant_id: Option<TenantId>, kind: MasterDataKind) -> Self {
        let now = Timestamp::now().millis();
        Self {
            id: MasterDataId::new(),
            tenant_id,
            kind,
            row_version: 1,
            created_at: now,
            updated_at: now,
            ..Self::default()
        }
    }

    /// How a model is called: behind its brand.
    pub fn label_behind(&self, brand: &str) -> String {
        format!("{brand} {}", self.name)
    }

    /// The entries that are there for everybody for whom this one is: an entry of the platform names none of a tenant.
    pub fn nameable(&self) -> Select<Entity> {
        match self.tenant_id {
            Some(tenant) => Entity::within(Scope::Tenant(tenant)),
            None => Entity::find().filter(Column::TenantId.is_null()),
        }
    }
}

impl Entity {
    /// What may be chosen in a scope: its own entries and those of the platform.
    pub fn within(scope: Scope) -> Select<Self> {
        let shown = Self::find().filter(hidden_tenant::Entity::is_shown(Column::TenantId));
        match scope {
            Scope::Tenant(tenant) => {
                let own = Condition::any().add(Column::TenantId.eq(tenant)).add(Column::TenantId.is_null());
                shown.filter(own)
            }
            Scope::Platform => shown,
        }
    }

    /// What may be changed in a scope: its own entries.
    pub fn owned_by(scope: Scope) -> Select<Self> {
        let shown = Self::find().filter(hidden_tenant::Entity::is_shown(Column::TenantId));
        scope.tenant().map_or(shown.clone(), |tenant| shown.filter(Column::TenantId.eq(tenant)))
    }
}
