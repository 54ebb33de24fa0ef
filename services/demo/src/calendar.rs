//! Days and hours where the demonstration's tenant is: Western Indonesian Time, which has no summer time.

use armada_proto::Timestamp;

/// The tenant's zone.
pub(super) const TIME_ZONE: &str = "Asia/Jakarta";
/// Milliseconds of an hour.
pub const HOUR: i64 = 3_600_000;
/// Milliseconds of a day.
pub const DAY: i64 = 24 * HOUR;
/// What its clocks are ahead of UTC.
const AHEAD: i64 = 7 * HOUR;
/// 2026-01-05, a Monday, 0:00 there: from then on days are counted.
const FIRST_MONDAY: i64 = 1_767_571_200_000 - AHEAD;

/// The day of an instant, counted from a Monday.
pub const fn day_of(time: i64) -> i64 {
    (time - FIRST_MONDAY).div_euclid(DAY)
}

/// When a day begins.
pub const fn start_of(day: i64) -> i64 {
    FIRST_MONDAY + day * DAY
}

/// A day as it is written in lists, e.g. `2026-11-21`.
pub(super) fn date_of(day: i64) -> String {
    let noon = start_of(day) + AHEAD + 12 * HOUR;
    Timestamp::from_millis(noon).to_rfc3339().chars().take(10).collect()
}

/// The hour of the day, 0 to below 24.
pub fn hour_of_day(time: i64) -> f64 {
    (time - FIRST_MONDAY).rem_euclid(DAY) as f64 / HOUR as f64
}
