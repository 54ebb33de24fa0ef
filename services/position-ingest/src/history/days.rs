//! Days of devices: kept when they are over, and derived anew from the first one of which something came late. Deriving goes on
//! day by day until a vehicle is left as it was known to be left, or up to its newest fix.

use std::collections::{BTreeMap, BTreeSet};

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Result, Scope};
use armada_track::{Counters, Day, DayEnd, DeviceThresholds, MetersRead, TrackState, VehicleDays};
use chrono_tz::Tz;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{CaseStatement, Expr, ExprTrait, OnConflict},
};

use super::{left::left_before, read::Track};
use crate::{
    directory::tenants::TenantSettings,
    entity::{device_day, device_state, late_fix},
};

/// Rows of one statement.
const ROWS: usize = 500;

/// What a commit batch says of days.
#[derive(Debug, Default)]
pub struct DayChanges {
    /// Days that are over.
    pub ended: Vec<device_day::Model>,
    /// Of which devices something came late.
    pub late: Vec<late_fix::Model>,
    /// Devices whose days were derived anew, and are no more of which something came late.
    pub derived: Vec<(TenantId, DeviceId)>,
    /// Spans of time of devices in which no other days are than those that ended: since the midnight of the first, and before
    /// that of the last, milliseconds since 1970.
    pub replaced: Vec<(TenantId, DeviceId, i64, i64)>,
}

/// A device whose days were derived anew.
pub struct DerivedDays {
    /// The days that are other ones than were known.
    pub ended: Vec<DayEnd>,
    /// How its track goes on behind them; none where it goes on as was known.
    pub goes_on: Option<VehicleDays>,
    /// What its meters showed at the fixes of corrections, by when these were recorded.
    pub at_corrections: BTreeMap<i64, MetersRead>,
}

/// Which device is derived, and by what.
pub struct Deriving {
    /// Whose.
    pub tenant: TenantId,
    /// Which.
    pub device: DeviceId,
    /// Where its hot frames may be.
    pub partitions: BTreeSet<u32>,
    /// By these.
    pub thresholds: DeviceThresholds,
    /// What came late was recorded then or later, milliseconds since 1970.
    pub from: i64,
    /// Since when its tenant keeps history, milliseconds since 1970.
    pub kept_from: i64,
    /// When the fixes of corrections of its meters were recorded, milliseconds since 1970.
    pub corrections: Vec<i64>,
}

/// The day of an instant for a tenant; that of UTC while nothing is known of it.
pub fn day_of(settings: &TenantSettings, tenant: TenantId, at: i64) -> Day {
    settings.day(tenant, at).unwrap_or_else(|| Day::of(at, Tz::UTC))
}

/// Derives the days of a device anew.
pub async fn derive(db: &Database, settings: &TenantSettings, wanted: Deriving) -> Result<DerivedDays> {
    let of = (wanted.tenant, wanted.device);
    let begin = day_of(settings, wanted.tenant, wanted.from).from;
    let left = left_before(db, of, begin).await?;
    let known = known_since(db, of, left.as_ref().map_or(i64::MIN, |(ended, _)| *ended)).await?;
    let (from, left) = left.unwrap_or((i64::MIN, TrackState::default()));
    let from = Ord::max(from, wanted.kept_from);
    let mut track = Track::open(db, wanted.tenant, wanted.device, wanted.partitions, from, i64::MAX).await?;
    let mut days = VehicleDays::new(wanted.thresholds.motion(), wanted.thresholds.segments(), left);
    let (mut ended, mut at_corrections) = (Vec::<DayEnd>::new(), BTreeMap::new());
    while let Some(mut positions) = track.next_stored_day().await? {
        positions.retain(|position| position.recorded_at() >= from);
        for end in days.run(&mut positions, |at| day_of(settings, wanted.tenant, at)) {
            let is_behind = end.day().from > wanted.from;
            let is_known = || known.iter().any(|day| day.begins_at == end.day().from && day.is(&end));
            if is_behind && is_known() {
                return Ok(DerivedDays { ended, goes_on: None, at_corrections });
            }
            ended.push(end);
        }
        for &correction_at in wanted.corrections.iter().filter(|at| **at >= wanted.from) {
            let until = positions.partition_point(|position| position.recorded_at() <= correction_at);
            let last = until.checked_sub(1).and_then(|last| positions.get(last));
            at_corrections.extend(last.map(|last| (correction_at, MetersRead::of(last, None))));
        }
        // Others have their turn between two days.
        tokio::task::yield_now().await;
    }
    Ok(DerivedDays { ended, goes_on: Some(days), at_corrections })
}

async fn known_since(
    db: &Database,
    (tenant, device): (TenantId, DeviceId),
    from: i64,
) -> Result<Vec<device_day::Model>> {
    use device_day::Column;
    let tx = db.read(&Scope::Tenant(tenant)).await?;
    let of_device = device_day::Entity::find().filter(Column::TenantId.eq(tenant)).filter(Column::DeviceId.eq(device));
    let known = of_device.filter(Column::BeginsAt.gte(from)).order_by_asc(Column::BeginsAt).all(&tx).await?;
    tx.commit().await?;
    Ok(known)
}

