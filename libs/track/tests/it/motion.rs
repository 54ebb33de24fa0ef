//! From a sequence of fixes to what the vehicle does.

use armada_proto::DeviceId;
use armada_track::{Derived, DeviceState, Motion, Outcome, Place, Position, Reject, Report, Thresholds};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_report, arrivals};

const START: i64 = 1_790_000_000_000;
/// At the equator, in 1e-7 degrees of longitude: 90 units are a metre (89.93).
const METRE: f64 = 1e7 / 111_195.08;

/// A fix so many seconds and metres from the start.
fn fix(second: i64, metres: f64) -> Report {
    Report::new(START + second * 1_000, 0, 1_000_000 + (metres * METRE).round() as i32)
}

fn at_speed(second: i64, metres: f64, speed: u32) -> Report {
    Report { speed: Some(speed), ..fix(second, metres) }
}

fn live(state: &mut DeviceState, report: Report) -> Position {
    match state.advance(report, &Thresholds::default()) {
        Outcome::Live(position) => position,
        other => panic!("not live: {other:?}"),
    }
}

fn drive(reports: impl IntoIterator<Item = Report>) -> Vec<Derived> {
    let mut state = DeviceState::default();
    reports.into_iter().map(|report| live(&mut state, report).derived).collect()
}

fn last(reports: impl IntoIterator<Item = Report>) -> Derived {
    drive(reports).pop().expect("a fix")
}

fn motions(reports: impl IntoIterator<Item = Report>) -> Vec<Motion> {
    drive(reports).iter().map(|derived| derived.motion).collect()
}

#[test]
fn speed_tells_motion_and_ignition_tells_idling() {
    // Slowly: its places say the same.
    let metres = |second: i64| if second < 60 { 0.0 } else { 40.0 };
    let with = |second, speed, ignition| Report { ignition, ..at_speed(second, metres(second), speed) };
    let found = drive([
        with(0, 0, None),
        with(60, 30, None),
        with(120, 29, Some(true)),
        with(180, 0, None),
        with(240, 0, Some(false)),
    ]);
    let motions: Vec<_> = found.iter().map(|derived| derived.motion).collect();
    assert_eq!(motions, [Motion::Parked, Motion::Moving, Motion::Idle, Motion::Idle, Motion::Parked]);
    let since: Vec<_> = found.iter().map(|derived| (derived.motion_since - START) / 1_000).collect();
    assert_eq!(since, [0, 60, 120, 120, 240]);
    let end = found[4];
    assert_eq!([end.parked_ms, end.moving_ms, end.idle_ms, end.engine_ms], [60_000, 60_000, 120_000, 120_000]);
}

#[test]
fn distance_is_that_of_the_road() {
    // 90 km/h for 100 s, a fix a second.
    let derived = last((0..=100).map(|second| at_speed(second, 25.0 * second as f64, 900)));
    assert!(derived.distance_dm.abs_diff(25_000) <= 30, "{}", derived.distance_dm);
    // The same way without a word about speed.
    let derived = last((0..=100).map(|second| fix(second, 25.0 * second as f64)));
    assert!(derived.distance_dm.abs_diff(25_000) <= 30, "{}", derived.distance_dm);
    assert_eq!(derived.motion, Motion::Moving);
}

#[test]
fn a_tracker_without_speed_does_not_flicker() {
    // 14 m a second, far below the jitter radius from fix to fix.
    let found = motions((0..60).map(|second| fix(second, 14.0 * second as f64)));
    let start = found.iter().position(|motion| *motion == Motion::Moving).expect("it moves");
    assert!(start <= 3 && found[start..].iter().all(|motion| *motion == Motion::Moving));
    // It stops: soon it is known to.
    let stop = (60..120).map(|second| fix(second, 14.0 * 60.0 + (second % 3) as f64));
    let found = motions((0..60).map(|second| fix(second, 14.0 * second as f64)).chain(stop));
    assert_eq!(found.last(), Some(&Motion::Parked));
}

#[test]
fn jitter_adds_no_distance() {
    let wander = |second: i64| 20.0 * ((second * 7_919 % 13) as f64 / 6.0 - 1.0);
    let parked = last((0..5_000).map(|n| at_speed(n * 15, wander(n), 10)));
    assert_eq!((parked.distance_dm, parked.motion), (0, Motion::Parked));
    assert_eq!(parked.parked_ms, 4_999 * 15_000);
    let silent = last((0..5_000).map(|n| Report { ignition: Some(false), ..fix(n * 15, 3.0 * wander(n)) }));
    assert_eq!((silent.distance_dm, silent.motion), (0, Motion::Parked));
}

#[test]
fn a_ferry_counts_and_a_jump_does_not() {
    let ferry = last([at_speed(0, 0.0, 0), at_speed(600, 5_000.0, 0)]);
    assert!(ferry.distance_dm.abs_diff(50_000) < 10 && ferry.motion == Motion::Parked);
    let jump = drive([at_speed(0, 0.0, 500), at_speed(1, 5_000.0, 500), at_speed(2, 5_014.0, 500)]);
    assert_eq!(jump[1].distance_dm, 0);
    assert!(jump[2].distance_dm.abs_diff(140) <= 1);
}

#[test]
fn distance_to_a_stop_is_counted() {
    // It brakes 12 m beyond the last moving fix, stands, and goes on.
    let way = [
        at_speed(0, 0.0, 500),
        at_speed(10, 100.0, 300),
        at_speed(15, 112.0, 0),
        at_speed(60, 113.0, 0),
        at_speed(70, 200.0, 400),
    ];
    assert!(last(way).distance_dm.abs_diff(2_000) <= 1);
}

