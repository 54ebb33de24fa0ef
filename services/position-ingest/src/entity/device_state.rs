//! What is known of each device as of its partition's checkpoint: a restart reads this and only the frames since then. A
//! device whose IMEI was changed may have been in several partitions; the row with the newest fix is the one that holds.

use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// One device.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_state")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    pub tenant_id: TenantId,
    /// The partition whose owner wrote it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    /// `armada_track::DeviceState`.
    pub state: Vec<u8>,
    /// `armada_track::EventWatch`; empty for nothing.
    pub watch: Vec<u8>,
    /// `armada_track::DayCounters`; empty for nothing.
    pub today: Vec<u8>,
    /// `armada_track::TripCounter`; empty for nothing.
    pub trips: Vec<u8>,
    /// The newest position, as a block of one.
    pub newest: Vec<u8>,
    /// By which replacements of its tracker its meters were read: `armada_track::Replacements`; empty for none.
    pub replaced: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
