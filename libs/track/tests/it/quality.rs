//! Fixes that cannot be believed.

use armada_track::{
    DeviceState, FixMark, Motion, Outcome, Position, Report, Segment, SegmentRules, Segmenter, Thresholds,
    decode_block, encode_block, fill_late, merge,
};
use proptest::{collection::vec, option, prelude::*};

const START: i64 = 1_790_000_000_000;
/// At the equator, in 1e-7 degrees of longitude: 90 units are a metre (89.93).
const METRE: f64 = 1e7 / 111_195.08;
/// So many milliseconds are 1,024 weeks.
const ROLLOVER_MS: i64 = 1_024 * 7 * 86_400_000;

/// A fix so many seconds and metres from the start, at so many km/h.
fn fix(second: i64, metres: f64, speed: u32) -> Report {
    let lng = 1_000_000 + (metres * METRE).round() as i32;
    Report { speed: Some(speed * 10), ..Report::new(START + second * 1_000, 0, lng) }
}

fn positions(reports: impl IntoIterator<Item = Report>) -> Vec<Position> {
    let mut state = DeviceState::default();
    let stored = reports.into_iter().filter_map(|report| match state.advance(report, &Thresholds::default()) {
        Outcome::Live(position) | Outcome::Late(position) => Some(position),
        _ => None,
    });
    let (mut positions, _) = merge([stored.collect()]);
    fill_late(&mut positions, &Thresholds::default());
    positions
}

fn marks(positions: &[Position]) -> Vec<FixMark> {
    positions.iter().map(|position| position.mark).collect()
}

fn metres(positions: &[Position]) -> Vec<u64> {
    positions.iter().map(|position| (position.derived.distance_dm + 5) / 10).collect()
}

use FixMark::{CellTower, Clock, FewSatellites, Jump, Stuck, Unspecified as Good};

#[test]
fn a_jump_counts_nothing_unless_another_fix_confirms_it() {
    // 36 km/h, and 40 km away for one fix.
    let outlier = [fix(0, 0.0, 36), fix(10, 100.0, 36), fix(20, 40_000.0, 36), fix(30, 300.0, 36)];
    let found = positions(outlier.clone());
    assert_eq!((marks(&found), metres(&found)), (vec![Good, Good, Jump, Good], vec![0, 100, 100, 300]));
    assert_eq!(found[2].report, outlier[2], "it is kept as it was reported");
    // It was shipped there.
    let shipped =
        [fix(0, 0.0, 0), fix(10, 0.0, 0), fix(20, 40_000.0, 36), fix(30, 40_100.0, 36), fix(40, 40_200.0, 36)];
    let found = positions(shipped);
    assert_eq!((marks(&found), metres(&found)), (vec![Good, Good, Jump, Good, Good], vec![0, 0, 0, 100, 200]));
    // Two that lie nowhere together confirm nothing.
    let lost = [fix(0, 0.0, 36), fix(10, 40_000.0, 36), fix(20, -40_000.0, 36), fix(30, 300.0, 36)];
    assert_eq!(marks(&positions(lost)), [Good, Jump, Jump, Good]);
}

#[test]
fn reported_speed_explains_a_jump() {
    let fly = |speed: u32| (0..6).map(move |n| fix(n * 10, 2_500.0 * n as f64, speed));
    assert_eq!(marks(&positions(fly(900))), [Good; 6]);
    assert!(marks(&positions(fly(100))).contains(&Jump));
    let silent = fly(0).map(|report| Report { speed: None, ..report });
    assert_eq!(marks(&positions(silent)), [Good; 6], "an airliner that does not tell its speed");
    // Receivers are off by 30 m, however soon.
    let tenths =
        (0..20).map(|n| Report { recorded_at: START + n * 100, ..fix(0, if n % 2 == 0 { 0.0 } else { 29.0 }, 50) });
    assert_eq!(marks(&positions(tenths)), [Good; 20]);
}

#[test]
fn a_receiver_that_updates_seldom_goes_on_and_one_that_is_stuck_is_marked() {
    // Its place changes every twelve seconds, 240 m each time, and it is said to go 72 km/h.
    let seldom = positions((0..60).map(|second| fix(second, 240.0 * (second / 12) as f64, 72)));
    assert_eq!(marks(&seldom), [Good; 60]);
    assert_eq!(metres(&seldom)[59], 960);
    let stuck = positions((0..12).map(|n: i64| fix(n * 10, 100.0 * n.min(2) as f64, 36)));
    assert_eq!(marks(&stuck), [[Good; 8].as_slice(), &[Stuck; 4]].concat());
    assert_eq!(stuck[11].derived.motion, Motion::Moving);
    // When it wakes the way is counted, straight as it may be.
    let woken = positions((0..12).map(|n: i64| {
        let hundreds = if n < 11 { n.min(2) } else { n };
        fix(n * 10, 100.0 * hundreds as f64, 36)
    }));
    assert_eq!((woken[11].mark, metres(&woken)[11]), (Good, 1_100));
    // Who stands may say so from one place as long as it likes.
    assert_eq!(marks(&positions((0..100).map(|n| fix(n * 10, 0.0, 0)))), [Good; 100]);
}

