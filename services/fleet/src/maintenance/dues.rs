//! When a maintenance is due: its limits, where each of its states begins, and the day on which it will be due. All of it is
//! worked out when the row is written and when what its vehicle's meters show has changed.

use armada_proto::{DeviceId, v1::MaintenanceState};
use armada_runtime::Result;
use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};

use crate::{
    entity::{
        device_meter_day,
        maintenance::{Model, NEVER, NO_LIMIT, UNKNOWN},
    },
    meters::{self, Average, Reading},
    today,
};

/// Metres of a kilometre.
pub const KILOMETRE: i64 = 1_000;
/// Seconds of an hour.
pub const HOUR: i64 = 3_600;
/// Metres that a vehicle goes in a second at most.
const FASTEST: i64 = 60;
/// How many days the forecast looks back.
const FORECAST_DAYS: u32 = 30;
/// A forecast of more days than this is none: nobody knows what a vehicle does in years.
const FORECAST_MAX: f64 = 730.0;
/// What is past a limit by more than a tenth of its interval is overdue;
const TENTH: i64 = 10;
/// without an interval that is what is past it by more kilometres or hours than this.
const OVERDUE_TOLERANCE: [i64; 2] = [100 * KILOMETRE, 10 * HOUR];

/// What is known of a vehicle on which the dues of its maintenance depend.
pub struct Facts {
    today: NaiveDate,
    reading: Option<Reading>,
    average: Average,
    /// The day of the reading.
    read_on: NaiveDate,
    /// The newest figure, by its day and when it was recorded.
    metered: Option<(String, i64)>,
}

impl Facts {
    /// As of now.
    pub async fn of(tx: &DatabaseTransaction, device: DeviceId, zone: Tz) -> Result<Self> {
        use device_meter_day::{Column, Entity};
        let today = today::in_zone(zone);
        // First: on PostgreSQL each statement sees what was stored until it begins, and a figure that comes in between must not
        // pass for one that was taken into account.
        let newest = Entity::find().filter(Column::DeviceId.eq(device)).order_by_desc(Column::Day).one(tx).await?;
        let reading = meters::latest(tx, device).await?;
        let average = meters::average_per_day(tx, device, FORECAST_DAYS).await?;
        let read_on = reading.and_then(|reading| today::of_instant(reading.recorded_at, zone)).unwrap_or(today);
        Ok(Self { today, reading, average, read_on, metered: newest.map(|newest| (newest.day, newest.recorded_at)) })
    }

    /// Kilometres that the odometer shows.
    pub fn odometer(&self) -> Option<i32> {
        let metres = self.reading.and_then(|reading| reading.odometer_m)?;
        i32::try_from(metres / KILOMETRE).ok()
    }

    /// Hours that the engine has run.
    pub fn engine_hours(&self) -> Option<i32> {
        let seconds = self.reading.and_then(|reading| reading.engine_s)?;
        i32::try_from(seconds / HOUR).ok()
    }

    /// The day that it is for the tenant.
    pub fn today(&self) -> NaiveDate {
        self.today
    }
}

/// Works out everything of a row that follows from its fields and from these facts. Limits that only an interval says are
/// counted from now.
pub fn settle(row: &mut Model, facts: &Facts) {
    begin_intervals(row, facts);
    row.odometer_m = facts.reading.and_then(|reading| reading.odometer_m).unwrap_or(UNKNOWN);
    row.engine_s = facts.reading.and_then(|reading| reading.engine_s).unwrap_or(UNKNOWN);
    (row.metered_on, row.metered_at) = facts.metered.clone().unwrap_or_default();
    [row.soon_on, row.due_on, row.overdue_on] = days(row);
    let odometer = row.counts_odometer().then_some((row.due_odometer, row.lead_odometer, row.interval_odometer));
    [row.soon_m, row.due_m, row.overdue_m] = figures(odometer, KILOMETRE, OVERDUE_TOLERANCE[0]);
    let engine =
        row.counts_engine().then_some((row.due_engine_hours, row.lead_engine_hours, row.interval_engine_hours));
    [row.soon_s, row.due_s, row.overdue_s] = figures(engine, HOUR, OVERDUE_TOLERANCE[1]);
    forecast(row, facts);
    row.look_after = next_check_at(row);
}

/// When a figure that is recorded may bring it to its next state at the earliest: no vehicle goes faster than this, and no
/// engine runs longer than time passes. What is corrected is looked at at once.
fn next_check_at(row: &Model) -> i64 {
    let next = |limits: [i64; 3], shown: i64| limits.into_iter().find(|limit| *limit != NO_LIMIT && *limit > shown);
    let wait = |limits: [i64; 3], shown: i64, a_second: i64, is_awaited: bool| match next(limits, shown) {
        _ if is_awaited => Some(0),
        // Nobody knows how far it is.
        Some(_) if shown == UNKNOWN => Some(HOUR),
        Some(limit) => Some((limit - shown) / a_second),
        None => None,
    };
    let metres = wait([row.soon_m, row.due_m, row.overdue_m], row.odometer_m, FASTEST, row.awaits_odometer());
    let seconds = wait([row.soon_s, row.due_s, row.overdue_s], row.engine_s, 1, row.awaits_engine());
    let wait = metres.into_iter().chain(seconds).min();
    wait.map_or(NO_LIMIT, |seconds| row.metered_at.saturating_add(seconds.saturating_mul(1_000)))
}

