use armada_proto::{DeviceId, DriverId, TenantId, Timestamp, v1};
use sea_orm::entity::prelude::*;

/// That a driver was the primary driver of a device for some time.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "driver_assignment")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    pub driver_id: DriverId,
    /// Changes with the driver's.
    pub driver_name: String,
    pub device_id: DeviceId,
    /// Changes with the device's.
    pub device_name: String,
    pub assigned_from: i64,
    /// None while it holds: of one device there is one such at most.
    pub assigned_until: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<Model> for v1::DriverAssignment {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            tenant_id: row.tenant_id.to_string(),
            driver_id: row.driver_id.to_string(),
            driver_name: row.driver_name,
            device_id: row.device_id.to_string(),
            device_name: row.device_name,
            assigned_from: Some(Timestamp::from_millis(row.assigned_from)),
            assigned_until: row.assigned_until.map(Timestamp::from_millis),
        }
    }
}
