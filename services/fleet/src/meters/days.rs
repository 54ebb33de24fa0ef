//! What devices came to day by day: differences of what was read, so that no correction makes a vehicle drive.

use armada_proto::{
    Timestamp,
    v1::{MeterDay, MeterSource},
};
use armada_runtime::Result;
use armada_track::{Activity, MetersRead};
use chrono::{Days, NaiveDate, Utc};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};

use crate::{
    entity::{
        device,
        device_meter_day::{Column, Entity, Model},
    },
    today,
};

/// A day of a device.
pub struct Day {
    row: Model,
    /// Metres, and seconds, since the day before.
    distance: Option<i64>,
    engine: Option<i64>,
    /// Since then, too.
    activity: Option<Activity>,
    trips: Option<i64>,
}

/// What it comes to in a day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Average {
    /// Metres a day; none when nobody knows.
    pub odometer_m: Option<f64>,
    /// Seconds a day that the engine runs; none when nobody knows.
    pub engine_s: Option<f64>,
}

/// The last days of a device, the oldest first.
pub struct LastDays {
    days: Vec<Day>,
    /// How many of them something is known of, if only of a part; 0 of a device that never told.
    known: i64,
}

/// So many days up to now. What day it is, is told by UTC: that of the tenant is at most one on.
pub async fn of(tx: &DatabaseTransaction, device: &device::Model, days: u32) -> Result<LastDays> {
    let today = Utc::now().date_naive();
    let first = today.checked_sub_days(Days::new(days.into())).unwrap_or(today);
    let rows = || Entity::find().filter(Column::DeviceId.eq(device.id));
    let before = rows().filter(Column::Day.lte(first.to_string())).order_by_desc(Column::Day).one(tx).await?;
    let rows = rows().filter(Column::Day.gt(first.to_string())).order_by_asc(Column::Day).all(tx).await?;
    let began = if before.is_some() { Some(first) } else { rows.first().and_then(|row| today::parse(&row.day)) };
    let known = began.map_or(0, |began| known_days(began, today, days, before.is_some()));
    Ok(LastDays { days: with_differences(device, before, rows), known })
}

/// Of so many days those of which something is known; a device that began on a day was known on that day.
fn known_days(began: NaiveDate, today: NaiveDate, days: u32, is_older: bool) -> i64 {
    let since = (today - began).num_days() + i64::from(!is_older);
    since.clamp(1, i64::from(days.max(1)))
}

fn with_differences(device: &device::Model, before: Option<Model>, rows: Vec<Model>) -> Vec<Day> {
    let by_device = |source: MeterSource| source == MeterSource::Device;
    let mut last = before.map(|row| row.read());
    let day = |row: Model| {
        let read = row.read();
        let before = row.read_before(last.replace(read));
        let distance = MetersRead::distance(by_device(device.odometer_source), &before, &read);
        let engine = MetersRead::engine_time(by_device(device.engine_hours_source), &before, &read);
        let (activity, trips) = (MetersRead::activity(&before, &read), MetersRead::trips(&before, &read));
        Day { row, distance, engine, activity, trips }
    };
    rows.into_iter().map(day).collect()
}

impl LastDays {
    /// What it comes to in a day.
    pub fn average(&self) -> Average {
        let average = |amount: fn(&Day) -> Option<i64>| {
            let mut amounts = self.days.iter().filter_map(amount).peekable();
            // Of one that said nothing in these days, and something before, it is known that it stood.
            let is_known = amounts.peek().is_some() || (self.days.is_empty() && self.known > 0);
            is_known.then(|| amounts.sum::<i64>() as f64 / self.known.max(1) as f64)
        };
        Average { odometer_m: average(|day| day.distance), engine_s: average(|day| day.engine) }
    }

    /// As they are shown, the newest first.
    pub fn into_messages(self, odometer_source: MeterSource) -> Vec<MeterDay> {
        let whole = |value: Option<i64>| value.map(|value| value as f64);
        let message = |day: Day| {
            let read = day.row.read().odometer;
            let own = read.device.filter(|_| odometer_source == MeterSource::Device);
            let seconds = |of: fn(Activity) -> i64| whole(day.activity.map(of));
            MeterDay {
                moving_seconds: seconds(|did| did.moving),
                idle_seconds: seconds(|did| did.idle),
                parked_seconds: seconds(|did| did.parked),
                trips: day.trips.map(|trips| u32::try_from(trips).unwrap_or(u32::MAX)),
                distance: whole(day.distance),
                engine_seconds: whole(day.engine),
                odometer: whole(own.or(read.computed)),
                recorded_at: Some(Timestamp::from_millis(day.row.recorded_at)),
                day: day.row.day,
            }
        };
        self.days.into_iter().rev().map(message).collect()
    }
}