fn begin_intervals(row: &mut Model, facts: &Facts) {
    if row.is_done {
        return;
    }
    if row.counts_days() && row.due_date.is_empty() && row.interval_days > 0 {
        row.due_date = day_after(facts.today, row.interval_days);
    }
    if let Some(shown) = facts.odometer().filter(|_| row.awaits_odometer()) {
        row.due_odometer = shown.saturating_add(row.interval_odometer);
    }
    if let Some(shown) = facts.engine_hours().filter(|_| row.awaits_engine()) {
        row.due_engine_hours = shown.saturating_add(row.interval_engine_hours);
    }
}

/// The next limits of what was done, counted from that; whatever has no interval has no limit any more.
pub fn roll(row: &mut Model, done_on: NaiveDate, odometer: i32, engine_hours: i32) {
    let next = |done: i32, interval: i32| if interval > 0 && done > 0 { done.saturating_add(interval) } else { 0 };
    row.due_date = if row.interval_days > 0 { day_after(done_on, row.interval_days) } else { String::new() };
    row.due_odometer = next(odometer, row.interval_odometer);
    row.due_engine_hours = next(engine_hours, row.interval_engine_hours);
}

/// Whether it comes again: by an interval of what counts.
pub fn is_recurring(row: &Model) -> bool {
    (row.counts_days() && row.interval_days > 0)
        || (row.counts_odometer() && row.interval_odometer > 0)
        || (row.counts_engine() && row.interval_engine_hours > 0)
}

/// How far it is by its limits, whether somebody is told of it or not, on a day and by what meters show.
pub fn by_limits(row: &Model, day: &str, odometer_m: i64, engine_s: i64) -> MaintenanceState {
    let reached = |on: &str, metres: i64, seconds: i64| on <= day || odometer_m >= metres || engine_s >= seconds;
    if reached(&row.overdue_on, row.overdue_m, row.overdue_s) {
        MaintenanceState::Overdue
    } else if reached(&row.due_on, row.due_m, row.due_s) {
        MaintenanceState::Due
    } else if reached(&row.soon_on, row.soon_m, row.soon_s) {
        MaintenanceState::DueSoon
    } else {
        MaintenanceState::Scheduled
    }
}

/// The days from which on it is due soon, due and overdue.
fn days(row: &Model) -> [String; 3] {
    let Some(due) = today::parse(&row.due_date).filter(|_| row.counts_days()) else {
        return [NEVER, NEVER, NEVER].map(str::to_owned);
    };
    let soon = due.checked_sub_days(Days::new(row.lead_days.max(0).unsigned_abs().into())).unwrap_or(due);
    let late = i64::from(row.interval_days.max(0)) / TENTH + 1;
    [soon.to_string(), due.to_string(), day_after(due, i32::try_from(late).unwrap_or(i32::MAX))]
}

/// The same of a meter, whose due, lead and interval are in units of so many of what it counts.
fn figures(limit: Option<(i32, i32, i32)>, unit: i64, slack: i64) -> [i64; 3] {
    let Some((due, lead, interval)) = limit.filter(|(due, ..)| *due > 0) else { return [NO_LIMIT; 3] };
    let (due, lead, interval) = (i64::from(due) * unit, i64::from(lead) * unit, i64::from(interval) * unit);
    // What is just as far past as it may be is not overdue yet.
    let slack = if interval > 0 { interval / TENTH } else { slack };
    [(due - lead).max(0), due, due + slack + 1]
}

/// The day on which it will be due: its date, or that on which a meter will have come so far, whichever comes first.
fn forecast(row: &mut Model, facts: &Facts) {
    let metres = reached_on(row.due_m, row.odometer_m, facts.average.odometer_m, facts);
    let seconds = reached_on(row.due_s, row.engine_s, facts.average.engine_s, facts);
    let by_meter = metres.into_iter().chain(seconds).min();
    let date = today::parse(&row.due_on);
    // On the same day it is the date that says so.
    let first = [date.map(|day| (day, false)), by_meter.map(|day| (day, true))].into_iter().flatten().min();
    let none = (NEVER.to_owned(), false);
    (row.expected_on, row.is_forecast) = first.filter(|_| !row.is_done).map_or(none, |(day, is)| (day.to_string(), is));
}

/// The day on which a meter comes to its limit; that of its figure where it is past it.
fn reached_on(limit: i64, shown: i64, a_day: Option<f64>, facts: &Facts) -> Option<NaiveDate> {
    if limit == NO_LIMIT || shown == UNKNOWN {
        return None;
    }
    if shown >= limit {
        return Some(facts.read_on);
    }
    let days = (limit - shown) as f64 / a_day.filter(|a_day| *a_day > 0.0)?;
    let day = (days <= FORECAST_MAX).then(|| facts.read_on.checked_add_days(Days::new(days.ceil() as u64)))??;
    // What has not come by now comes today at the earliest.
    Some(day.max(facts.today))
}

fn day_after(day: NaiveDate, days: i32) -> String {
    let later = day.checked_add_days(Days::new(days.max(0).unsigned_abs().into()));
    later.unwrap_or(NaiveDate::MAX).to_string()
}
