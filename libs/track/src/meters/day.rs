//! The days of a time zone. Most have 24 hours; where clocks are put forward or back, one has 23 or 25.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone};
use chrono_tz::Tz;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// A day: from its first millisecond until before that of the next one, milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// When it begins.
    pub from: i64,
    /// When the next one begins.
    pub until: i64,
}

impl Day {
    /// The day of an instant, in milliseconds since 1970, in a time zone.
    pub fn of(at: i64, zone: Tz) -> Self {
        let date = DateTime::from_timestamp_millis(at).map(|at| at.with_timezone(&zone).date_naive());
        let begins = |date: NaiveDate| begin_of_day(date, zone);
        let day = date.and_then(|date| Some(Self { from: begins(date)?, until: begins(date.succ_opt()?)? }));
        day.filter(|day| day.contains(at)).unwrap_or_else(|| Self::default().later(at))
    }

    /// The day of a later instant while nobody can say in which time zone: as if the days after this one had 24 hours each;
    /// those of UTC after the default.
    pub fn later(self, at: i64) -> Self {
        let from = at - at.saturating_sub(self.until).rem_euclid(DAY_MS);
        Self { from, until: from.saturating_add(DAY_MS) }
    }

    /// Whether an instant, in milliseconds since 1970, is of the day.
    pub fn contains(self, at: i64) -> bool {
        (self.from..self.until).contains(&at)
    }
}

/// When a day begins in a time zone, milliseconds since 1970: where clocks are put forward at midnight, an hour later. None
/// where a zone left a whole day out.
pub fn begin_of_day(day: NaiveDate, zone: Tz) -> Option<i64> {
    let at = |hour| {
        NaiveTime::from_hms_opt(hour, 0, 0).and_then(|time| zone.from_local_datetime(&day.and_time(time)).earliest())
    };
    at(0).or_else(|| at(1)).map(|begin| begin.timestamp_millis())
}
