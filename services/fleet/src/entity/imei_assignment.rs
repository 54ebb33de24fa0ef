use armada_proto::{TenantId, Timestamp, v1};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

/// An IMEI that was promised to a tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imei_assignment")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub imei: String,
    pub tenant_id: TenantId,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The assignments of a scope.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

impl From<Model> for v1::ImeiAssignment {
    fn from(row: Model) -> Self {
        Self {
            imei: row.imei,
            tenant_id: row.tenant_id.to_string(),
            created_at: Some(Timestamp::from_millis(row.created_at)),
        }
    }
}
