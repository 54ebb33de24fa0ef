//! Compaction: a device and day with many small blocks gets one. Only days to which sealing has added blocks since they
//! were last looked through are looked at, by an index that has all there is to count.

use armada_proto::{DeviceId, TenantId, Timestamp};
use armada_runtime::{Database, Error, Result, Scope};
use armada_track::{MergeCounts, decode_block, merge};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::blocks::{OwnedBlocks, block, insert};
use crate::entity::{compaction_backlog, track_block};

/// Blocks of one device and day from which on they are merged before the day is over.
const BLOCKS_OF_TODAY: i64 = 32;
/// Blocks of a day that is over which may stay as they are.
const BLOCKS_OF_A_DAY: i64 = 8;
/// Device-days found in one go, and merged in one transaction.
const DAYS_AT_ONCE: u64 = 500;
const DAYS_MERGED_AT_ONCE: usize = 50;

type DeviceDay = (TenantId, DeviceId, i32);

/// Notes that blocks come to days of a partition; in the transaction that stores them.
pub async fn note(tx: &DatabaseTransaction, partition: u32, days: impl IntoIterator<Item = i32>) -> Result<()> {
    use compaction_backlog::Column;
    let days: Vec<_> = days
        .into_iter()
        .map(|day| compaction_backlog::ActiveModel { partition: Set(partition as i32), day: Set(day) })
        .collect();
    if days.is_empty() {
        return Ok(());
    }
    let known = OnConflict::columns([Column::Partition, Column::Day]).do_nothing().to_owned();
    compaction_backlog::Entity::insert_many(days).on_conflict(known).exec_without_returning(tx).await?;
    Ok(())
}

impl OwnedBlocks {
    /// Merges the blocks of each device and day that is over, or that has very many already.
    pub(super) async fn compact(&self) -> Result<()> {
        let today = Timestamp::now().millis().div_euclid(24 * 3600 * 1000) as i32;
        for day in self.days().await? {
            let is_over = day < today;
            let many = if is_over { BLOCKS_OF_A_DAY } else { BLOCKS_OF_TODAY };
            loop {
                let devices_to_compact = devices_to_compact(&self.context.db, self.partition, day, many).await?;
                for days in devices_to_compact.chunks(DAYS_MERGED_AT_ONCE) {
                    self.merge(days).await?;
                }
                if (devices_to_compact.len() as u64) < DAYS_AT_ONCE {
                    break;
                }
            }
            if is_over {
                self.forget(day).await?;
            }
        }
        Ok(())
    }

    async fn days(&self) -> Result<Vec<i32>> {
        use compaction_backlog::Column;
        let tx = self.context.db.read(&Scope::Platform).await?;
        let of_partition = compaction_backlog::Entity::find().filter(Column::Partition.eq(self.partition as i32));
        let days = of_partition.select_only().column(Column::Day).order_by_asc(Column::Day).into_tuple();
        let days = days.all(&tx).await?;
        tx.commit().await?;
        Ok(days)
    }

    /// Blocks that come to the day later bring it back. Nobody adds any meanwhile: only this task does.
    async fn forget(&self, day: i32) -> Result<()> {
        let _turn = self.context.gate.enter().await;
        let tx = self.context.db.write(&Scope::Platform).await?;
        self.confirm(&tx).await?;
        compaction_backlog::Entity::delete_by_id((self.partition as i32, day)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }

    /// Reads, decodes and merges outside of the transaction that puts the merged blocks in the place of the others.
    async fn merge(&self, days: &[DeviceDay]) -> Result<()> {
        // One partition at a time holds positions in memory.
        let _memory = self.context.sealing.acquire().await.map_err(Error::internal)?;
        let tx = self.context.db.read(&Scope::Platform).await?;
        let mut parts = Vec::with_capacity(days.len());
        for &of in days {
            let blocks = track_block::Entity::find().filter(self.blocks_of(of));
            parts.push((of, blocks.order_by_asc(track_block::Column::Seq).all(&tx).await?));
        }
        tx.commit().await?;
        let partition = self.partition;
        let (merged, counts) =
            tokio::task::spawn_blocking(move || merge_parts(partition, parts)).await.map_err(Error::internal)??;

        let _turn = self.context.gate.enter().await;
        let tx = self.context.db.write(&Scope::Platform).await?;
        self.confirm(&tx).await?;
        let mut blocks = Vec::with_capacity(merged.len());
        for Merged { of, parts, block } in merged {
            let replaced = track_block::Entity::delete_many().filter(self.blocks_of(of)).exec(&tx).await?;
            // They were erased meanwhile: what was made of them must not come back.
            if replaced.rows_affected == parts {
                blocks.extend(block);
            }
        }
        insert(&tx, blocks).await?;
        tx.commit().await?;
        self.context.metrics.merged(counts);
        Ok(())
    }

    fn blocks_of(&self, (tenant, device, day): DeviceDay) -> sea_orm::sea_query::SimpleExpr {
        use track_block::Column;
        let of_device = Column::TenantId.eq(tenant).and(Column::DeviceId.eq(device));
        of_device.and(Column::Day.eq(day)).and(Column::Partition.eq(self.partition as i32))
    }
}

/// A device and day, how many blocks it had, and the one in their place.
struct Merged {
    of: DeviceDay,
    parts: u64,
    block: Option<track_block::Model>,
}

fn merge_parts(partition: u32, parts: Vec<(DeviceDay, Vec<track_block::Model>)>) -> Result<(Vec<Merged>, MergeCounts)> {
    let mut total = MergeCounts::default();
    let mut merged = Vec::with_capacity(parts.len());
    for (of, parts) in parts {
        let Some(seq) = parts.last().map(|part| part.seq) else { continue };
        let runs: Vec<_> = parts
            .iter()
            .map(|part| decode_block(&part.data))
            .collect::<std::result::Result<_, _>>()
            .map_err(Error::internal)?;
        let (positions, counts) = merge(runs);
        total.repeats += counts.repeats;
        total.united += counts.united;
        let (tenant, device, day) = of;
        let block = block(tenant, device, day, partition, seq, &positions);
        merged.push(Merged { of, parts: parts.len() as u64, block });
    }
    Ok((merged, total))
}

/// Devices with more than `many` blocks on a day.
async fn devices_to_compact(db: &Database, partition: u32, day: i32, many: i64) -> Result<Vec<DeviceDay>> {
    use track_block::Column;
    let tx = db.read(&Scope::Platform).await?;
    let devices: Vec<(TenantId, DeviceId)> = track_block::Entity::find()
        .select_only()
        .columns([Column::TenantId, Column::DeviceId])
        .filter(Column::Partition.eq(partition as i32))
        .filter(Column::Day.eq(day))
        .group_by(Column::TenantId)
        .group_by(Column::DeviceId)
        .having(Expr::col(sea_orm::sea_query::Asterisk).count().gt(many))
        .limit(DAYS_AT_ONCE)
        .into_tuple()
        .all(&tx)
        .await?;
    tx.commit().await?;
    Ok(devices.into_iter().map(|(tenant, device)| (tenant, device, day)).collect())
}
