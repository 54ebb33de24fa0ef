//! What position-ingest reads of meters, on its way into the table: the newest of each device and day of its tenant. A message
//! is acknowledged when it is stored; one that comes again changes nothing.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use armada_proto::{
    DeviceId, TenantId, Timestamp,
    meters::{STREAM, SUBJECT_TEMPLATE, SUBJECTS},
    v1::{MeterDayBegin, MeterReading, MeterReadings},
};
use armada_runtime::{
    Bus, Database, Result, Scope, ServiceKey,
    bus::{self, DurableConsumer, MessageProof, StreamSpec},
    outbox::OutboxHandle,
};
use armada_track::{Activity, MeterValues, MetersRead};
use async_nats::jetstream::{
    Message,
    stream::{DiscardPolicy, RetentionPolicy},
};
use chrono::DateTime;
use chrono_tz::Tz;
use prost::Message as _;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
    prelude::Uuid,
    sea_query::{CaseStatement, Expr, ExprTrait, Func, OnConflict},
};
use tokio_util::sync::CancellationToken;

use super::{
    Changed,
    followed::{self, ReadAgain},
};
use crate::{
    entity::{
        device,
        device_meter_day::{Column, Entity, Model},
    },
    identity::IdentityClient,
};

/// Bytes of what was not read yet, an hour of 200,000 vehicles; then the oldest go, and what comes next says as much of a device,
/// but for its days.
const MAX_BYTES: i64 = 256 << 20;
const HALF_A_DAY_MS: i64 = 12 * 3600 * 1000;
/// Rows of one statement.
const ROWS: usize = 500;
/// For how long the time zone of a tenant is believed.
const ZONE_FOR: Duration = Duration::from_secs(60);

/// Makes the stream: what is read goes.
pub async fn migrate(bus: &Bus) -> Result<()> {
    let mut spec = StreamSpec::refusing_when_full(STREAM, &[SUBJECTS], MAX_BYTES);
    spec.config.discard = DiscardPolicy::Old;
    spec.config.retention = RetentionPolicy::WorkQueue;
    bus.ensure_stream(spec).await
}

/// Takes in what position-ingest reads.
pub struct Readings {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    pub(crate) proof: MessageProof,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    pub(crate) changed: Changed,
    pub(crate) zones: Zones,
    pub(crate) outbox: OutboxHandle,
}

/// Time zones of tenants, for a minute each.
#[derive(Default)]
pub struct Zones(tokio::sync::Mutex<HashMap<TenantId, (tokio::time::Instant, Option<Tz>)>>);

impl Readings {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        shutdown.run_until_cancelled(self.proof.loaded()).await;
        bus::consume(self.bus.clone(), self, shutdown).await
    }

    async fn zone(&self, tenant: TenantId) -> Result<Option<Tz>> {
        let mut zones = self.zones.0.lock().await;
        if let Some((asked, zone)) = zones.get(&tenant)
            && asked.elapsed() < ZONE_FOR
        {
            return Ok(*zone);
        }
        let zone = self.identity.time_zone(&self.service_key, tenant).await?;
        zones.retain(|_, (asked, _)| asked.elapsed() < ZONE_FOR);
        zones.insert(tenant, (tokio::time::Instant::now(), zone));
        Ok(zone)
    }
}

impl DurableConsumer for Readings {
    const STREAM: &str = STREAM;
    const SUBJECT_TEMPLATE: &str = SUBJECT_TEMPLATE;
    const NAME: &str = "fleet";
    const BATCH: usize = 16;
    const FAILURE: &str = "meters of devices are not taken in; will try again";

    type Item = MeterReadings;
    type Stored = ();

    /// None when position-ingest did not write it.
    fn read(&self, message: &Message) -> Option<MeterReadings> {
        let sound = self.proof.is_sound(&message.subject, &message.payload, message.headers.as_ref());
        if !sound {
            return None;
        }
        MeterReadings::decode(message.payload.clone()).ok()
    }

