//! History that was stored a moment ago: the enriched frame of one commit batch, many devices and tenants together. It
//! never leaves ingest as it is.

use armada_runtime::{Error, Result};
use armada_track::HotFrame;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, entity::prelude::*};

use super::partition;

/// The table, which PostgreSQL has in slots that are truncated once they are empty: whoever reads frames and what belongs to
/// them in one snapshot asks for it whole.
pub const TABLE: &str = "hot_frame";
/// Frames loaded at a time.
const FRAMES_AT_ONCE: u64 = 32;

/// One commit batch of one partition.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hot_frame")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    /// The frame's number in its partition.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// The last sequence of RAW in it.
    pub stream_seq: i64,
    /// When the receiver wrote that one, milliseconds since 1970.
    pub stream_ts: i64,
    /// Positions.
    pub n: i32,
    /// Smallest and largest `recorded_at`, milliseconds since 1970.
    pub t_min: i64,
    pub t_max: i64,
    /// `armada_track::HotFrame`, its codec in the first byte.
    pub data: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Reads the frames behind the checkpoint of a partition in their order, each with when it was received, milliseconds since
/// 1970; returns the number of the last one. The transaction has the table whole.
pub async fn since_checkpoint(
    tx: &DatabaseTransaction,
    partition: &partition::Model,
    mut each: impl FnMut(i64, &HotFrame<'_>) -> Result<()>,
) -> Result<i64> {
    let mut after = partition.checkpoint_seq;
    loop {
        let frames = Entity::find()
            .filter(Column::Partition.eq(partition.partition))
            .filter(Column::Seq.gt(after))
            .order_by_asc(Column::Seq)
            .limit(FRAMES_AT_ONCE)
            .all(tx)
            .await?;
        let Some(last) = frames.last() else { return Ok(after) };
        after = last.seq;
        for frame in &frames {
            each(frame.stream_ts, &HotFrame::parse(&frame.data).map_err(Error::internal)?)?;
        }
    }
}
