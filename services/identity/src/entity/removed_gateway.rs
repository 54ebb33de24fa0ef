use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// A gateway that there was. What it sent may still wait for its device, and nobody else gets its name.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "removed_gateway")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name_folded: String,
    pub name: String,
    /// For whose devices alone it spoke.
    pub former_tenant_id: Option<TenantId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
