use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// A binding of an IMEI to a device that has ended. The present one stands in the device itself.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imei_binding")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub imei: String,
    /// Its end, milliseconds since 1970. Bindings of an IMEI follow each other, so no two have the same.
    #[sea_orm(primary_key, auto_increment = false)]
    pub bound_until: i64,
    pub bound_from: i64,
    pub device_id: DeviceId,
    pub tenant_id: TenantId,
    /// It was for the gateways of its tenant alone.
    pub own_gateways: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
