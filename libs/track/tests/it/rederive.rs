//! What stored fixes tell by thresholds of another time.

use std::collections::BTreeSet;

use armada_track::{
    DeviceState, DeviceThresholds, FixMark, Motion, Outcome, Position, Rederivation, Report, Segment, SegmentKind,
    Segmenter, Thresholds, fill_late, merge, rederive,
};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_position, arrivals};

const START: i64 = 1_790_000_000_000;

/// What was stored of a device, as history gives it back.
fn stored(reports: Vec<Report>, thresholds: &Thresholds) -> Vec<Position> {
    let mut state = DeviceState::default();
    // What is told of an instant later finds nothing of the fixes before it.
    let mut instants = BTreeSet::new();
    let reports = reports.into_iter().filter(|report| instants.insert(report.recorded_at));
    let stored = reports.filter_map(|report| match state.advance(report, thresholds) {
        Outcome::Live(position) | Outcome::Late(position) => Some(position),
        _ => None,
    });
    let (mut positions, _) = merge([stored.collect()]);
    fill_late(&mut positions, thresholds);
    positions
}

/// The same without those that came late.
fn live(reports: Vec<Report>, thresholds: &Thresholds) -> Vec<Position> {
    let mut positions = stored(reports, thresholds);
    positions.retain(|position| !position.late);
    positions
}

fn any_thresholds() -> impl Strategy<Value = Thresholds> {
    (1..30_u32, prop_oneof![Just(600_000_u64), Just(3_600_000), Just(86_400_000)])
        .prop_map(|(kmh, gap_ms)| Thresholds { moving_speed: kmh * 10, gap_ms, ..Thresholds::default() })
}

proptest! {
    #[test]
    fn rederiving_with_the_same_thresholds_changes_nothing(reports in arrivals(), thresholds in any_thresholds()) {
        let positions = live(reports, &thresholds);
        let mut derived = positions.clone();
        rederive(&mut derived, &thresholds);
        prop_assert_eq!(derived, positions);
    }

    #[test]
    fn late_ones_are_derived_as_if_they_had_come_in_time(
        reports in arrivals(),
        thresholds in any_thresholds(),
        late in vec(any::<bool>(), 80),
    ) {
        let positions = live(reports, &thresholds);
        let mut derived = positions.clone();
        for (position, _) in derived.iter_mut().zip(late).skip(1).filter(|(_, late)| *late) {
            let mark = if position.mark == FixMark::Clock { FixMark::Clock } else { FixMark::Unspecified };
            *position = Position { mark, ..Position::late(position.report.clone()) };
        }
        rederive(&mut derived, &thresholds);
        derived.iter_mut().for_each(|position| position.late = false);
        prop_assert_eq!(derived, positions);
    }

    #[test]
    fn rederiving_is_idempotent(
        reports in arrivals(),
        wild in vec(any_position(), 0..12),
        [before, now] in [any_thresholds(), any_thresholds()],
    ) {
        for mut positions in [stored(reports, &before), wild] {
            rederive(&mut positions, &now);
            // Derived in the order of time, none of them is late any more.
            positions.iter_mut().for_each(|position| position.late = false);
            let once = positions.clone();
            rederive(&mut positions, &now);
            prop_assert_eq!(positions, once);
        }
    }

    /// From the first fix on, it is as if it had come by the present thresholds.
    #[test]
    fn a_changed_threshold_holds_for_the_past(
        reports in arrivals(),
        [before, now] in [any_thresholds(), any_thresholds()],
    ) {
        let mut positions = live(reports.clone(), &before);
        rederive(&mut positions, &now);
        let strip = |mut positions: Vec<Position>| {
            // The odometer stays as it was read.
            positions.iter_mut().for_each(|position| position.derived.odometer_dm = 0);
            positions
        };
        prop_assert_eq!(strip(positions), strip(live(reports, &now)));
    }

    #[test]
    fn days_go_on_where_the_ones_before_ended(
        reports in arrivals(),
        [before, now] in [any_thresholds(), any_thresholds()],
        cut: prop::sample::Index,
    ) {
        let mut whole = stored(reports, &before);
        let mut parts = whole.clone();
        rederive(&mut whole, &now);
        let cut = cut.index(parts.len().max(1)).min(parts.len());
        let mut rederivation = Rederivation::new(now);
        let (first, second) = parts.split_at_mut(cut);
        rederivation.run(first);
        rederivation.run(second);
        prop_assert_eq!(parts, whole);
    }

    #[test]
    fn what_was_reported_and_the_marks_stay(reports in arrivals(), now in any_thresholds()) {
        let before = stored(reports, &Thresholds::default());
        let mut positions = before.clone();
        rederive(&mut positions, &now);
        for (position, before) in positions.iter().zip(&before) {
            prop_assert_eq!(&position.report, &before.report);
            prop_assert_eq!((position.late, position.mark), (before.late, before.mark));
        }
    }
}

/// Six minutes at 4 km/h with the engine on, a fix each minute.
fn creeping() -> Vec<Report> {
    let fix = |minute: i64| Report {
        speed: Some(40),
        ignition: Some(true),
        ..Report::new(START + minute * 60_000, 0, 1_000_000 + minute as i32 * 6_000)
    };
    (0..=6).map(fix).collect()
}