#[test]
fn few_satellites_mean_something_to_who_counts_them() {
    let with = |second, metres, speed, sat| Report { sat: Some(sat), ..fix(second, metres, speed) };
    let found = positions([
        with(0, 0.0, 36, 9),
        with(10, 100.0, 36, 3),
        with(20, 200.0, 36, 4),
        // In a garage it stands.
        with(30, 350.0, 0, 2),
        with(40, 400.0, 50, 0),
    ]);
    assert_eq!(marks(&found), [Good, FewSatellites, Good, FewSatellites, FewSatellites]);
    assert_eq!(metres(&found), [0, 0, 200, 200, 200]);
    let motions: Vec<_> = found.iter().map(|position| position.derived.motion).collect();
    assert_eq!(motions, [Motion::Moving, Motion::Moving, Motion::Moving, Motion::Parked, Motion::Parked]);
    // This one says three whatever it sees.
    let found = positions((0..5).map(|n| with(n * 10, 100.0 * n as f64, 36, 3)));
    assert_eq!((marks(&found), metres(&found)[4]), (vec![Good; 5], 400));
}

#[test]
fn places_of_masts_count_nothing() {
    let sky = |second, metres, speed| Report { sat: Some(9), ..fix(second, metres, speed) };
    let says = |accuracy: &str, report: Report| Report {
        attrs: Some(format!(r#"{{"accuracy":{accuracy}}}"#).into()),
        ..report
    };
    // It is parked in a garage: masts 900 m and 1.3 km away, and one near by of which it says how far off that is.
    let found = positions([
        sky(0, 0.0, 36),
        sky(10, 100.0, 36),
        sky(20, 150.0, 0),
        fix(3_600, 1_050.0, 0),
        Report { speed: None, ..fix(7_200, 1_060.0, 0) },
        fix(10_800, -1_150.0, 0),
        says("550.0", fix(14_400, 180.0, 0)),
        says("8", fix(14_460, 160.0, 0)),
        sky(14_520, 150.0, 36),
    ]);
    let good = [Good; 3];
    assert_eq!(marks(&found), [good.as_slice(), &[CellTower; 4], &[Good; 2]].concat());
    assert_eq!(metres(&found)[8], 150);
    assert!(found[3..8].iter().all(|position| position.derived.motion == Motion::Parked));
    assert!(!found[3].is_placed() && found[3].report.valid);
    assert_eq!(decode_block(&encode_block(&found)), Ok(found), "it is kept");
    // Who tells of no satellites is believed, and after a day whoever told of them once; so is who drives.
    let silent = positions([fix(0, 0.0, 0), fix(60, 900.0, 0), says("550", fix(120, 1_300.0, 0))]);
    assert_eq!(marks(&silent), [Good; 3]);
    let later = positions([sky(0, 0.0, 0), fix(86_399, 900.0, 0), fix(86_400, 900.0, 0)]);
    assert_eq!(marks(&later), [Good, CellTower, Good]);
    assert_eq!(marks(&positions([sky(0, 0.0, 36), fix(60, 600.0, 36)])), [Good; 2]);
}

#[test]
fn a_week_number_that_rolled_over_is_marked() {
    let thresholds = Thresholds::default();
    let rolled_over = |second| Report { recorded_at: START + second * 1_000 - ROLLOVER_MS, ..fix(second, 9_000.0, 36) };
    let mut state = DeviceState::default();
    let Outcome::Live(first) = state.receive(rolled_over(0), START, None, &thresholds) else { panic!("not live") };
    assert_eq!((first.mark, first.derived.distance_dm, state.place()), (Clock, 0, None));
    let Outcome::Live(second) = state.receive(fix(10, 0.0, 36), START + 10_000, None, &thresholds) else {
        panic!("not live")
    };
    let Outcome::Late(third) = state.receive(rolled_over(20), START + 20_000, None, &thresholds) else {
        panic!("not late")
    };
    let Outcome::Live(fourth) = state.receive(fix(30, 200.0, 36), START + 30_000, None, &thresholds) else {
        panic!("not live")
    };
    assert_eq!((third.mark, fourth.mark, fourth.derived.distance_dm), (Clock, Good, 2_000));
    let (mut all, _) = merge([vec![first, second, third, fourth]]);
    fill_late(&mut all, &thresholds);
    assert_eq!((marks(&all), metres(&all)), (vec![Clock, Clock, Good, Good], vec![0, 0, 0, 200]));
    // What a tracker had kept for ten years is late, and no more.
    let mut state = DeviceState::default();
    let Outcome::Live(old) = state.receive(fix(0, 0.0, 36), START + ROLLOVER_MS / 2, None, &thresholds) else {
        panic!("not live")
    };
    assert_eq!(old.mark, Good);
}

#[test]
fn a_late_fix_gets_its_mark_from_those_around_it() {
    let arrived = [fix(0, 0.0, 36), fix(40, 400.0, 36), fix(20, 40_000.0, 36), fix(30, 300.0, 36), fix(10, 100.0, 36)];
    let found = positions(arrived);
    assert_eq!((marks(&found), metres(&found)), (vec![Good, Good, Jump, Good, Good], vec![0, 100, 100, 300, 400]));
}

#[test]
fn stationary_tracker_without_speed_does_not_drive() {
    // Within a shed: 60 m to and fro, a fix a minute.
    let wanders =
        (0..500).map(|n| Report { speed: None, ..fix(n * 60, 30.0 * ((n * 7_919 % 13) as f64 / 6.0 - 1.0), 0) });
    assert_eq!(metres(&positions(wanders))[499], 0);
}

/// A drive, of which each part is so many fixes ten seconds apart, at so many km/h, and whether its speed is told.
fn any_drive() -> impl Strategy<Value = Vec<Report>> {
    (vec((2..60_i64, prop_oneof![Just(0_u32), 18..120_u32], option::of(any::<bool>())), 1..6), any::<bool>()).prop_map(
        |(parts, tells_speed)| {
            let (mut second, mut way, mut reports) = (0, 0.0, Vec::new());
            for (fixes, speed, ignition) in parts {
                for _ in 0..fixes {
                    let reported_speed = tells_speed.then_some(speed * 10);
                    reports.push(Report { speed: reported_speed, ignition, ..fix(second, way, 0) });
                    second += 10;
                    way += f64::from(speed) / 3.6 * 10.0;
                }
            }
            reports
        },
    )
}

fn segments(positions: &[Position]) -> Vec<Segment> {
    let mut segmenter = Segmenter::new(SegmentRules::default());
    positions.iter().for_each(|position| segmenter.push(position));
    let until = positions.last().map_or(0, Position::recorded_at);
    // How many fixes there are is another question.
    segmenter.finish(until).into_iter().map(|segment| Segment { fixes: 0, ..segment }).collect()
}

proptest! {
    #[test]
    fn a_single_outlier_changes_nothing(
        clean in any_drive(),
        at: prop::sample::Index,
        (north, east) in (5_000_000..80_000_000_i32, -80_000_000..80_000_000_i32),
        (speed, is_late) in (option::of(0..1_500_u32), any::<bool>()),
    ) {
        let expected = positions(clean.clone());
        prop_assert!(marks(&expected).iter().all(|mark| *mark == Good));
        let before = at.index(clean.len() - 1);
        let outlier = Report {
            speed,
            lat: north,
            lng: clean[before].lng + east,
            ..Report::new(clean[before].recorded_at + 5_000, 0, 0)
        };
        let mut arrived = clean.clone();
        if is_late { arrived.push(outlier.clone()) } else { arrived.insert(before + 1, outlier.clone()) }
        let found = positions(arrived);
        prop_assert_eq!((found[before + 1].mark, &found[before + 1].report), (Jump, &outlier));
        prop_assert_eq!(marks(&found).iter().filter(|mark| **mark != Good).count(), 1);
        prop_assert_eq!(metres(&found).last().copied(), metres(&expected).last().copied());
        prop_assert_eq!(segments(&found), segments(&expected));
        prop_assert_eq!(decode_block(&encode_block(&found)), Ok(found), "it is kept");
    }

    #[test]
    fn shipped_vehicle_continues_at_its_new_place(
        clean in any_drive(),
        at: prop::sample::Index,
        north in 5_000_000..80_000_000_i32,
    ) {
        let landed = at.index(clean.len());
        let shipped = clean.iter().enumerate().map(|(n, report)| {
            Report { lat: if n < landed { 0 } else { north }, ..report.clone() }
        });
        let found = positions(shipped);
        let marked: Vec<_> = (0..found.len()).filter(|n| found[*n].mark != Good).collect();
        // The very first fix of all is where it begins.
        prop_assert_eq!(marked, if landed == 0 { Vec::new() } else { vec![landed] });
        let way = f64::from(clean[clean.len() - 1].lng - clean[0].lng) / METRE;
        let rounding = 1.0 + 0.1 * found.len() as f64;
        let travelled = metres(&found)[found.len() - 1];
        prop_assert!(travelled as f64 <= way + rounding, "{travelled} m");
    }
}
