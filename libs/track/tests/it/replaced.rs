//! What a vehicle's meters show behind a tracker that was replaced, or whose meters were set back.

use armada_track::{
    Derived, DeviceState, FixMark, MeterReset, Outcome, Position, Replacement, Replacements, Report, Thresholds,
    rederive,
};
use proptest::prelude::*;

use crate::support::journey::{METRE, START};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// A fix so many seconds and metres from the start, with so many km on the odometer of its tracker.
fn fix(second: i64, metres: f64, km: impl Into<Option<f64>>) -> Report {
    let odometer = km.into().map(|km: f64| (km * 1_000.0).round() as u64);
    let place = Report::new(START + second * 1_000, 0, 1_000_000 + (metres * METRE).round() as i32);
    Report { odometer, speed: Some(600), ignition: Some(true), ..place }
}

/// The same with the engine hours of its tracker.
fn with_hours(report: Report, hours: f64) -> Report {
    Report { attrs: Some(format!(r#"{{"engine_hours":{hours}}}"#).into()), ..report }
}

fn replaced_at(second: i64, odometer_km: Option<i64>, engine_h: Option<i64>) -> Thresholds {
    let replacement = Replacement {
        at: START + second * 1_000,
        odometer_dm: odometer_km.map(|km| km * 10_000),
        engine_ms: engine_h.map(|hours| hours * HOUR * 1_000),
    };
    Thresholds { replaced: [replacement].into_iter().collect(), ..Thresholds::default() }
}

/// What fixes that came one after the other tell; anew the same.
struct Told {
    state: DeviceState,
    positions: Vec<Position>,
    odometer_resets: Vec<MeterReset>,
    engine_resets: Vec<MeterReset>,
}

fn told(reports: impl IntoIterator<Item = Report>, thresholds: &Thresholds) -> Told {
    let (mut state, mut restored) = (DeviceState::default(), DeviceState::default());
    let (mut positions, mut odometer_resets, mut engine_resets) = (Vec::new(), Vec::new(), Vec::new());
    for report in reports {
        let before = state.own_meters();
        let Outcome::Live(position) = state.advance(report, thresholds) else { continue };
        let (odometer, engine) = state.own_meters().resets_since(&before);
        odometer_resets.extend(odometer);
        engine_resets.extend(engine);
        restored.restore(&position, thresholds);
        restored = DeviceState::decode(&restored.encode()).expect("what was encoded");
        assert_eq!(restored, state);
        positions.push(position);
    }
    let mut anew = positions.clone();
    rederive(&mut anew, thresholds);
    assert!(anew == positions, "it tells something else anew");
    Told { state, positions, odometer_resets, engine_resets }
}

impl Told {
    fn last(&self) -> Derived {
        self.positions.last().expect("a fix").derived
    }

    /// Kilometres.
    fn odometer(&self) -> f64 {
        self.last().odometer_dm as f64 / 10_000.0
    }

    /// Hours, as the tracker says them.
    fn engine(&self) -> f64 {
        let newest = self.positions.last().expect("a fix");
        self.state.meters(newest).engine.device.expect("it says them") as f64 / 3_600.0
    }
}

#[test]
fn odometer_that_falls_goes_on() {
    let usual = Thresholds::default();
    let before = [fix(0, 0.0, 119_999.0), fix(60, 1_000.0, 120_000.0)];
    let behind = [fix(120, 2_000.0, 0.0), fix(180, 3_000.0, 1.0), fix(240, 4_000.0, None), fix(300, 5_000.0, 3.0)];
    let told = told(before.into_iter().chain(behind), &usual);
    assert_eq!(told.odometer().round(), 120_004.0);
    assert_eq!(told.odometer_resets, [MeterReset { before: 120_000_000, after: 0 }]);
    // Of each fix no less than at the one before, and never further than it went.
    let steps = told.positions.windows(2).map(|pair| pair[1].derived.odometer_dm - pair[0].derived.odometer_dm);
    assert!(steps.into_iter().all(|step| step <= 11_000));
}

#[test]
fn engine_hours_that_fall_go_on() {
    let usual = Thresholds::default();
    let hours = [1_001.0, 1_001.5, 12.0, 12.5];
    let fixes = (0..).zip(hours).map(|(number, hours)| {
        let second = number * 1_800;
        with_hours(fix(second, second as f64 * 16.0, None), hours)
    });
    let told = told(fixes, &usual);
    assert_eq!(told.engine(), 1_002.5);
    let seconds = |hours: f64| (hours * 3_600.0) as u64;
    assert_eq!(told.engine_resets, [MeterReset { before: seconds(1_001.5), after: seconds(12.0) }]);
}

#[test]
fn reading_that_fails_once_changes_nothing() {
    let usual = Thresholds::default();
    let km = [120_000.0, 120_001.0, 0.0, 120_003.0, 5.0, 120_005.0];
    let told = told((0..).zip(km).map(|(number, km)| fix(number * 60, number as f64 * 1_000.0, km)), &usual);
    assert_eq!(told.odometer(), 120_005.0);
    let shown: Vec<f64> =
        told.positions.iter().map(|position| position.derived.odometer_dm as f64 / 10_000.0).collect();
    assert!(shown.windows(2).all(|pair| (0.0..=2.1).contains(&(pair[1] - pair[0]))), "{shown:?}");
}

#[test]
fn odometer_that_is_set_is_shown() {
    // Somebody tells a tracker by a command what the vehicle's own odometer shows.
    let told = told([fix(0, 0.0, 3.0), fix(60, 1_000.0, 120_000.0)], &Thresholds::default());
    assert_eq!(told.odometer(), 120_000.0);
    assert!(told.odometer_resets.is_empty());
}

#[test]
fn another_tracker_goes_on_whatever_it_says() {
    for km in [0.0, 55_000.0, 300_000.0] {
        let fixes = [fix(0, 0.0, 119_999.0), fix(60, 1_000.0, 120_000.0), fix(HOUR, 2_000.0, km)];
        let told = told(fixes.into_iter().chain([fix(HOUR + 60, 3_000.0, km + 1.0)]), &replaced_at(1_800, None, None));
        assert_eq!(told.odometer().round(), 120_002.0, "{km}");
        assert!((told.last().distance_dm as i64 - 30_000).abs() < 20, "{km}");
    }
}

#[test]
fn readings_of_both_trackers_count() {
    // 400 km were driven without a tracker: the old one went at 120,050 km, the new one came at 10 km and 450 km.
    let thresholds = replaced_at(1_800, Some(120_450 - 10), Some(1_000 - 2));
    let fixes = [
        with_hours(fix(0, 0.0, 120_000.0), 999.0),
        with_hours(fix(HOUR, 2_000.0, 12.0), 2.5),
        with_hours(fix(HOUR + 60, 3_000.0, 13.0), 2.6),
    ];
    let told = told(fixes, &thresholds);
    assert_eq!(told.odometer(), 120_453.0);
    assert!((told.engine() - 1_000.6).abs() < 0.001, "{}", told.engine());
    assert!(told.odometer_resets.is_empty() || told.odometer_resets[0].after == 12_000);
}

#[test]
fn way_from_the_factory_is_not_driven() {
    let usual = Thresholds::default();
    let at_factory = [fix(0, 3_000_000.0, None), fix(60, 3_000_000.0, None)];
    let in_use = [fix(6 * DAY, 0.0, None), fix(6 * DAY + 60, 1_000.0, None)];
    let told_ = told(at_factory.clone().into_iter().chain(in_use.clone()), &usual);
    assert_eq!(told_.last().distance_dm.div_ceil(100), 100, "a kilometre");
    assert!(told_.positions.iter().all(|position| position.mark == FixMark::Unspecified));
    // A vehicle that is in use was driven there.
    let far = [fix(12 * DAY, 3_000_000.0, None)];
    let told_ = told(at_factory.into_iter().chain(in_use.clone()).chain(far.clone()), &usual);
    assert!(told_.last().distance_dm > 29_000_000);
    // Another tracker was not.
    let thresholds = replaced_at(7 * DAY, None, None);
    let back = [fix(18 * DAY, 2_000.0, None), fix(18 * DAY + 60, 3_000.0, None)];
    let told_ = told(in_use.into_iter().chain(far).chain(back), &thresholds);
    assert!((told_.last().distance_dm as i64 - 20_000).abs() < 20, "{}", told_.last().distance_dm);
}

#[test]
fn trackers_that_report_once_a_day_are_driven() {
    let told = told((0..5).map(|day| fix(day * (DAY + 60), day as f64 * 80_000.0, None)), &Thresholds::default());
    // The first step may have been that of a tracker alone.
    assert!((told.last().distance_dm as i64 - 2_400_000).abs() < 500, "{}", told.last().distance_dm);
}

#[test]
fn replacements_are_told_from_each_other() {
    let at = |at| Replacement { at, odometer_dm: None, engine_ms: Some(-5) };
    let of = |times: &[i64]| times.iter().map(|time| at(*time)).collect::<Replacements>();
    assert_eq!(of(&[1, 5]).differ_from(&of(&[1, 5])), None);
    assert_eq!(of(&[1, 5]).differ_from(&of(&[1, 5, 9])), Some(9));
    assert_eq!(of(&[1, 5]).differ_from(&of(&[1])), Some(5));
    assert_eq!(of(&[]).differ_from(&of(&[3, 5])), Some(3));
    for times in [&[][..], &[1], &[1, 5, 9, 12]] {
        assert_eq!(Replacements::decode(&of(times).encode()), Ok(of(times)));
    }
    let cut = &of(&[1, 5]).encode()[..5];
    assert!(Replacements::decode(cut).is_err());
}

proptest! {
    /// Whatever a tracker says, what is shown never goes back by more than a meter may err, nor leaps by what another one says.
    #[test]
    fn odometer_never_falls(readings in prop::collection::vec(prop::option::of(0.0..200_000.0_f64), 2..40)) {
        let fixes = (0..).zip(&readings).map(|(number, km)| fix(number * 60, number as f64 * 1_000.0, *km));
        let told = told(fixes, &Thresholds::default());
        for pair in told.positions.windows(2) {
            let (before, after) = (pair[0].derived.odometer_dm, pair[1].derived.odometer_dm);
            prop_assert!(after + 10_000 >= before, "{before} → {after}");
        }
    }
}