    async fn store(&self, batch: &[MeterReadings]) -> Result<()> {
        let tenants: Vec<_> = batch.iter().flat_map(|readings| &readings.tenants).collect();
        let (mut days, mut read_again) = (Days::default(), Vec::new());
        for readings in tenants {
            let Ok(tenant) = readings.tenant_id.parse() else { continue };
            // A tenant that identity does not know is on its way out.
            if let Some(zone) = self.zone(tenant).await? {
                let of_days = readings.readings.iter().filter(|reading| reading.correction_at == 0);
                of_days.for_each(|reading| days.add(tenant, zone, reading));
                read_again.extend(readings.readings.iter().filter_map(|reading| read_again_of(tenant, reading)));
            }
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let mut stored = days.store(&tx).await?;
        stored.extend(followed::follow(&tx, &read_again).await?);
        tx.commit().await?;
        self.outbox.flush().await;
        self.changed.notify(stored);
        Ok(())
    }
}

/// What was read anew at the fix of a correction; none of the reading of a day.
fn read_again_of(tenant: TenantId, reading: &MeterReading) -> Option<ReadAgain> {
    let device = Uuid::from_slice(&reading.device_id).ok().filter(|_| reading.correction_at != 0)?;
    Some(ReadAgain { tenant, device: device.into(), correction_at: reading.correction_at, read: read_of(reading) })
}

/// Rows as they shall be, unless the table knows something newer: of each device, day and tenant, since a vehicle may be another
/// tenant's by now, and what was read for the former one must not stand in for what was read for this one.
#[derive(Default)]
pub struct Days(BTreeMap<(DeviceId, String, TenantId), Model>);

impl Days {
    /// Notes what was read of a device of a tenant.
    pub fn add(&mut self, tenant: TenantId, zone: Tz, reading: &MeterReading) {
        let Ok(device) = Uuid::from_slice(&reading.device_id) else { return };
        let read = read_of(reading);
        // By noon: position-ingest says which day it is, though it may have heard of another zone a moment later.
        let noon = reading.begin.as_ref().map(|begin| begin.at.saturating_add(HALF_A_DAY_MS));
        let Some(at) = DateTime::from_timestamp_millis(noon.unwrap_or(read.recorded_at)) else { return };
        let day = at.with_timezone(&zone).date_naive().to_string();
        let row = Model {
            version: i64::try_from(reading.version).unwrap_or(i64::MAX),
            ..row(tenant, device.into(), day.clone(), &read).beginning(reading.begin.as_ref())
        };
        match self.0.entry((device.into(), day, tenant)) {
            std::collections::btree_map::Entry::Vacant(none) => drop(none.insert(row)),
            std::collections::btree_map::Entry::Occupied(mut known) => known.get_mut().join(row),
        }
    }

