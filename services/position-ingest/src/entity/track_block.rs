//! Sealed history: the fixes of one device within one UTC day, as columns. Blocks may overlap; readers merge them and
//! drop what repeats. None is ever changed in place.

use armada_proto::{DeviceId, TenantId};
use sea_orm::entity::prelude::*;

/// Fixes of one device, ascending in time.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "track_block")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    /// Days since 1970-01-01 UTC.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    /// The last frame that was sealed into it: of two fixes with the same time the one of the lower `seq` was stored
    /// first and wins.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// First and last `recorded_at`, milliseconds since 1970.
    pub t_start: i64,
    pub t_end: i64,
    /// Positions.
    pub n: i32,
    /// `armada_track::BlockSummary`.
    pub summary: Vec<u8>,
    /// `armada_track::decode_block`, its codec in the first byte.
    pub data: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