/// Stores what a commit batch says of days.
pub async fn store(tx: &DatabaseTransaction, partition: u32, changes: &DayChanges) -> Result<()> {
    for &(tenant, device, from, until) in &changes.replaced {
        use device_day::Column;
        let replaced = device_day::Entity::delete_many()
            .filter(Column::TenantId.eq(tenant))
            .filter(Column::DeviceId.eq(device))
            .filter(Column::BeginsAt.gte(from))
            .filter(Column::BeginsAt.lt(until));
        replaced.exec(tx).await?;
    }
    for days in changes.ended.chunks(ROWS) {
        use device_day::Column;
        let known = OnConflict::columns([Column::TenantId, Column::DeviceId, Column::BeginsAt])
            .update_columns([
                Column::EndsAt,
                Column::LastAt,
                Column::DistanceDm,
                Column::EngineMs,
                Column::MovingMs,
                Column::IdleMs,
                Column::ParkedMs,
                Column::Trips,
                Column::Version,
                Column::State,
            ])
            .to_owned();
        let rows = days.iter().cloned().map(device_day::ActiveModel::from);
        device_day::Entity::insert_many(rows).on_conflict(known).exec_without_returning(tx).await?;
    }
    for &(_, device) in &changes.derived {
        let derived = late_fix::Entity::delete_many().filter(late_fix::Column::Partition.eq(partition as i32));
        derived.filter(late_fix::Column::DeviceId.eq(device)).exec(tx).await?;
    }
    note_late(tx, &changes.late).await
}

/// The devices of a partition that are to be derived anew.
pub async fn noted(db: &Database, partition: u32) -> Result<Vec<late_fix::Model>> {
    let tx = db.read(&Scope::Platform).await?;
    let noted = late_fix::Entity::find().filter(late_fix::Column::Partition.eq(partition as i32)).all(&tx).await?;
    tx.commit().await?;
    Ok(noted)
}

/// Notes all devices of a tenant, or of all tenants, to be derived anew from the first fix that is kept; how many there are. The
/// owners of their partitions see it within half a minute.
pub async fn note_all(db: &Database, tenant: Option<TenantId>) -> Result<u64> {
    let mut noted = 0;
    let mut after: Option<(DeviceId, i32)> = None;
    loop {
        let tx = db.write(&Scope::Platform).await?;
        let page = devices_after(&tx, tenant, after).await?;
        let late = page.iter().map(|(device_id, tenant_id, partition)| late_fix::Model {
            partition: *partition,
            device_id: *device_id,
            tenant_id: *tenant_id,
            recorded_at: 0,
        });
        note_late(&tx, &late.collect::<Vec<_>>()).await?;
        tx.commit().await?;
        noted += page.len() as u64;
        let Some((device, _, partition)) = page.last() else { return Ok(noted) };
        after = Some((*device, *partition));
    }
}

async fn devices_after(
    tx: &DatabaseTransaction,
    tenant: Option<TenantId>,
    after: Option<(DeviceId, i32)>,
) -> Result<Vec<(DeviceId, TenantId, i32)>> {
    use device_state::Column;
    let mut devices = device_state::Entity::find();
    if let Some(tenant) = tenant {
        devices = devices.filter(Column::TenantId.eq(tenant));
    }
    if let Some((device, partition)) = after {
        let same = Column::DeviceId.eq(device).and(Column::Partition.gt(partition));
        devices = devices.filter(Column::DeviceId.gt(device).or(same));
    }
    let devices = devices.order_by_asc(Column::DeviceId).order_by_asc(Column::Partition).limit(ROWS as u64);
    let columns = devices.select_only().columns([Column::DeviceId, Column::TenantId, Column::Partition]);
    Ok(columns.into_tuple().all(tx).await?)
}

/// Notes of which devices something came late, each with the earliest of it.
pub async fn note_late(tx: &DatabaseTransaction, late: &[late_fix::Model]) -> Result<()> {
    use late_fix::Column;
    for rows in late.chunks(ROWS) {
        let (known, now) =
            (Expr::col((late_fix::Entity, Column::RecordedAt)), Expr::col(("excluded", Column::RecordedAt)));
        let earlier = CaseStatement::new().case(now.clone().lt(known.clone()), now).finally(known);
        let earliest = OnConflict::columns([Column::Partition, Column::DeviceId])
            .update_column(Column::TenantId)
            .value(Column::RecordedAt, earlier)
            .to_owned();
        let rows = rows.iter().cloned().map(late_fix::ActiveModel::from);
        late_fix::Entity::insert_many(rows).on_conflict(earliest).exec_without_returning(tx).await?;
    }
    Ok(())
}

impl device_day::Model {
    /// A day of a device that is over. How far RAW was read is known with the commit batch.
    pub fn of(tenant_id: TenantId, device_id: DeviceId, end: &DayEnd) -> Self {
        let Counters { distance_dm, engine_ms, moving_ms, idle_ms, parked_ms } = end.sums();
        let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        Self {
            tenant_id,
            device_id,
            begins_at: end.day().from,
            ends_at: end.day().until,
            last_at: end.last_at,
            distance_dm: whole(distance_dm),
            engine_ms: whole(engine_ms),
            moving_ms: whole(moving_ms),
            idle_ms: whole(idle_ms),
            parked_ms: whole(parked_ms),
            trips: end.trips().map(whole),
            version: 0,
            state: end.state.encode(),
        }
    }

    /// Whether it is known already, and what came behind it with it.
    fn is(&self, end: &DayEnd) -> bool {
        Self { version: self.version, ..Self::of(self.tenant_id, self.device_id, end) } == *self
    }
}