    /// Writes them; of which devices. Those that are gone, or are another tenant's by now, are passed over.
    pub async fn store(self, tx: &DatabaseTransaction) -> Result<Vec<DeviceId>> {
        let mut stored = Vec::new();
        // In the order of their ids, so that two processes never wait for each other.
        let rows: Vec<Model> = self.0.into_values().collect();
        for rows in rows.chunks(ROWS) {
            let tenants = tenants_of(tx, rows.iter().map(|row| row.device_id)).await?;
            let rows = rows.iter().filter(|row| tenants.get(&row.device_id) == Some(&row.tenant_id));
            let rows: Vec<_> = rows.cloned().collect();
            if rows.is_empty() {
                continue;
            }
            stored.extend(rows.iter().map(|row| row.device_id));
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            Entity::insert_many(rows).on_conflict(unless_older()).exec_without_returning(tx).await?;
        }
        stored.dedup();
        Ok(stored)
    }
}

/// What was computed first on a day.
const FIRST: [Column; 6] = [
    Column::FirstDistanceM,
    Column::FirstEngineS,
    Column::FirstMovingS,
    Column::FirstIdleS,
    Column::FirstParkedS,
    Column::FirstRecordedAt,
];

/// What is newer takes the place of what was read before on that day; what was read first stays, unless it is told what the
/// counters were at midnight.
fn unless_older() -> OnConflict {
    let mut newest = OnConflict::columns([Column::DeviceId, Column::Day]);
    newest.update_columns([
        Column::TenantId,
        Column::OdometerM,
        Column::DistanceM,
        Column::EngineS,
        Column::DeviceEngineS,
        Column::MovingS,
        Column::IdleS,
        Column::ParkedS,
        Column::RecordedAt,
        Column::UpdatedAt,
    ]);
    let excluded = |column: Column| Expr::col(("excluded", column));
    // What the counters were at midnight is another number when something came late of a day before.
    let if_from_midnight = |column: Column, other: Expr| {
        CaseStatement::new().case(excluded(Column::IsFromMidnight), excluded(column)).finally(other)
    };
    // Not every reading tells of trips.
    let known = |column: Column| Expr::col((Entity, column));
    newest.value(Column::Trips, Func::coalesce([excluded(Column::Trips), known(Column::Trips)]));
    let first_trips = Func::coalesce([known(Column::FirstTrips), excluded(Column::FirstTrips)]);
    newest.value(Column::FirstTrips, if_from_midnight(Column::FirstTrips, first_trips.into()));
    for first in FIRST {
        newest.value(first, if_from_midnight(first, known(first)));
    }
    let from_midnight = excluded(Column::IsFromMidnight).or(known(Column::IsFromMidnight));
    newest.value(Column::IsFromMidnight, from_midnight);
    let (version, at) = (Column::Version, Column::RecordedAt);
    let same = excluded(version).eq(known(version)).and(excluded(at).gte(known(at)));
    // What was asked for, to correct a meter, has no version.
    let asked_for = excluded(version).eq(0).and(excluded(at).gt(known(at)));
    let is_higher = excluded(version).gt(known(version));
    newest.value(version, CaseStatement::new().case(is_higher.clone(), excluded(version)).finally(known(version)));
    newest.action_and_where(is_higher.or(same).or(asked_for)).to_owned()
}

async fn tenants_of(
    tx: &DatabaseTransaction,
    devices: impl Iterator<Item = DeviceId>,
) -> Result<HashMap<DeviceId, TenantId>> {
    let known = device::Entity::within(Scope::Platform).filter(device::Column::Id.is_in(devices));
    let known = known.select_only().columns([device::Column::Id, device::Column::TenantId]);
    let known: Vec<(DeviceId, TenantId)> = known.into_tuple().all(tx).await?;
    Ok(known.into_iter().collect())
}

/// What a reading says, before any correction.
pub fn read_of(reading: &MeterReading) -> MetersRead {
    let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    MetersRead {
        recorded_at: reading.recorded_at,
        odometer: MeterValues { device: reading.odometer.map(whole), computed: Some(whole(reading.distance)) },
        engine: MeterValues {
            device: reading.device_engine_seconds.map(whole),
            computed: reading.engine_seconds.map(whole),
        },
        activity: Activity {
            moving: whole(reading.moving_seconds),
            idle: whole(reading.idle_seconds),
            parked: whole(reading.parked_seconds),
        },
        trips: reading.trips.map(whole),
    }
}

fn row(tenant_id: TenantId, device_id: DeviceId, day: String, read: &MetersRead) -> Model {
    Model {
        device_id,
        day,
        tenant_id,
        odometer_m: read.odometer.device,
        distance_m: read.odometer.computed,
        engine_s: read.engine.computed,
        device_engine_s: read.engine.device,
        first_distance_m: read.odometer.computed,
        first_engine_s: read.engine.computed,
        moving_s: read.activity.moving,
        idle_s: read.activity.idle,
        parked_s: read.activity.parked,
        first_moving_s: read.activity.moving,
        first_idle_s: read.activity.idle,
        first_parked_s: read.activity.parked,
        trips: read.trips,
        first_trips: read.trips,
        recorded_at: read.recorded_at,
        first_recorded_at: read.recorded_at,
        updated_at: Timestamp::now().millis(),
        version: 0,
        is_from_midnight: false,
    }
}

impl Model {
    /// With what the counters were at midnight, if that is told.
    fn beginning(self, begin: Option<&MeterDayBegin>) -> Self {
        let Some(begin) = begin else { return self };
        let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        Self {
            first_distance_m: Some(whole(begin.distance)),
            first_engine_s: self.engine_s.map(|_| whole(begin.engine_seconds)),
            first_moving_s: whole(begin.moving_seconds),
            first_idle_s: whole(begin.idle_seconds),
            first_parked_s: whole(begin.parked_seconds),
            first_trips: begin.trips.map(whole).or(self.first_trips),
            first_recorded_at: begin.at,
            is_from_midnight: true,
            ..self
        }
    }

    /// The newer of both, with what the older one says of the beginning.
    fn join(&mut self, other: Self) {
        let (older, newer) = match (other.version, other.recorded_at) >= (self.version, self.recorded_at) {
            true => (std::mem::take(self), other),
            false => (other, std::mem::take(self)),
        };
        if newer.is_from_midnight {
            let (trips, first_trips) = (newer.trips.or(older.trips), newer.first_trips.or(older.first_trips));
            *self = Self { trips, first_trips, ..newer };
            return;
        }
        let starts_earlier = older.first_recorded_at <= newer.first_recorded_at;
        let (first, second) = if starts_earlier { (&older, &newer) } else { (&newer, &older) };
        *self = Self {
            first_distance_m: first.first_distance_m,
            first_engine_s: first.first_engine_s,
            first_moving_s: first.first_moving_s,
            first_idle_s: first.first_idle_s,
            first_parked_s: first.first_parked_s,
            first_trips: first.first_trips.or(second.first_trips),
            trips: newer.trips.or(older.trips),
            first_recorded_at: first.first_recorded_at,
            ..newer.clone()
        };
    }
}
