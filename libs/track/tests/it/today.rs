//! Days, and what a vehicle has come to on the last one.

use armada_proto::v1::DayActivity;
use armada_track::{CodecError, Day, DayCounters, DeviceState, Outcome, Position, Report, Thresholds};
use chrono::{DateTime, Days, TimeZone};
use chrono_tz::Tz;
use proptest::{collection::vec, prelude::*};

use crate::support::arrivals;

/// With clocks that are put forward and back, at midnight too, and by half an hour.
const ZONES: [Tz; 8] = [
    Tz::UTC,
    Tz::Asia__Jakarta,
    Tz::Europe__Berlin,
    Tz::America__New_York,
    Tz::Africa__Cairo,
    Tz::America__Havana,
    Tz::Australia__Lord_Howe,
    Tz::Pacific__Chatham,
];
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn zone() -> impl Strategy<Value = Tz> {
    prop::sample::select(ZONES.to_vec())
}

/// The positions of a device that moved it forward.
fn live(reports: Vec<Report>) -> Vec<Position> {
    let mut state = DeviceState::default();
    let outcomes = reports.into_iter().map(|report| state.advance(report, &Thresholds::default()));
    let live = outcomes.filter_map(|outcome| if let Outcome::Live(position) = outcome { Some(position) } else { None });
    live.collect()
}

/// As ingest does it: asked at each fix whether the day is over.
fn counted(positions: &[Position], zone: Tz) -> DayCounters {
    let mut counters = DayCounters::default();
    let mut before: Option<&Position> = None;
    for position in positions {
        if counters.is_over(position.recorded_at()) {
            let before = before.map(|before| (before.recorded_at(), &before.derived));
            counters.go_on(Day::of(position.recorded_at(), zone), before, position);
        }
        before = Some(position);
    }
    counters
}

/// The same by adding up what each way from one fix to the next brought to the day: metres, and seconds moving, idle, parked
/// and with the engine on.
fn sum_of_steps(positions: &[Position], day: Day) -> [f64; 5] {
    let mut sums = [0_u64; 5];
    for pair in positions.windows(2) {
        let [before, now] = pair else { continue };
        if now.recorded_at() < day.from {
            continue;
        }
        let yesterday = day.from.saturating_sub(before.recorded_at()).max(0).unsigned_abs();
        let elapsed = now.recorded_at().abs_diff(before.recorded_at());
        let (was, is) = (before.derived, now.derived);
        let times = [
            is.moving_ms - was.moving_ms,
            is.idle_ms - was.idle_ms,
            is.parked_ms - was.parked_ms,
            is.engine_ms - was.engine_ms,
        ];
        let way = is.distance_dm - was.distance_dm;
        sums[0] += way - way * yesterday / elapsed.max(1);
        for (sum, time) in sums[1..].iter_mut().zip(times) {
            *sum += time.saturating_sub(yesterday);
        }
    }
    let [distance, times @ ..] = sums.map(|sum| sum as f64);
    let [moving, idle, parked, engine] = times.map(|millis| millis / 1000.0);
    [distance / 10.0, moving, idle, parked, engine]
}

fn figures(activity: &DayActivity) -> [f64; 5] {
    let engine = activity.engine_seconds.unwrap_or_default();
    [activity.distance, activity.moving_seconds, activity.idle_seconds, activity.parked_seconds, engine]
}