#[test]
fn creeping_is_idling_with_a_higher_moving_threshold() {
    let mut positions = stored(creeping(), &Thresholds::default());
    let last = positions[6].derived;
    assert_eq!((last.motion, last.moving_ms, last.idle_ms), (Motion::Moving, 360_000, 0));
    rederive(&mut positions, &Thresholds { moving_speed: 50, ..Thresholds::default() });
    let last = positions[6].derived;
    assert_eq!((last.motion, last.motion_since), (Motion::Idle, START));
    assert_eq!((last.moving_ms, last.idle_ms, last.engine_ms), (0, 360_000, 360_000));
}

#[test]
fn a_part_begins_at_what_was_stored() {
    let whole = stored(creeping(), &Thresholds::default());
    let mut part = whole[3..].to_vec();
    rederive(&mut part, &Thresholds { moving_speed: 50, ..Thresholds::default() });
    let (first, last) = (part[0].derived, part[3].derived);
    assert_eq!(first.moving_ms, whole[3].derived.moving_ms);
    assert_eq!((first.motion, first.motion_since), (Motion::Idle, part[0].recorded_at()));
    assert_eq!((last.moving_ms, last.idle_ms), (first.moving_ms, 180_000));
}

const DAY_MS: i64 = 86_400_000;

/// Decimetres between two fixes of [`driving`].
const STEP_DM: u64 = 6_005;

/// Twenty minutes on the road at 36 km/h, a fix each minute.
fn driving(start: i64) -> Vec<Report> {
    let fix = |minute: i64| Report {
        speed: Some(360),
        ignition: Some(true),
        ..Report::new(start + minute * 60_000, 0, 1_000_000 + minute as i32 * 54_000)
    };
    (0..=20).map(fix).collect()
}

/// The trips of two days that are read one after the other.
fn trips(days: [&mut [Position]; 2]) -> Vec<Segment> {
    let thresholds = DeviceThresholds::default();
    let mut rederivation = Rederivation::new(thresholds.motion());
    let mut segmenter = Segmenter::new(thresholds.segments());
    for day in days {
        rederivation.run(day);
        day.iter().for_each(|position| segmenter.push(position));
    }
    let segments = segmenter.finish(START + DAY_MS);
    segments.into_iter().filter(|segment| segment.kind == SegmentKind::Trip).collect()
}

/// A tracker is switched on, and then sends what it kept of the day before.
#[test]
fn the_day_before_the_first_fix_has_its_trips() {
    let reports: Vec<_> = driving(START).into_iter().chain(driving(START - DAY_MS)).collect();
    let together = stored(reports.clone(), &Thresholds::default());
    // Sealed apart from the day that is known, nothing was derived of it.
    let apart = together.iter().cloned().map(|position| match position.late {
        true => Position::late(position.report),
        false => position,
    });
    for mut positions in [together.clone(), apart.collect()] {
        let (before, day) = positions.split_at_mut(21);
        let trips = trips([before, day]);
        assert_eq!(trips.iter().map(|trip| trip.start.at).collect::<Vec<_>>(), [START - DAY_MS, START]);
        for trip in trips {
            assert_eq!((trip.distance_dm, trip.moving_ms, trip.fixes), (20 * STEP_DM, 1_200_000, 21));
        }
    }
}

/// What was kept is of the same day, and of the one before it.
#[test]
fn late_fixes_go_on_over_midnight_up_to_the_first_live_one() {
    let begin = START.div_euclid(DAY_MS) * DAY_MS;
    let reports = driving(begin - 600_000);
    let mut positions: Vec<_> = reports[..20].iter().cloned().map(Position::late).collect();
    positions.extend(stored(reports[20..].to_vec(), &Thresholds::default()));
    let (before, day) = positions.split_at_mut(10);
    let trips = trips([before, day]);
    assert_eq!(trips.len(), 1);
    assert_eq!((trips[0].start.at, trips[0].distance_dm), (begin - 600_000, 20 * STEP_DM));
    let counters: Vec<_> = positions.iter().map(|position| position.derived.distance_dm / STEP_DM).collect();
    assert_eq!(counters, (0..=20).collect::<Vec<_>>());
}

/// Out of reach there and back again: behind the fix of the return comes what was kept of the way.
#[test]
fn a_way_out_of_reach_counts_whole() {
    let there = driving(START);
    let back = there
        .iter()
        .rev()
        .enumerate()
        .map(|(minute, fix)| Report { recorded_at: START + (20 + minute as i64) * 60_000, ..fix.clone() });
    let way: Vec<_> = there.iter().cloned().chain(back.skip(1)).collect();
    let arrived = [way[0].clone(), way[40].clone()].into_iter().chain(way[1..40].iter().cloned());
    let mut positions = stored(arrived.collect(), &Thresholds::default());
    rederive(&mut positions, &Thresholds::default());
    let derived = positions[40].derived;
    assert_eq!((derived.distance_dm, derived.moving_ms, derived.engine_ms), (40 * STEP_DM, 2_400_000, 2_400_000));
    assert_eq!(derived.odometer_dm, 40 * STEP_DM, "it is carried on with the way");
}