#[test]
fn gaps_count_as_parking_only_when_parked() {
    let hours = |hours: i64| hours * 3_600;
    let parked = last([at_speed(0, 0.0, 0), at_speed(hours(8), 10.0, 0)]);
    assert_eq!(parked.parked_ms, 8 * 3_600_000);
    let moved = last([at_speed(0, 0.0, 0), at_speed(hours(8), 900.0, 0)]);
    assert_eq!(moved.parked_ms, 0);
    let driven = last([at_speed(0, 0.0, 500), at_speed(hours(2), 50_000.0, 500)]);
    assert_eq!(driven.moving_ms, 0);
    assert!(driven.distance_dm.abs_diff(500_000) < 100);
}

#[test]
fn continues_the_vehicles_odometer() {
    let with = |second, metres, odometer| Report { odometer, ..at_speed(second, metres, 500) };
    let found =
        drive([with(0, 0.0, None), with(10, 100.0, Some(7_000)), with(20, 200.0, None), with(30, 300.0, Some(7_190))]);
    let odometers: Vec<_> = found.iter().map(|derived| derived.odometer_dm).collect();
    assert_eq!(odometers[1], 70_000);
    assert!(odometers[0] == 0 && odometers[2].abs_diff(71_000) <= 1 && odometers[3] == 71_900);
    assert!(found[3].distance_dm.abs_diff(3_000) <= 1);
}

#[test]
fn an_invalid_fix_stays_where_the_device_was() {
    let mut state = DeviceState::default();
    let nowhere = |second: i64| Report { valid: false, ..Report::new(START + second * 1_000, 0, 0) };
    assert_eq!(state.advance(nowhere(0), &Thresholds::default()), Outcome::Refused(Reject::NullIsland));
    let moving = live(&mut state, at_speed(10, 50.0, 500));
    let sos = live(&mut state, Report { alarm: Some("sos".into()), ..nowhere(20) });
    assert_eq!(sos.report.place(), moving.report.place());
    assert_eq!((sos.derived.motion, sos.derived.distance_dm, sos.derived.moving_ms), (Motion::Moving, 0, 10_000));
    assert_eq!(
        state.advance(Report { alarm: Some("sos".into()), ..nowhere(20) }, &Thresholds::default()),
        Outcome::Repeat
    );
    let off = live(&mut state, Report { ignition: Some(false), ..nowhere(30) });
    assert_eq!(off.derived.motion, Motion::Parked);
    // Its own coordinates are kept, and say nothing of where the vehicle is.
    let astray = live(&mut state, Report { lat: 9, ..nowhere(40) });
    assert_eq!(astray.report.place(), Place { lat: 9, lng: 0 });
    let shown = astray.to_live_position(DeviceId::default(), state.place());
    assert_eq!((shown.lat, shown.lng), moving.report.place().degrees());
    assert_eq!(state.place(), Some(moving.report.place()));
}

#[test]
fn distinguishes_repeats_and_late_fixes() {
    let thresholds = Thresholds::default();
    let mut state = DeviceState::default();
    for second in [0, 60, 120] {
        live(&mut state, fix(second, 0.0));
    }
    let before = state.clone();
    assert_eq!(state.advance(fix(120, 0.0), &thresholds), Outcome::Repeat);
    assert_eq!(state.advance(fix(60, 0.0), &thresholds), Outcome::Repeat);
    assert_eq!(state, before);
    assert_eq!(state.advance(fix(30, 0.0), &thresholds), Outcome::Late(Position::late(fix(30, 0.0))));
    assert_eq!(state.advance(fix(30, 0.0), &thresholds), Outcome::Repeat);
    assert_eq!(state.recorded_at(), Some(START + 120_000));
    // The newest is known however many late ones come between.
    for second in 1..=20 {
        state.advance(fix(second, 0.0), &thresholds);
    }
    assert_eq!(state.advance(fix(120, 0.0), &thresholds), Outcome::Repeat);
    assert_eq!(state.derived(), before.derived());
}

proptest! {
    #[test]
    fn restored_state_equals_advanced_state(usual in arrivals(), wild in vec(any_report(), 0..30), cut: prop::sample::Index) {
        for reports in [usual, wild] {
            let mut state = DeviceState::default();
            let mut restored = DeviceState::default();
            let cut = cut.index(reports.len() + 1);
            for (n, report) in reports.into_iter().enumerate() {
                if n == cut {
                    // A checkpoint in between changes nothing.
                    restored = DeviceState::decode(&restored.encode()).expect("decodes");
                }
                if let Outcome::Live(position) | Outcome::Late(position) = state.advance(report, &Thresholds::default()) {
                    restored.restore(&position, &Thresholds::default());
                }
                prop_assert_eq!(&restored, &state);
            }
        }
    }

    #[test]
    fn time_and_counters_only_go_forward(reports in arrivals()) {
        let mut state = DeviceState::default();
        let mut before: Option<Position> = None;
        let mut first = None;
        for report in reports {
            let Outcome::Live(position) = state.advance(report, &Thresholds::default()) else { continue };
            let derived = position.derived;
            prop_assert!(derived.motion_since <= position.recorded_at() && !position.late);
            if let Some(Position { report, derived: earlier, .. }) = &before {
                prop_assert!(report.recorded_at < position.report.recorded_at);
                prop_assert!(earlier.distance_dm <= derived.distance_dm && earlier.engine_ms <= derived.engine_ms);
            }
            let counted = derived.moving_ms + derived.idle_ms + derived.parked_ms;
            prop_assert!(counted as i64 <= position.recorded_at() - *first.get_or_insert(position.recorded_at()));
            before = Some(position);
        }
    }
}
