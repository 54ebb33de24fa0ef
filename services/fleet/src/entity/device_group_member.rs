use armada_proto::{DeviceId, MasterDataId, TenantId};
use sea_orm::entity::prelude::*;

/// A device in a group.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_group_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub group_id: MasterDataId,
    /// The device's.
    pub tenant_id: TenantId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
