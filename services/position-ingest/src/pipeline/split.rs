//! Frames that are stored and that no message of NATS can hold. They are of before commit batches were bounded in bytes:
//! what follows them could never be published. Their positions stay as they are, in several frames.

use std::collections::BTreeMap;

use armada_runtime::{Error, Result, Scope};
use armada_track::{HotBuilder, HotFrame};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use super::{
    commit_batch::{COMMIT_BATCH_POSITIONS, lost},
    context::PipelineContext,
};
use crate::{
    entity::{hot_frame, partition},
    streams::limits::{COMMIT_BATCH_BYTES, FRAME_BYTES},
};

/// Splits the frames of a partition that are too large, if there are any, and numbers anew what follows them. Nobody has read
/// those: they are not published.
pub(super) async fn split_large(context: &PipelineContext, partition: u32, epoch: i64) -> Result<()> {
    let tx = context.db.read(&Scope::Platform).await?;
    let row = partition::Entity::find_by_id(partition as i32).one(&tx).await?;
    let row = row.filter(|row| row.epoch == epoch).ok_or_else(|| lost(partition))?;
    let unpublished = hot_frame::Entity::find()
        .filter(hot_frame::Column::Partition.eq(row.partition))
        .filter(hot_frame::Column::Seq.gt(row.published_seq));
    let too_large = unpublished.clone().filter(Expr::cust("length(data)").gt(FRAME_BYTES as i64)).count(&tx).await?;
    if too_large == 0 {
        return Ok(tx.commit().await?);
    }
    let unpublished = unpublished.order_by_asc(hot_frame::Column::Seq).all(&tx).await?;
    tx.commit().await?;
    let before = unpublished.len();
    let split = move || split_all(unpublished);
    let (frames, numbers) = tokio::task::spawn_blocking(split).await.map_err(Error::internal)??;
    tracing::warn!(
        partition,
        before,
        after = frames.len(),
        "splits frames that are larger than messages of NATS may be"
    );
    let _turn = context.gate.enter().await;
    let tx = context.db.write(&Scope::Platform).await?;
    let still = partition::Entity::find_by_id(row.partition).lock_exclusive().one(&tx).await?;
    if still.is_none_or(|still| still.epoch != epoch) {
        return Err(lost(partition));
    }
    replace(&tx, &row, frames, &numbers).await?;
    Ok(tx.commit().await?)
}

/// The frames as they shall be, and for the number of each that there is the new one of its last part.
fn split_all(stored: Vec<hot_frame::Model>) -> Result<(Vec<hot_frame::Model>, BTreeMap<i64, i64>)> {
    let mut seq = stored.first().map_or(0, |frame| frame.seq - 1);
    let (mut frames, mut numbers) = (Vec::with_capacity(stored.len()), BTreeMap::new());
    for frame in stored {
        let number = frame.seq;
        let parts = if frame.data.len() <= FRAME_BYTES { vec![frame] } else { parts_of(&frame)? };
        for part in parts {
            seq += 1;
            frames.push(hot_frame::Model { seq, ..part });
        }
        numbers.insert(number, seq);
    }
    Ok((frames, numbers))
}

fn parts_of(frame: &hot_frame::Model) -> Result<Vec<hot_frame::Model>> {
    let (mut parts, mut part) = (Vec::new(), HotBuilder::default());
    let mut finish = |part: &mut HotBuilder| {
        if let Some((t_min, t_max)) = part.time_range() {
            let n = part.len() as i32;
            parts.push(hot_frame::Model { n, t_min, t_max, data: part.finish(), ..*frame });
        }
    };
    let rows = HotFrame::parse(&frame.data).and_then(|frame| frame.rows()).map_err(Error::internal)?;
    for (tenant, device, position) in rows {
        part.push(tenant, device, &position);
        if part.len() >= COMMIT_BATCH_POSITIONS || part.bytes() >= COMMIT_BATCH_BYTES {
            finish(&mut part);
        }
    }
    finish(&mut part);
    Ok(parts)
}

async fn replace(
    tx: &DatabaseTransaction,
    row: &partition::Model,
    frames: Vec<hot_frame::Model>,
    numbers: &BTreeMap<i64, i64>,
) -> Result<()> {
    use partition::Column;
    hot_frame::Entity::delete_many()
        .filter(hot_frame::Column::Partition.eq(row.partition))
        .filter(hot_frame::Column::Seq.gt(row.published_seq))
        .exec(tx)
        .await?;
    let last = frames.last().map_or(row.frame_seq, |frame| frame.seq);
    for frame in frames {
        hot_frame::Entity::insert(hot_frame::ActiveModel::from(frame)).exec_without_returning(tx).await?;
    }
    let checkpoint = numbers.get(&row.checkpoint_seq).copied().unwrap_or(row.checkpoint_seq);
    partition::Entity::update_many()
        .col_expr(Column::FrameSeq, Expr::value(last))
        .col_expr(Column::CheckpointSeq, Expr::value(checkpoint))
        .filter(Column::Partition.eq(row.partition))
        .exec(tx)
        .await?;
    Ok(())
}
