//! Which partitions may still bring something of an erased device to blocks and states.

use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// A partition and a device.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_erasure_pending")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    pub tenant_id: TenantId,
    /// Milliseconds since 1970.
    pub erased_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
