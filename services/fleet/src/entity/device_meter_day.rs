use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// What the meters of a vehicle showed at the end of a day of its tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_meter_day")]
pub struct Model {
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    /// `YYYY-MM-DD`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: String,
    /// Metres, as the device says; none when it never said.
    pub odometer_m: Option<i64>,
    /// Metres since its first fix.
    pub distance_m: Option<i64>,
    /// Seconds that the engine has run.
    pub engine_s: Option<i64>,
    /// When they showed it, in milliseconds since 1970.
    pub recorded_at: i64,
    /// When it was written, in milliseconds since 1970.
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
