//! Trackers that are not connected to the ignition.

use armada_track::{DeviceState, EventKind, Motion, Outcome, Report, Thresholds, rederive};

use crate::support::journey::{Journey, fix};

const ON: Option<bool> = Some(true);
const OFF: Option<bool> = Some(false);

/// Days of a drive of 6 km at 36 km/h there, and back; ten minutes of standing before each.
fn days(drives: i64, ignition: impl Fn(i64) -> Option<bool>) -> Vec<Report> {
    let (mut reports, mut second) = (Vec::new(), 0);
    for drive in 0..drives {
        let (from, way) = if drive % 2 == 0 { (0.0, 100.0) } else { (6_000.0, -100.0) };
        reports.extend((0..60).map(|n| fix((second + 10 * n) as f64, from, 0.0, OFF)));
        let way = |n: i64| fix((second + 600 + 10 * n) as f64, from + way * n as f64, 36.0, ignition(drive));
        reports.extend((0..=60).map(way));
        second += 1_210;
    }
    reports.extend((0..60).map(|n| fix((second + 10 * n) as f64, 6_000.0 * (drives % 2) as f64, 0.0, OFF)));
    reports
}

#[test]
fn a_missing_wire_is_found_from_drives() {
    let journey = Journey::of(days(8, |_| OFF));
    assert_eq!(journey.told(&EventKind::Towing), 0, "nobody is towed on each trip");
    // From the third drive on its ignition is not known, and the engine runs while it moves.
    let since = journey.positions.iter().position(|position| position.derived.ignition.is_none()).expect("it is found");
    let found = &journey.positions[since];
    assert_eq!(found.report.ignition, OFF);
    assert!((2 * 1_210..3 * 1_210).contains(&((found.recorded_at() - journey.positions[0].recorded_at()) / 1_000)));
    assert!(journey.positions[since..].iter().all(|position| position.ignition().is_none()));
    let (engine, moving) = (journey.last().engine_ms, journey.last().moving_ms - found.derived.moving_ms);
    assert!(engine >= 5 * 600_000 && engine.abs_diff(moving) <= 10_000, "{engine} of {moving} ms");
    let metres = journey.metres_since(0);
    assert!((metres / 48_000.0 - 1.0).abs() < 0.01, "{metres} m");
    assert_eq!((journey.trips, journey.last().motion), (8, Motion::Parked));
    assert!(journey.positions[since].to_track_point().ignition.is_none());
    assert!(journey.positions.last().expect("a fix").to_track_point().engine_seconds.is_some());
    // A day of it that is read by itself tells the same of it.
    let mut day = journey.positions[since + 30..].to_vec();
    rederive(&mut day, &Thresholds::default());
    assert!(day.iter().all(|position| position.derived.ignition.is_none()));
}

#[test]
fn one_tow_is_no_missing_wire_and_an_ignition_that_is_on_is_a_wire() {
    let towed = Journey::of(days(4, |drive| if drive == 2 { OFF } else { ON }));
    assert_eq!((towed.told(&EventKind::Towing), towed.trips), (1, 4));
    assert!(towed.positions.iter().all(|position| position.derived.ignition.is_some()));
    // It is connected after all.
    let connected = Journey::of(days(10, |drive| if drive < 5 { OFF } else { ON }));
    let unknown = connected.positions.iter().filter(|position| position.derived.ignition.is_none()).count();
    assert!(unknown > 0 && connected.last().ignition == OFF && connected.last().motion == Motion::Parked);
    assert_eq!(connected.told(&EventKind::Towing), 0);
}

#[test]
fn whether_there_is_a_wire_can_be_chosen() {
    let derived = |wired: Option<bool>| {
        let (thresholds, mut state) = (Thresholds { wired, ..Thresholds::default() }, DeviceState::default());
        for report in days(8, |_| OFF) {
            assert!(matches!(state.advance(report, &thresholds), Outcome::Live(_)));
        }
        *state.derived()
    };
    let absent = derived(Some(false));
    assert_eq!((absent.ignition, absent.engine_ms), (None, absent.moving_ms));
    assert!(absent.moving_ms.abs_diff(8 * 600_000) <= 100_000, "{} ms", absent.moving_ms);
    let connected = derived(Some(true));
    assert_eq!((connected.ignition, connected.engine_ms), (OFF, 0));
}
