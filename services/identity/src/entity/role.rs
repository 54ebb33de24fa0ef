use armada_proto::{TenantId, Timestamp, v1};
use armada_runtime::{Scope, text};
use sea_orm::{ActiveValue::Set, entity::prelude::*};

use super::tenant;

/// A set of permissions under a name.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "role")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    pub name: String,
    /// The name as [`text::fold`] makes it: unique within the tenant, and what it is sorted by.
    pub name_folded: String,
    pub description: String,
    /// What a search looks in: see [`Model::searched`].
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

#[async_trait::async_trait]
impl ActiveModelBehavior for ActiveModel {
    /// Whoever writes a row, what is folded follows what it was made of. The values of a new row may be `Unchanged`.
    async fn before_save<C: ConnectionTrait>(mut self, _: &C, _: bool) -> Result<Self, DbErr> {
        if let Some(name) = self.name.try_as_ref() {
            self.name_folded = Set(text::fold(name));
        }
        Ok(self)
    }
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

impl Model {
    /// What a search looks in: name and description, folded.
    pub fn searched(&self) -> String {
        text::fold(&format!("{}\n{}", self.name, self.description))
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
