//! Runs of positions of one device, brought into order, and what late ones get.

use std::collections::{BTreeMap, BTreeSet};

use armada_track::{
    DeviceState, MAX_ALARMS, MergeCounts, Motion, Outcome, Position, Report, Thresholds, alarms, fill_late, merge,
    split_by_utc_day,
};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_position, arrivals};

fn stored(reports: Vec<Report>) -> Vec<Position> {
    let (mut state, mut newest) = (DeviceState::default(), None);
    let mut stored = Vec::new();
    for report in reports {
        let received_at = report.recorded_at;
        match state.receive(report, received_at, newest.as_ref(), &Thresholds::default()) {
            Outcome::Live(position) => {
                newest = Some(position.clone());
                stored.push(position);
            }
            Outcome::Late(position) => stored.push(position),
            _ => {}
        }
    }
    stored
}

fn counters(position: &Position) -> [u64; 5] {
    let derived = &position.derived;
    [derived.distance_dm, derived.engine_ms, derived.moving_ms, derived.idle_ms, derived.parked_ms]
}

fn close_in_time() -> impl Strategy<Value = Position> {
    (any_position(), 0..12_i64).prop_map(|(mut position, at)| {
        position.report.recorded_at = at;
        position
    })
}

proptest! {
    #[test]
    fn each_instant_has_one_position_with_all_that_was_said(runs in vec(vec(close_in_time(), 0..8), 0..6), twice: bool) {
        let mut runs = runs;
        if let (true, Some(first)) = (twice, runs.first().cloned()) {
            runs.push(first);
        }
        let mut oracle: BTreeMap<i64, Vec<Position>> = BTreeMap::new();
        for position in runs.iter().flatten() {
            oracle.entry(position.recorded_at()).or_default().push(position.clone());
        }
        let all: usize = runs.iter().map(Vec::len).sum();
        let (merged, counts) = merge(runs);
        prop_assert_eq!(merged.len() as u64 + counts.repeats + counts.united, all as u64);
        prop_assert!(merged.iter().map(Position::recorded_at).eq(oracle.keys().copied()));
        for (position, said) in merged.iter().zip(oracle.values()) {
            let said = || said.iter().map(|position| &position.report);
            prop_assert_eq!(position.report.valid, said().any(|report| report.valid));
            prop_assert_eq!(position.report.odometer.is_some(), said().any(|report| report.odometer.is_some()));
            prop_assert_eq!(position.report.ignition.is_some(), said().any(|report| report.ignition.is_some()));
            let named = |report: &Report| alarms(report.alarm.as_deref().unwrap_or_default()).map(str::to_owned).collect::<BTreeSet<_>>();
            let all: BTreeSet<_> = said().flat_map(named).collect();
            prop_assert!(named(&position.report) == all || all.len() > MAX_ALARMS);
        }
        prop_assert_eq!(merge([merged.clone()]), (merged, MergeCounts::default()));
    }

    #[test]
    fn filling_never_turns_a_counter_back(reports in arrivals()) {
        let (mut positions, _) = merge([stored(reports)]);
        let before = positions.clone();
        fill_late(&mut positions, &Thresholds::default());
        for pair in positions.windows(2) {
            let (a, b) = (counters(&pair[0]), counters(&pair[1]));
            prop_assert!(a.iter().zip(&b).all(|(a, b)| a <= b), "{:?}", pair);
        }
        for (filled, before) in positions.iter().zip(&before) {
            prop_assert!(filled.derived.is_present());
            prop_assert!(filled.derived.motion_since <= filled.recorded_at());
            prop_assert!(before.late || filled == before);
            prop_assert!(filled.report.same_content(&before.report));
        }
        let once = positions.clone();
        fill_late(&mut positions, &Thresholds::default());
        prop_assert_eq!(positions, once);
    }

    #[test]
    fn any_positions_are_filled_safely(mut positions in vec(any_position(), 0..20)) {
        fill_late(&mut positions, &Thresholds::default());
    }

    #[test]
    fn days_are_cut_at_midnight(mut times in vec(-300_000_000..300_000_000_i64, 0..30)) {
        times.sort_unstable();
        let positions: Vec<_> = times.iter().map(|at| Position::late(Report::new(*at, 1, 1))).collect();
        let days: Vec<_> = split_by_utc_day(&positions).collect();
        prop_assert!(days.is_sorted_by(|a, b| a.0 < b.0));
        for (day, run) in &days {
            prop_assert!(run.iter().all(|position| position.recorded_at().div_euclid(86_400_000) == *day));
        }
        prop_assert_eq!(days.into_iter().flat_map(|(_, run)| run.to_vec()).collect::<Vec<_>>(), positions);
    }
}

#[test]
fn late_fixes_lie_between_their_neighbours() {
    let fix = |second: i64, lng: i32| Report {
        speed: Some(500),
        ignition: Some(true),
        ..Report::new(second * 1_000, 0, lng)
    };
    // One degree of longitude at the equator is 111,195 m, so 9,000 units are 100 m.
    let arrived = vec![fix(1_000, 0), fix(1_030, 27_000), fix(1_010, 9_000), fix(1_020, 18_000), fix(990, -9_000)];
    let (mut positions, _) = merge([stored(arrived)]);
    fill_late(&mut positions, &Thresholds::default());
    let metres: Vec<_> = positions.iter().map(|position| position.derived.distance_dm / 10).collect();
    assert_eq!(metres, [0, 0, 100, 200, 300]);
    let engine: Vec<_> = positions.iter().map(|position| position.derived.engine_ms / 1_000).collect();
    assert_eq!(engine, [0, 0, 10, 20, 30]);
    assert!(positions.iter().all(|position| position.derived.motion == Motion::Moving));
    assert_eq!(positions.iter().filter(|position| position.late).count(), 3);
}

#[test]
fn single_late_fixes_wait_for_a_batch() {
    let mut positions = vec![Position::late(Report::new(1, 2, 3)), Position::late(Report::new(2, 2, 3))];
    let before = positions.clone();
    fill_late(&mut positions, &Thresholds::default());
    assert_eq!(positions, before);
}