proptest! {
    #[test]
    fn day_sums_the_steps_between_fixes(reports in arrivals(), zone in zone()) {
        let positions = live(reports);
        let counters = counted(&positions, zone);
        if let Some(newest) = positions.last() {
            let activity = counters.activity(newest).expect("its day is known");
            prop_assert_eq!(figures(&activity), sum_of_steps(&positions, counters.day()));
            prop_assert_eq!(DayCounters::decode(&counters.encode()), Ok(counters));
        }
    }

    #[test]
    fn every_instant_belongs_to_one_day(hours in 0..3 * 366 * 24_i64, minutes in 0..60_i64, zone in zone()) {
        let at = 1_704_067_200_000 + hours * HOUR + minutes * 60_000;
        let day = Day::of(at, zone);
        prop_assert!(day.contains(at), "{day:?} {at}");
        prop_assert_eq!(Day::of(day.from, zone), day);
        prop_assert_eq!(Day::of(day.until - 1, zone), day);
        let next = Day::of(day.until, zone);
        prop_assert_eq!(next.from, day.until);
        let date = |at: i64| DateTime::from_timestamp_millis(at).unwrap().with_timezone(&zone).date_naive();
        prop_assert_eq!(date(next.from), date(day.from) + Days::new(1));
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(junk in vec(any::<u8>(), 0..40)) {
        let _ = DayCounters::decode(&junk);
    }
}

#[test]
fn days_are_as_long_as_the_clocks_make_them() {
    let hours = |zone: Tz, month: u32, day: u32| {
        let noon = zone.with_ymd_and_hms(2026, month, day, 12, 0, 0).unwrap();
        let day = Day::of(noon.timestamp_millis(), zone);
        (day.until - day.from) / HOUR
    };
    assert_eq!([hours(Tz::Europe__Berlin, 3, 29), hours(Tz::Europe__Berlin, 10, 25)], [23, 25]);
    assert_eq!(hours(Tz::Asia__Jakarta, 3, 29), 24);
    // Of a zone that nobody could tell.
    let day = Day { from: 17 * HOUR, until: 41 * HOUR };
    assert_eq!(day.later(41 * HOUR), Day { from: 41 * HOUR, until: 65 * HOUR });
    assert_eq!(day.later(120 * HOUR), Day { from: 113 * HOUR, until: 137 * HOUR });
    assert_eq!(Day::default().later(25 * HOUR), Day { from: DAY, until: 2 * DAY });
}

/// A vehicle that is parked from 21:00 until 06:00, and not heard in between, or moves through midnight.
#[test]
fn midnight_splits_ongoing_activity() {
    let zone = Tz::Asia__Jakarta;
    let midnight = zone.with_ymd_and_hms(2026, 3, 2, 0, 0, 0).unwrap().timestamp_millis();
    let fix = |at: i64, east: i32, speed: u32, ignition: bool| Report {
        speed: Some(speed),
        ignition: Some(ignition),
        ..Report::new(at, -62_000_000, 1_068_000_000 + east)
    };
    let parked = live(vec![
        fix(midnight - 4 * HOUR, 0, 0, true),
        fix(midnight - 3 * HOUR, 0, 0, false),
        fix(midnight + 6 * HOUR, 0, 0, false),
    ]);
    let activity = counted(&parked, zone).activity(&parked[2]).expect("known");
    assert_eq!(figures(&activity), [0.0, 0.0, 0.0, 21_600.0, 0.0]);
    assert_eq!(activity.from.map(|from| from.millis()), Some(midnight));
    assert_eq!(activity.until.map(|until| until.millis()), Some(midnight + DAY));

    let moving = live(vec![
        fix(midnight - 60_000, 0, 400, true),
        fix(midnight - 20_000, 4_000, 400, true),
        fix(midnight + 10_000, 8_000, 400, true),
        fix(midnight + 20_000, 9_000, 400, true),
    ]);
    let counters = counted(&moving, zone);
    let [distance, times @ ..] = figures(&counters.activity(&moving[3]).expect("known"));
    assert_eq!(times, [20.0, 0.0, 0.0, 20.0]);
    // Two thirds of the way over midnight are of the earlier day.
    let [_, second, third, last] = [0, 1, 2, 3].map(|fix: usize| moving[fix].derived.distance_dm);
    let earlier = (third - second) * 20 / 30;
    assert!(earlier > 0 && distance == (last - second - earlier) as f64 / 10.0);
    assert_eq!(counters.activity(&moving[1]), None, "a fix of another day");
}

/// The zone of a tenant becomes known, or is another, while a day goes on.
#[test]
fn changed_time_zone_keeps_counts() {
    let at = |hour: i64| 1_772_323_200_000 + hour * HOUR;
    let positions = live((0..30).map(|hour| Report { ignition: Some(true), ..Report::new(at(hour), 1, 2) }).collect());
    let engine = |counters: &DayCounters, newest: usize| {
        counters.activity(&positions[newest]).and_then(|activity| activity.engine_seconds)
    };
    let step = |counters: &mut DayCounters, newest: usize, zone: Tz| {
        let before = newest.checked_sub(1).map(|before| (positions[before].recorded_at(), &positions[before].derived));
        counters.go_on(Day::of(positions[newest].recorded_at(), zone), before, &positions[newest]);
    };
    let mut counters = DayCounters::default();
    (0..=10).for_each(|newest| step(&mut counters, newest, Tz::UTC));
    assert_eq!(engine(&counters, 10), Some(36_000.0));
    // Seven hours ahead: the same day until 17:00 UTC.
    step(&mut counters, 11, Tz::Asia__Jakarta);
    assert_eq!(engine(&counters, 11), Some(39_600.0));
    (12..=19).for_each(|newest| step(&mut counters, newest, Tz::Asia__Jakarta));
    assert_eq!(engine(&counters, 19), Some(7_200.0));
    // Of one whose state is older than this.
    let mut counters = DayCounters::default();
    step(&mut counters, 5, Tz::UTC);
    assert_eq!(engine(&counters, 5), Some(3_600.0));
    assert_eq!(DayCounters::decode(&[7]), Err(CodecError::UnknownCodec(7)));
    assert_eq!(DayCounters::default().encode(), Vec::<u8>::new());
}
