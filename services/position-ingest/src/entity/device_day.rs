//! What a device came to on a day of its tenant that is over. It outlives the fixes of that day.

use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// A day of a device.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_day")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    /// The midnight with which it began, milliseconds since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub begins_at: i64,
    /// That with which the next one began.
    pub ends_at: i64,
    /// When its last fix was recorded; none where nothing was heard.
    pub last_at: Option<i64>,
    /// Decimetres.
    pub distance_dm: i64,
    /// Milliseconds with the ignition on, moving, standing with the engine on, and parked.
    pub engine_ms: i64,
    pub moving_ms: i64,
    pub idle_ms: i64,
    pub parked_ms: i64,
    /// None where it is not known how many there had been when it began.
    pub trips: Option<i64>,
    /// How far RAW was read when it was derived, as the version of a meter reading says it.
    pub version: i64,
    /// How the vehicle was left: `armada_track::TrackState`.
    pub state: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
