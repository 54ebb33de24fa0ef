//! The ledger of tenants whose events are gone for ever.

use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "erased_tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    /// Milliseconds since 1970.
    pub erased_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
