//! The blocks of a partition, and who may change them.

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Error, Result};
use armada_track::{BlockSummary, Position, encode_block};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, sea_query::Expr};

use super::context::HistoryContext;
use crate::entity::{partition, track_block};

/// Rows of one insert statement.
const ROWS_AT_ONCE: usize = 200;

/// The blocks of a partition, for its owner.
pub struct OwnedBlocks {
    pub context: HistoryContext,
    pub partition: u32,
    pub epoch: i64,
}

impl OwnedBlocks {
    /// Fails unless this is still the owner; holds the partition's row until the transaction ends.
    pub async fn confirm(&self, tx: &DatabaseTransaction) -> Result<()> {
        let held = partition::Entity::update_many()
            .col_expr(partition::Column::Epoch, Expr::value(self.epoch))
            .filter(partition::Column::Partition.eq(self.partition as i32))
            .filter(partition::Column::Epoch.eq(self.epoch))
            .exec(tx)
            .await?;
        if held.rows_affected == 1 { Ok(()) } else { Err(Error::unavailable("the partition has another owner")) }
    }
}

/// Stores blocks.
pub async fn insert(tx: &DatabaseTransaction, blocks: Vec<track_block::Model>) -> Result<()> {
    let mut blocks = blocks.into_iter().map(IntoActiveModel::into_active_model).peekable();
    while blocks.peek().is_some() {
        let rows: Vec<_> = blocks.by_ref().take(ROWS_AT_ONCE).collect();
        track_block::Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// One block, unless there is no position.
pub fn block(
    tenant_id: TenantId,
    device_id: DeviceId,
    day: i32,
    partition: u32,
    seq: i64,
    positions: &[Position],
) -> Option<track_block::Model> {
    let summary = BlockSummary::of(positions)?;
    Some(track_block::Model {
        tenant_id,
        device_id,
        day,
        partition: partition as i32,
        seq,
        t_start: summary.t_start,
        t_end: summary.t_end,
        n: summary.n as i32,
        summary: summary.encode(),
        data: encode_block(positions),
    })
}
