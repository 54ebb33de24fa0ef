//! Days of a vehicle: the same whatever the order in which its fixes came.

use armada_track::{
    Day, DayEnd, DeviceState, Outcome, Position, Report, SegmentRules, Thresholds, TrackState, VehicleDays, merge,
};
use chrono_tz::Tz;
use proptest::{collection::vec, prelude::*};

const HOUR: i64 = 3_600_000;
/// 2026-09-20 22:00 UTC: 05:00 in Jakarta.
const START: i64 = 1_790_028_000_000;
/// Metres of a second of latitude, in stored units of 1e-7 degrees: 10 m.
const TEN_M: i32 = 899;

fn day_of(at: i64) -> Day {
    Day::of(at, Tz::Asia__Jakarta)
}

/// Three days and a half with drives by day and by night, over midnight too: a fix every ten minutes, of 60 km/h in every
/// second hour.
fn drive() -> Vec<Report> {
    let mut lat = -62_000_000;
    (0..84 * 6)
        .map(|step| {
            let at = START + step * 600_000;
            let drives = (step / 6) % 2 == 0;
            if drives {
                lat += TEN_M * 1_000;
            }
            let mut report = Report::new(at, lat, 1_068_000_000);
            report.ignition = Some(drives);
            report.speed = Some(if drives { 600 } else { 0 });
            report
        })
        .collect()
}

/// What is stored of fixes in the order in which they come, sealed now and then.
fn stored(reports: &[Report], sealed: &[bool]) -> Vec<Position> {
    let (mut state, thresholds) = (DeviceState::default(), Thresholds::default());
    let (mut run, mut runs): (Vec<Position>, Vec<Vec<Position>>) = (Vec::new(), Vec::new());
    for (number, report) in reports.iter().enumerate() {
        if let Outcome::Live(position) | Outcome::Late(position) = state.advance(report.clone(), &thresholds) {
            run.push(position);
        }
        if sealed.get(number % sealed.len().max(1)).is_some_and(|sealed| *sealed) {
            let (mut positions, _) = merge([std::mem::take(&mut run)]);
            armada_track::fill_late(&mut positions, &thresholds);
            runs.push(positions);
        }
    }
    runs.push(run);
    merge(runs).0
}

fn days_of(mut positions: Vec<Position>) -> (Vec<DayEnd>, TrackState) {
    let mut days = VehicleDays::new(Thresholds::default(), SegmentRules::default(), TrackState::default());
    let mut ended = Vec::new();
    // As history gives them, run after run.
    for run in
        positions.chunk_by_mut(|a, b| a.recorded_at().div_euclid(24 * HOUR) == b.recorded_at().div_euclid(24 * HOUR))
    {
        ended.extend(days.run(run, day_of));
    }
    (ended, days.state())
}

/// What does not say how a fix came.
fn told(ended: &[DayEnd]) -> Vec<String> {
    let day = |day: &DayEnd| format!("{:?} {:?} {:?} {:?}", day.day(), day.sums(), day.trips(), day.meters());
    ended.iter().map(day).collect()
}

#[test]
fn days_of_a_drive_add_up() {
    let reports = drive();
    let positions = stored(&reports, &[]);
    let last = positions.last().expect("positions").derived;
    let (ended, state) = days_of(positions);
    assert_eq!(ended.len(), 3, "{ended:#?}");
    let driven: u64 = ended.iter().map(|day| day.sums().distance_dm).sum();
    let today = state.newest.expect("a newest").derived.distance_dm - ended[2].end.distance_dm;
    assert_eq!(driven + today, last.distance_dm);
    // 10 km in each ten minutes of 42 hours of driving; the first fix begins nothing.
    assert!(last.distance_dm.abs_diff((42 * 6 - 1) * 100_000) < 100_000, "{last:?}");
    assert!(ended.iter().all(|day| day.trips().is_some_and(|trips| trips > 0)), "{:?}", told(&ended));
}

#[test]
fn a_step_over_midnight_is_divided_by_time() {
    // 20 km from 23:50 to 00:10 in Jakarta.
    let midnight = day_of(START).until;
    let mut reports = vec![Report::new(midnight - 600_000, -62_000_000, 1_068_000_000)];
    reports.push(Report::new(midnight + 600_000, -62_000_000 + TEN_M * 2_000, 1_068_000_000));
    reports.iter_mut().for_each(|report| (report.speed, report.ignition) = (Some(600), Some(true)));
    reports.push(Report { recorded_at: midnight + 24 * HOUR, ..reports[1].clone() });
    let (ended, _) = days_of(stored(&reports, &[]));
    let sums: Vec<_> = ended.iter().map(DayEnd::sums).collect();
    assert_eq!(sums.len(), 2, "{sums:?}");
    assert!(sums[0].distance_dm.abs_diff(100_000) < 200, "{sums:?}");
    assert!(sums[0].distance_dm.abs_diff(sums[1].distance_dm) <= 1, "{sums:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_order_gives_the_days_of_the_straight_one(
        keys in vec(any::<u32>(), 84 * 6),
        sealed in vec(prop::bool::weighted(0.02), 1..200),
        repeated in vec(0..84 * 6_usize, 0..20),
    ) {
        let straight = drive();
        let (ended, state) = days_of(stored(&straight, &[]));
        let mut shuffled: Vec<usize> = (0..straight.len()).chain(repeated).collect();
        shuffled.sort_by_key(|index| keys[*index]);
        let shuffled: Vec<Report> = shuffled.into_iter().map(|index| straight[index].clone()).collect();
        let (shuffled_ended, shuffled_state) = days_of(stored(&shuffled, &sealed));
        prop_assert_eq!(told(&shuffled_ended), told(&ended));
        prop_assert_eq!(shuffled_state.device, state.device);
        prop_assert_eq!(shuffled_state.trips, state.trips);
    }

    #[test]
    fn a_state_is_read_as_it_was_written(keys in vec(any::<u32>(), 84 * 6)) {
        let mut reports = drive();
        reports.truncate(1 + keys.len() % 100);
        let (_, state) = days_of(stored(&reports, &[]));
        prop_assert_eq!(TrackState::decode(&state.encode()).expect("its own bytes"), state);
    }
}

#[test]
fn goes_on_from_the_end_of_a_day_as_if_it_had_never_stopped() {
    let positions = stored(&drive(), &[]);
    let (ended, state) = days_of(positions.clone());
    for end in &ended {
        let mut days = VehicleDays::new(Thresholds::default(), SegmentRules::default(), end.state.clone());
        let mut rest: Vec<Position> =
            positions.iter().filter(|position| position.recorded_at() >= end.day().until).cloned().collect();
        let again = days.run(&mut rest, day_of);
        let later: Vec<DayEnd> = ended.iter().filter(|other| other.day().from >= end.day().until).cloned().collect();
        assert_eq!(told(&again), told(&later));
        assert_eq!(days.state(), state);
    }
}
