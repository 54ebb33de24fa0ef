//! Who owns a partition, and how far it has come: one row each, changed only by its owner (the epoch says who that is).

use sea_orm::entity::prelude::*;

/// Ownership and progress of one partition.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "partition")]
pub struct Model {
    /// 0 to P − 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    /// The instance that owns it; empty for none.
    pub owner: String,
    /// Until when, milliseconds since 1970 by the database's clock.
    pub lease_until: i64,
    /// Grows with every change of owner: what a former owner writes is refused.
    pub epoch: i64,
    /// When the stream RAW was made, nanoseconds since 1970; 0 before the first owner.
    pub stream_created: i64,
    /// The next sequence of RAW to be read. Everything before it is stored or counted as refused.
    pub next_seq: i64,
    /// The number of the last frame stored. Frames count by one and never restart.
    pub frame_seq: i64,
    /// The number of the last frame that is in POSITIONS.
    pub published_seq: i64,
    /// The states of devices are saved as of this frame.
    pub checkpoint_seq: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
