use armada_proto::{TenantId, v1};
use armada_runtime::{Scope, folded_columns, row};
use sea_orm::entity::prelude::*;

use super::tenant;

/// A set of permissions under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "role")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    pub name: String,
    /// The name as [`armada_runtime::text::sort_key`] makes it: unique within the tenant, and what it is sorted by.
    pub name_folded: String,
    pub description: String,
    /// What a search looks in: name and description, folded.
    pub search: String,
    /// Key of the template that it was made from, as long as nobody has changed what it says: it follows that template.
    pub template: Option<String>,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name, description);

// Without its numbers, which are counted.
row! {
    Model as v1::Role, v1::RoleInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, created_at, updated_at;
    given: name, description;
    new: ;
}

impl Entity {
    /// The roles of a scope: how every query of this table begins. Those of deleted tenants are in none.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        };
        rows.filter(Column::TenantId.not_in_subquery(tenant::Entity::deleted()))
    }
}
