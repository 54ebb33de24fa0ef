//! Reading history: sealed blocks and hot frames together, merged, each instant once.

use std::collections::BTreeMap;

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Error, Result, Scope};
use armada_track::{HotFrame, Position, Thresholds, decode_block, fill_late, merge, split_by_utc_day};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{hot_frame, track_block};

const DAY_MS: i64 = 24 * 3600 * 1000;

/// The track of one device within `[from, to)`, milliseconds since 1970, to be read day by day.
pub struct Track {
    db: Database,
    tenant: TenantId,
    device: DeviceId,
    from: i64,
    to: i64,
    /// Days (since 1970) that have positions, ascending, with those of the hot frames.
    days: std::collections::btree_map::IntoIter<i64, Vec<Position>>,
}

impl Track {
    /// Finds out what there is. Hot frames are read before blocks: what is sealed in between is seen twice, and merged,
    /// rather than not at all.
    pub async fn open(db: &Database, tenant: TenantId, device: DeviceId, from: i64, to: i64) -> Result<Self> {
        let mut days = hot_days(db, tenant, device, from, to).await?;
        let tx = db.read(&Scope::Tenant(tenant)).await?;
        let sealed: Vec<i32> = track_block::Entity::find()
            .filter(within(tenant, device, from, to))
            .select_only()
            .column(track_block::Column::Day)
            .distinct()
            .into_tuple()
            .all(&tx)
            .await?;
        tx.commit().await?;
        for day in sealed {
            days.entry(i64::from(day)).or_default();
        }
        Ok(Self { db: db.clone(), tenant, device, from, to, days: days.into_iter() })
    }

    /// The positions of the next day that has any, ascending; none at the end.
    pub async fn next_day(&mut self) -> Result<Option<Vec<Position>>> {
        for (day, hot) in self.days.by_ref() {
            let mut runs = sealed_runs(&self.db, self.tenant, self.device, day, self.from, self.to).await?;
            runs.push(hot);
            let (mut positions, _) = merge(runs);
            // What was sealed late may have got its neighbours only now.
            fill_late(&mut positions, &Thresholds::default());
            positions.retain(|position| (self.from..self.to).contains(&position.recorded_at()));
            if !positions.is_empty() {
                return Ok(Some(positions));
            }
        }
        Ok(None)
    }
}

fn within(tenant: TenantId, device: DeviceId, from: i64, to: i64) -> sea_orm::sea_query::SimpleExpr {
    use sea_orm::sea_query::ExprTrait;
    use track_block::Column;
    let day = |t: i64| t.div_euclid(DAY_MS).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Column::TenantId
        .eq(tenant)
        .and(Column::DeviceId.eq(device))
        .and(Column::Day.between(day(from), day(to)))
        .and(Column::TEnd.gte(from))
        .and(Column::TStart.lt(to))
}

async fn sealed_runs(
    db: &Database,
    tenant: TenantId,
    device: DeviceId,
    day: i64,
    from: i64,
    to: i64,
) -> Result<Vec<Vec<Position>>> {
    let tx = db.read(&Scope::Tenant(tenant)).await?;
    let blocks: Vec<Vec<u8>> = track_block::Entity::find()
        .filter(within(tenant, device, from, to))
        .filter(track_block::Column::Day.eq(day as i32))
        .order_by_asc(track_block::Column::Seq)
        .order_by_asc(track_block::Column::Partition)
        .select_only()
        .column(track_block::Column::Data)
        .into_tuple()
        .all(&tx)
        .await?;
    tx.commit().await?;
    blocks.iter().map(|data| decode_block(data).map_err(Error::internal)).collect()
}

/// The device's positions in hot frames, in the order of storage, by day.
async fn hot_days(
    db: &Database,
    tenant: TenantId,
    device: DeviceId,
    from: i64,
    to: i64,
) -> Result<BTreeMap<i64, Vec<Position>>> {
    let mut run = Vec::new();
    // One at a time: a frame may be large, and most have no row of the device.
    let mut after = (-1, -1);
    loop {
        let tx = db.read(&Scope::Platform).await?;
        let frames = hot_frame::Entity::find()
            .filter(
                sea_orm::Condition::any().add(hot_frame::Column::Partition.gt(after.0)).add(
                    sea_orm::Condition::all()
                        .add(hot_frame::Column::Partition.eq(after.0))
                        .add(hot_frame::Column::Seq.gt(after.1)),
                ),
            )
            .filter(hot_frame::Column::TMax.gte(from))
            .filter(hot_frame::Column::TMin.lt(to))
            .order_by_asc(hot_frame::Column::Partition)
            .order_by_asc(hot_frame::Column::Seq)
            .limit(64)
            .all(&tx)
            .await?;
        tx.commit().await?;
        let Some(last) = frames.last() else { break };
        after = (last.partition, last.seq);
        for frame in &frames {
            let frame = HotFrame::parse(&frame.data).map_err(Error::internal)?;
            if frame.contains(device) {
                run.extend(frame.rows_of(tenant, device).map_err(Error::internal)?);
            }
        }
    }
    run.retain(|position| (from..to).contains(&position.recorded_at()));
    run.sort_by_key(Position::recorded_at);
    let mut days = BTreeMap::new();
    for (day, positions) in split_by_utc_day(&run) {
        days.insert(day, positions.to_vec());
    }
    Ok(days)
}
