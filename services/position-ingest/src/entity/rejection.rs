//! How many positions were refused, or stored with a mark, by day and reason. Counted in the transaction that advances the partition, so that
//! each is counted once, whatever dies.

use sea_orm::entity::prelude::*;

/// A count.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rejection")]
pub struct Model {
    /// Days since 1970-01-01 UTC, by the stream's clock.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    /// `armada_track::Reject`; or `repeat` and `conflict`, which are dropped and not refused; or the name of a `FixMark`,
    /// which are stored.
    #[sea_orm(primary_key, auto_increment = false)]
    pub reason: String,
    /// Positions.
    pub n: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
