//! Reading history: sealed blocks and hot frames together, merged, each instant once.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map},
    iter::Peekable,
    sync::Arc,
};

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Error, Result, Scope};
use armada_track::{
    DeviceState, DeviceThresholds, FixMark, FuelSensor, HotFrame, MetersRead, Position, Rederivation, decode_block,
    fill_late, frame_pages, merge, split_by_utc_day,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::left::left_before;
use crate::entity::{device_state, hot_frame, track_block};

const DAY_MS: i64 = 24 * 3600 * 1000;
/// Positions of the frames that are read at a time, unless one has more: about 250 kB.
const POSITIONS_AT_ONCE: i64 = 20_000;

/// The positions of blocks, in the order in which these were stored.
type Runs = Vec<Vec<Position>>;

/// The track of one device within `[from, to)`, milliseconds since 1970, to be read day by day.
pub struct Track {
    db: Database,
    tenant: TenantId,
    device: DeviceId,
    from: i64,
    to: i64,
    /// From where on it is derived, milliseconds since 1970: where the day before ended, if it is known how that left the device;
    /// else from [`run_up`] on.
    begin: i64,
    /// How the day before left the device, if that is known.
    left: Option<DeviceState>,
    /// Days (since 1970) that have positions, ascending, with those of the hot frames: from `begin` on.
    days: Peekable<btree_map::IntoIter<i64, Vec<Position>>>,
    /// The sealed runs of the next day, read while somebody is busy with the day before.
    ahead: Option<AbortOnDropHandle<Result<Runs>>>,
    thresholds: DeviceThresholds,
    /// Where the day before has led, by these thresholds.
    rederivation: Rederivation,
    /// How fuel is read, unless that is as the tracker says it.
    fuel: Option<Arc<FuelSensor>>,
    /// What is recorded then or later is not shown, milliseconds since 1970.
    shown_until: i64,
    before: Option<Position>,
    after: Option<Position>,
}

impl Track {
    /// Finds out what there is. Hot frames are read before blocks: what is sealed in between is seen twice, and merged,
    /// rather than not at all. `partitions` are those to which the IMEIs of the device lead now and led before its last
    /// change, and the one that took in its newest position; where else it has been, checkpoints tell.
    pub async fn open(
        db: &Database,
        tenant: TenantId,
        device: DeviceId,
        mut partitions: BTreeSet<u32>,
        from: i64,
        to: i64,
    ) -> Result<Self> {
        partitions.extend(checkpointed_in(db, tenant, device).await?);
        let (begin, left) = match left_before(db, (tenant, device), from).await? {
            Some((ended, left)) => (ended, Some(left.device)),
            None => (run_up(from), None),
        };
        let mut run = Vec::new();
        for partition in partitions {
            hot_rows(db, partition, (tenant, device), begin, to, &mut run).await?;
        }
        let mut days = by_day(run, begin, to);
        let tx = db.read(&Scope::Tenant(tenant)).await?;
        let sealed: Vec<i32> = track_block::Entity::find()
            .filter(within(tenant, device, begin, to))
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
        let thresholds = DeviceThresholds::default();
        let rederivation = rederivation(thresholds, left.as_ref());
        let (db, days) = (db.clone(), days.into_iter().peekable());
        let (ahead, fuel) = (None, None);
        let (shown_until, before, after) = (to, None, None);
        let read = Self {
            db,
            tenant,
            device,
            from,
            to,
            begin,
            left,
            days,
            ahead,
            thresholds,
            rederivation,
            fuel,
            shown_until,
            before,
            after,
        };
        Ok(read)
    }

    /// The same by other thresholds than the usual ones.
    pub fn derived_by(mut self, thresholds: DeviceThresholds) -> Self {
        (self.thresholds, self.rederivation) = (thresholds, rederivation(thresholds, self.left.as_ref()));
        self
    }

    /// The same with the fuel that a sensor reads.
    pub fn fuelled_by(self, fuel: Option<Arc<FuelSensor>>) -> Self {
        Self { fuel, ..self }
    }

    /// The same track, of which only what was recorded before an instant is shown, milliseconds since 1970: what is behind it is
    /// read for [`Self::after`].
    pub fn shown_until(self, until: i64) -> Self {
        Self { shown_until: until, ..self }
    }

    /// The last position before what was asked for.
    pub fn before(&self) -> Option<&Position> {
        self.before.as_ref()
    }

    /// The first position behind what is shown, if that was read.
    pub fn after(&self) -> Option<&Position> {
        self.after.as_ref()
    }

    /// By which it is read.
    pub fn thresholds(&self) -> DeviceThresholds {
        self.thresholds
    }

    /// The positions of the next day (UTC) that has any, merged, whole and as they were stored: not even what came late has
    /// anything derived, unless it was sealed with it.
    pub async fn next_stored_day(&mut self) -> Result<Option<Vec<Position>>> {
        let Some((day, hot)) = self.days.next() else { return Ok(None) };
        let sealed = match self.ahead.take() {
            Some(ahead) => ahead.await.map_err(Error::internal)?,
            None => self.sealed_runs(day).await,
        };
        if let Some(&(next, _)) = self.days.peek() {
            let read = self.sealed_runs(next).in_current_span();
            self.ahead = Some(AbortOnDropHandle::new(tokio::spawn(read)));
        }
        Ok(Some(stored(sealed?, hot)))
    }

    /// The positions of the next day that has any, ascending; none at the end. What they tell is derived by the thresholds
    /// that hold now, whatever held when they came.
    pub async fn next_day(&mut self) -> Result<Option<Vec<Position>>> {
        while let Some(mut positions) = self.next_stored_day().await? {
            if self.left.is_none() {
                // What was sealed late may have got its neighbours only now.
                fill_late(&mut positions, &self.thresholds.motion());
            }
            positions.retain(|position| position.recorded_at() >= self.begin);
            self.rederivation.run(&mut positions);
            self.cut(&mut positions);
            self.show_fuel(&mut positions);
            if !positions.is_empty() {
                return Ok(Some(positions));
            }
        }
        Ok(None)
    }

    /// So many of the newest positions, descending: all, or only those with one of these marks. Days are read from the last
    /// one back until there are enough. Each is derived by the thresholds that hold now, going on from how the device was
    /// left before, or from the day before it where that is not known, and from none further back: so it tells the same on every
    /// page, and a page costs a day or two more than it shows.
    pub async fn newest(mut self, most: usize, marks: &[FixMark]) -> Result<Vec<Position>> {
        let first = self.from.div_euclid(DAY_MS);
        let mut newest = Vec::new();
        let mut last = self.last_day().await?;
        while newest.len() < most
            && let Some((day, mut positions)) = last
            && day >= first
        {
            last = self.last_day().await?;
            // The mark of a late fix is made anew, so there may be one.
            let is_asked_for = |position: &Position| position.late || marks.contains(&position.shown_mark());
            if !marks.is_empty() && !positions.iter().any(is_asked_for) {
                continue;
            }
            let before = last.as_ref().filter(|(before, _)| before + 1 == day);
            let before = before.map(|(_, before)| before.as_slice()).unwrap_or_default();
            self.derive_behind(day, before, &mut positions).await?;
            self.cut(&mut positions);
            self.show_fuel(&mut positions);
            let wanted = |position: &Position| marks.is_empty() || marks.contains(&position.shown_mark());
            newest.extend(positions.into_iter().rev().filter(wanted));
        }
        newest.truncate(most);
        Ok(newest)
    }

    /// The last day that is left, whole and as it was stored.
    async fn last_day(&mut self) -> Result<Option<(i64, Vec<Position>)>> {
        let Some((day, hot)) = self.days.next_back() else { return Ok(None) };
        let sealed = self.sealed_runs(day).await?;
        Ok(Some((day, self.merged(sealed, hot))))
    }

    /// Derives a day anew, going on from stored positions of the day before it.
    async fn derive_behind(&self, day: i64, before: &[Position], positions: &mut [Position]) -> Result<()> {
        let left = left_before(&self.db, (self.tenant, self.device), day.saturating_mul(DAY_MS)).await?;
        let (begin, left) = left.map_or((i64::MIN, None), |(ended, left)| (ended, Some(left.device)));
        let mut rederivation = rederivation(self.thresholds, left.as_ref());
        let before = before.iter().filter(|position| position.recorded_at() >= begin);
        rederivation.run(&mut before.cloned().collect::<Vec<_>>());
        rederivation.run(positions);
        Ok(())
    }

    fn sealed_runs(&self, day: i64) -> impl Future<Output = Result<Runs>> + Send + use<> {
        let (db, tenant, device, to) = (self.db.clone(), self.tenant, self.device, self.to);
        let from = self.begin;
        async move { sealed_runs(&db, tenant, device, day, from, to).await }
    }

    /// A whole day, with what its blocks hold from before and after what was asked for.
    fn merged(&self, runs: Runs, hot: Vec<Position>) -> Vec<Position> {
        let mut positions = stored(runs, hot);
        // What was sealed late may have got its neighbours only now.
        fill_late(&mut positions, &self.thresholds.motion());
        positions
    }

    fn cut(&mut self, positions: &mut Vec<Position>) {
        let begin = positions.partition_point(|position| position.recorded_at() < self.from);
        if let Some(before) = begin.checked_sub(1).and_then(|last| positions.get(last)) {
            self.before = Some(before.clone());
        }
        let end = positions.partition_point(|position| position.recorded_at() < self.shown_until);
        if self.after.is_none() {
            self.after = positions.get(end).cloned();
        }
        positions.truncate(end);
        positions.drain(..begin.min(end));
    }

    /// Of which nothing is stored but what was reported: another table holds for all of history at once.
    fn show_fuel(&self, positions: &mut [Position]) {
        if let Some(fuel) = &self.fuel {
            positions.iter_mut().for_each(|position| fuel.show(&mut position.report));
        }
    }
}

/// What is stored of a day, as one run.
fn stored(mut runs: Runs, hot: Vec<Position>) -> Vec<Position> {
    runs.push(hot);
    merge(runs).0
}

/// By these thresholds, from how a device was left.
fn rederivation(thresholds: DeviceThresholds, left: Option<&DeviceState>) -> Rederivation {
    match left {
        Some(left) => Rederivation::resume(thresholds.motion(), left.clone()),
        None => Rederivation::new(thresholds.motion()),
    }
}

/// What the meters of a device stood at, at its last fix that was recorded by `at` and not before `kept_from`; what is not kept any
/// more is known by the day that it was of.
pub async fn meters_at(
    db: &Database,
    (tenant, device): (TenantId, DeviceId),
    partitions: BTreeSet<u32>,
    thresholds: DeviceThresholds,
    kept_from: i64,
    at: i64,
) -> Result<Option<MetersRead>> {
    let to = at.saturating_add(1);
    // Most are asked for what was not long ago.
    for days in [1, 8, 64, i64::from(u16::MAX)] {
        let from = to.saturating_sub(days * DAY_MS).max(kept_from);
        let track = Track::open(db, tenant, device, partitions.clone(), from, to).await?;
        let mut track = track.derived_by(thresholds);
        let mut last = None;
        while let Some(positions) = track.next_day().await? {
            last = positions.into_iter().next_back().or(last);
        }
        if let Some(last) = last {
            return Ok(Some(track.rederivation.state().meters(&last)));
        }
    }
    let left = left_before(db, (tenant, device), to).await?;
    Ok(left.and_then(|(_, left)| Some(left.device.meters(left.newest.as_ref()?))))
}

/// From where on a track is derived that is asked for from `from` on, milliseconds since 1970: the beginning of the day before,
/// so that what is hot tells what it will when it is sealed, and the first fixes what they do behind those before them.
fn run_up(from: i64) -> i64 {
    (from.div_euclid(DAY_MS) - 1).saturating_mul(DAY_MS)
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

async fn sealed_runs(db: &Database, tenant: TenantId, device: DeviceId, day: i64, from: i64, to: i64) -> Result<Runs> {
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

/// The partitions whose checkpoints have the device.
async fn checkpointed_in(db: &Database, tenant: TenantId, device: DeviceId) -> Result<Vec<u32>> {
    let tx = db.read(&Scope::Tenant(tenant)).await?;
    let partitions: Vec<i32> = device_state::Entity::find()
        .filter(device_state::Column::DeviceId.eq(device))
        .select_only()
        .column(device_state::Column::Partition)
        .into_tuple()
        .all(&tx)
        .await?;
    tx.commit().await?;
    Ok(partitions.into_iter().map(|partition| partition as u32).collect())
}

/// The device's positions in the hot frames of a partition, in the order of storage.
async fn hot_rows(
    db: &Database,
    partition: u32,
    (tenant, device): (TenantId, DeviceId),
    from: i64,
    to: i64,
    run: &mut Vec<Position>,
) -> Result<()> {
    let frames = hot_frame::Entity::find()
        .filter(hot_frame::Column::Partition.eq(partition as i32))
        .filter(hot_frame::Column::TMax.gte(from))
        .filter(hot_frame::Column::TMin.lt(to))
        .order_by_asc(hot_frame::Column::Seq);
    let tx = db.read(&Scope::Platform).await?;
    let sizes: Vec<(i64, i32)> = frames
        .clone()
        .select_only()
        .columns([hot_frame::Column::Seq, hot_frame::Column::N])
        .into_tuple()
        .all(&tx)
        .await?;
    tx.commit().await?;
    for (first, last) in frame_pages(&sizes, POSITIONS_AT_ONCE) {
        let tx = db.read(&Scope::Platform).await?;
        let page = frames.clone().filter(hot_frame::Column::Seq.between(first, last)).all(&tx).await?;
        tx.commit().await?;
        for frame in &page {
            let frame = HotFrame::parse(&frame.data).map_err(Error::internal)?;
            if frame.contains(device) {
                run.extend(frame.rows_of(tenant, device).map_err(Error::internal)?);
            }
        }
    }
    Ok(())
}

fn by_day(mut run: Vec<Position>, from: i64, to: i64) -> BTreeMap<i64, Vec<Position>> {
    run.retain(|position| (from..to).contains(&position.recorded_at()));
    // A stable sort keeps the order of storage within an instant.
    run.sort_by_key(Position::recorded_at);
    split_by_utc_day(&run).map(|(day, positions)| (day, positions.to_vec())).collect()
}
