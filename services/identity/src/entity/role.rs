use armada_proto::{TenantId, Timestamp, v1};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

/// A set of permissions under a name.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "role")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    /// Unique within the tenant, whatever the case of its letters.
    pub name: String,
    pub description: String,
    /// What a search looks in: name and description in lower case.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The roles of a scope: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

impl Model {
    /// What a search looks in.
    pub fn searched(&self) -> String {
        format!("{}\n{}", self.name, self.description).to_lowercase()
    }
}

/// Without its numbers, which are counted.
impl From<Model> for v1::Role {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            tenant_id: row.tenant_id.to_string(),
            name: row.name,
            description: row.description,
            users: 0,
            allowed: 0,
            denied: 0,
            row_version: row.row_version,
            created_at: Some(Timestamp::from_millis(row.created_at)),
            updated_at: Some(Timestamp::from_millis(row.updated_at)),
        }
    }
}
