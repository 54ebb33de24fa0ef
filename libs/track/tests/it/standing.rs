//! What stands counts nothing, whatever its receiver says; what goes slowly counts.

use armada_track::{EventKind, Motion, Report, SegmentKind};
use proptest::prelude::*;

use crate::support::journey::{Journey, fix, noise, north};

const ON: Option<bool> = Some(true);
const OFF: Option<bool> = Some(false);

/// 36 km/h for five minutes, so that it is known where it comes to stand, 3 km on.
fn arrival(ignition: Option<bool>) -> impl Iterator<Item = Report> {
    (0..30).map(move |n| fix(10.0 * n as f64, 100.0 * n as f64, 36.0, ignition))
}
const THERE_M: f64 = 3_000.0;
const THERE_S: i64 = 300;

/// A receiver that stands there, every so many seconds for so long, within 15 m; what it says of its speed.
fn stands(every: i64, seconds: i64, ignition: Option<bool>, kmh: impl Fn(i64) -> f64) -> impl Iterator<Item = Report> {
    (0..=seconds / every).map(move |n| {
        let (east, to_north) = (10.0 * noise(2 * n), 10.0 * noise(2 * n + 1));
        let second = (THERE_S + every * n) as f64;
        north(fix(second, THERE_M + east, kmh(n), ignition), to_north)
    })
}

#[test]
fn who_stands_counts_nothing_whatever_its_receiver_says() {
    let slow = |n: i64| 4.5 + 1.5 * noise(7 * n);
    let sometimes = |n: i64| if noise(3 * n) > 0.7 { 4.0 + noise(5 * n) } else { 0.0 };
    let wild = |n: i64| if n % 50 == 49 { 187.0 } else { 0.0 };
    for ignition in [OFF, None] {
        let found = [
            Journey::of(arrival(ignition.map(|_| true)).chain(stands(30, 7_200, ignition, slow))),
            Journey::of(arrival(ignition.map(|_| true)).chain(stands(60, 8 * 3_600, ignition, sometimes))),
        ];
        for (number, journey) in found.iter().enumerate() {
            // It takes two minutes to see that it stands where the ignition does not say so.
            let settled = THERE_S + if ignition.is_none() { 200 } else { 0 };
            assert_eq!(journey.metres_since(settled), 0.0, "{ignition:?} {number}");
            assert_eq!(journey.since(settled, |derived| derived.moving_ms), 0, "{ignition:?} {number}");
            let kinds: Vec<_> = journey.segments().iter().map(|segment| segment.kind).collect();
            assert_eq!((kinds, journey.trips), (vec![SegmentKind::Trip, SegmentKind::Stop], 1));
            assert_eq!((journey.told(&EventKind::Towing), journey.last().motion), (0, Motion::Parked));
        }
    }
    let journey = Journey::of(arrival(ON).chain(stands(60, 8 * 3_600, OFF, wild)));
    assert_eq!((journey.metres_since(THERE_S), journey.trips, journey.told(&EventKind::Towing)), (0.0, 1, 0));
}

#[test]
fn the_last_place_and_speed_again_after_the_ignition_was_off_is_parked() {
    let again = (30..1_000).map(|n| fix(10.0 * n as f64, 2_900.0, 36.0, OFF));
    let journey = Journey::of(arrival(ON).chain(again));
    assert_eq!((journey.since(300, |derived| derived.moving_ms), journey.metres_since(300)), (0, 0.0));
    assert_eq!(
        (journey.last().motion, journey.last().motion_since),
        (Motion::Parked, journey.positions[30].recorded_at())
    );
    assert_eq!(journey.kinds_and_times(), [(SegmentKind::Trip, 300), (SegmentKind::Stop, 9_990)]);
}

#[test]
fn a_jam_that_makes_way_is_driven() {
    // A minute at 3 to 6 km/h, then twenty seconds of standing, for an hour.
    let (mut way, mut reports) = (THERE_M, arrival(ON).collect::<Vec<_>>());
    for n in 0..360 {
        let kmh = if n % 8 < 6 { 4.5 + 1.5 * noise(n) } else { 0.0 };
        reports.push(fix((THERE_S + 10 * n) as f64, way, kmh, ON));
        way += kmh / 3.6 * 10.0;
    }
    let journey = Journey::of(reports);
    let counted = journey.metres_since(0);
    assert!((counted / way - 1.0).abs() < 0.02, "{counted} m of {way} m");
    assert_eq!((journey.trips, journey.segments().len()), (1, 1));
}

#[test]
fn a_yard_truck_a_ferry_and_a_tow_count() {
    // 150 m at 8 km/h, to and fro, with six minutes of loading at each end.
    let (mut second, mut reports) = (0.0, Vec::new());
    for turn in 0..10 {
        let from = if turn % 2 == 0 { 0.0 } else { 150.0 };
        reports.extend((0..36).map(|n| fix(second + 10.0 * f64::from(n), from, 0.0, ON)));
        second += 360.0;
        for n in 0..7 {
            let way = (f64::from(n) * 22.2).min(150.0);
            let at = if turn % 2 == 0 { way } else { 150.0 - way };
            reports.push(fix(second, at, 8.0, ON));
            second += 10.0;
        }
    }
    let journey = Journey::of(reports);
    let counted = journey.metres_since(0);
    assert!((counted / 1_500.0 - 1.0).abs() < 0.02, "{counted} m");
    // Five kilometres at 20 km/h with the ignition off.
    let carried = (0..91).map(|n| fix((THERE_S + 10 * n) as f64, THERE_M + 55.6 * n as f64, 20.0, OFF));
    let journey = Journey::of(arrival(ON).chain(carried));
    let counted = journey.metres_since(THERE_S);
    assert!((counted / 5_004.0 - 1.0).abs() < 0.03, "{counted} m");
    assert_eq!(journey.last().motion, Motion::Moving);
}

proptest! {
    /// 300 m at 4 km/h, however often it is heard, behind ten minutes of standing.
    #[test]
    fn a_straight_slow_drive_counts(every in 1..60_i64, behind in 0..60_i64, tells in any::<bool>()) {
        let ignition = tells.then_some(true);
        let metres = |second: i64| (second as f64 * 4.0 / 3.6).clamp(0.0, 300.0);
        let reports = (0..).map(|n| n * every - 600).take_while(|second| *second < 700).map(|second| {
            let kmh = if (0..270).contains(&(second - behind)) { 4.0 } else { 0.0 };
            fix((second + 600) as f64, metres(second - behind), kmh, ignition)
        });
        let journey = Journey::of(reports);
        let counted = journey.last().distance_dm as f64 / 10.0;
        prop_assert!((270.0..=301.0).contains(&counted), "{} m", counted);
    }
}
