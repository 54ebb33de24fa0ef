use armada_proto::{TenantId, Timestamp, v1};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

/// A customer of the platform.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TenantId,
    pub name: String,
    pub description: String,
    /// IANA name.
    pub time_zone: String,
    pub active: bool,
    /// Made by `armada seed --demo`.
    pub is_demo: bool,
    /// What a search looks in: the name in lower case.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The tenants of a scope, which is one or all: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find_by_id(tenant),
            Scope::Platform => Self::find(),
        }
    }
}

impl From<Model> for v1::Tenant {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            description: row.description,
            time_zone: row.time_zone,
            active: row.active,
            row_version: row.row_version,
            created_at: Some(Timestamp::from_millis(row.created_at)),
            updated_at: Some(Timestamp::from_millis(row.updated_at)),
            is_demo: row.is_demo,
        }
    }
}
