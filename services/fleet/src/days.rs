//! Days of the calendar, where a tenant is.

use armada_proto::Timestamp;
use chrono::{DateTime, Days, NaiveDate, TimeZone};
use chrono_tz::Tz;

/// When a day, `YYYY-MM-DD`, is over in a time zone (IANA name): the first instant of the next one, also where clocks are
/// moved at midnight. None when either is not what it should be.
pub fn end_of(day: &str, time_zone: &str) -> Option<Timestamp> {
    let zone: Tz = time_zone.parse().ok()?;
    let next = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?.checked_add_days(Days::new(1))?;
    // What lies in the hour that is left out begins when that hour would have ended.
    let begins = (0..24).find_map(|hour| zone.from_local_datetime(&next.and_hms_opt(hour, 0, 0)?).earliest());
    begins.as_ref().map(DateTime::timestamp_millis).map(Timestamp::from_millis)
}
