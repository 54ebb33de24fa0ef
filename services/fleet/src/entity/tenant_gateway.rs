use armada_proto::{TenantId, Timestamp, v1};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

/// A gateway whose trackers all belong to one tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant_gateway")]
pub struct Model {
    /// As it stands in `gps.<gateway>.…`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub tenant_id: TenantId,
    /// What a search looks in: the name in lower case.
    pub search: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The gateways of a scope.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

impl From<Model> for v1::TenantGateway {
    fn from(row: Model) -> Self {
        Self {
            name: row.name,
            tenant_id: row.tenant_id.to_string(),
            created_at: Some(Timestamp::from_millis(row.created_at)),
        }
    }
}
