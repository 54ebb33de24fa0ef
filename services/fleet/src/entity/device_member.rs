use armada_proto::{DeviceId, TenantId, UserId};
use sea_orm::entity::prelude::*;

/// A user who sees a device.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: UserId,
    /// The device's.
    pub tenant_id: TenantId,
    pub role: Role,
    pub created_at: i64,
}

/// What a member is to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)")]
pub enum Role {
    /// One at most; the device names them too.
    #[sea_orm(string_value = "owner")]
    Owner,
    #[sea_orm(string_value = "viewer")]
    Viewer,
    #[sea_orm(string_value = "technician")]
    Technician,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
