//! Days and hours where the demonstration's tenant is: Western Indonesian Time, which has no summer time.

/// The tenant's zone.
pub(super) const TIME_ZONE: &str = "Asia/Jakarta";
/// Milliseconds of an hour.
pub(super) const HOUR: i64 = 3_600_000;
/// Milliseconds of a day.
pub(super) const DAY: i64 = 24 * HOUR;
/// What its clocks are ahead of UTC.
const AHEAD: i64 = 7 * HOUR;
/// 2026-01-05, a Monday, 0:00 there: from then on days are counted.
const FIRST_MONDAY: i64 = 1_767_571_200_000 - AHEAD;

/// The day of an instant, counted from a Monday.
pub(super) const fn day_of(time: i64) -> i64 {
    (time - FIRST_MONDAY).div_euclid(DAY)
}

/// When a day begins.
pub(super) const fn start_of(day: i64) -> i64 {
    FIRST_MONDAY + day * DAY
}

/// The hour of the day, 0 to below 24.
pub(super) fn hour_of_day(time: i64) -> f64 {
    (time - FIRST_MONDAY).rem_euclid(DAY) as f64 / HOUR as f64
}

#[cfg(test)]
mod tests {
    use armada_proto::Timestamp;

    use super::*;

    #[test]
    fn days_begin_on_a_monday_at_midnight() {
        let monday = Timestamp::parse_rfc3339("2026-01-05T00:00:00+07:00").expect("an instant").millis();
        assert_eq!(start_of(0), monday);
        assert_eq!((day_of(monday - 1), day_of(monday), day_of(monday + DAY)), (-1, 0, 1));
        assert_eq!(hour_of_day(monday + 90 * 60_000), 1.5);
    }
}
