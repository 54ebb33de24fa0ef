//! Which partitions may still bring something of an erased tenant to blocks and states: frames that were hot when it
//! was erased, and devices that their owner had in memory.

use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// A partition and a tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "erasure_pending")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    /// Milliseconds since 1970.
    pub erased_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
