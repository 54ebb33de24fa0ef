//! Devices of which something came behind newer fixes, so that their days since are to be derived anew.

use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// A device.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "late_fix")]
pub struct Model {
    /// Whose owner derives it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    pub tenant_id: TenantId,
    /// The earliest that is not taken into account yet, milliseconds since 1970.
    pub recorded_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
