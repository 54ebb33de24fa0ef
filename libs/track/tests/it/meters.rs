//! Odometer and engine hours: whose word counts, what corrections do, and how much was driven between two readings.

use armada_proto::{DeviceId, v1::MeterSource};
use armada_track::{
    Activity, DeviceState, MeterOffsets, MeterRule, MeterRules, MeterValues, MetersRead, Outcome, Position, Report,
    Thresholds,
};
use proptest::{option, prelude::*};

use crate::support::arrivals;

const HOUR_MS: i64 = 3_600_000;

fn values() -> impl Strategy<Value = MeterValues> {
    let value = || option::of(0..1_000_000_000_i64);
    (value(), value()).prop_map(|(device, computed)| MeterValues { device, computed })
}

fn sources() -> impl Strategy<Value = MeterSource> {
    prop::sample::select(vec![MeterSource::Device, MeterSource::Computed])
}

fn read(recorded_at: i64, device: Option<i64>, computed: i64) -> MetersRead {
    let odometer = MeterValues { device, computed: Some(computed) };
    MetersRead { recorded_at, odometer, engine: odometer, activity: Activity::default(), trips: None }
}

/// A report that says where, and this in its attributes.
fn report(recorded_at: i64, attrs: Option<&str>) -> Report {
    let attrs = attrs.map(Into::into);
    Report { ignition: Some(true), attrs, ..Report::new(recorded_at, -62_000_000, 1_068_000_000) }
}

fn position(state: &mut DeviceState, report: Report) -> Position {
    match state.advance(report, &Thresholds::default()) {
        Outcome::Live(position) => position,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn a_correction_shows_what_it_says(source in sources(), read in values(), shown in 0..2_000_000_000_i64, from: i64) {
        let rule = MeterRule::new(source, Some(MeterOffsets::to_show(shown, from, read)));
        prop_assert_eq!(rule.shown(from, read), Some(shown));
    }

    #[test]
    fn distance_since_a_correction_counts_for_any_source(
        source in sources(),
        anchor in values(),
        shown in 0..1_000_000_000_i64,
        went in 0..1_000_000_i64,
    ) {
        let rule = MeterRule::new(source, Some(MeterOffsets::to_show(shown, 0, anchor)));
        let on = |value: Option<i64>| value.map(|value| value + went);
        let later = MeterValues { device: on(anchor.device), computed: on(anchor.computed) };
        let tells = source == MeterSource::Device && anchor.device.is_some();
        let counts = tells || anchor.computed.is_some();
        prop_assert_eq!(rule.shown(1, later), Some(if counts { shown + went } else { shown }));
    }

    #[test]
    fn changing_the_source_keeps_the_corrected_value(read in values(), shown in 0..1_000_000_000_i64) {
        let correction = MeterOffsets::to_show(shown, 0, read);
        let by = |source| MeterRule::new(source, Some(correction)).shown(0, read);
        prop_assert_eq!(by(MeterSource::Device), by(MeterSource::Computed));
    }

    #[test]
    fn before_a_correction_nothing_is_added(source in sources(), read in values(), offsets: [i64; 2], from in 1..i64::MAX) {
        let correction = MeterOffsets { from, device: offsets[0], computed: offsets[1] };
        let (with, without) = (MeterRule::new(source, Some(correction)), MeterRule::new(source, None));
        prop_assert_eq!(with.shown(from - 1, read), without.shown(from - 1, read));
        prop_assert!(with.shown(from, read).is_none_or(|shown| shown >= 0));
    }

    #[test]
    fn a_rule_comes_through_a_binding(sources in (sources(), sources()), offsets: Option<(i64, i64, i64)>) {
        let correction = offsets.map(|(from, device, computed)| MeterOffsets { from, device, computed });
        let rules =
            MeterRules { odometer: MeterRule::new(sources.0, correction), engine: MeterRule::new(sources.1, correction) };
        let (odometer, engine) = rules.to_binding();
        prop_assert_eq!(MeterRules::of_binding(odometer, engine), rules);
        prop_assert_eq!(odometer.is_none() && engine.is_none(), rules == MeterRules::default());
    }

    #[test]
    fn distances_of_steps_sum_to_the_total(steps in prop::collection::vec((0..HOUR_MS, 0..50_000_i64), 1..20)) {
        let mut reads = vec![read(0, None, 0)];
        for (elapsed, went) in steps {
            let last = reads[reads.len() - 1];
            reads.push(read(last.recorded_at + elapsed, None, last.odometer.computed.unwrap_or(0) + went));
        }
        let sum: i64 = reads.windows(2).filter_map(|pair| MetersRead::distance(true, &pair[0], &pair[1])).sum();
        prop_assert_eq!(Some(sum), MetersRead::distance(false, &reads[0], &reads[reads.len() - 1]));
    }

    #[test]
    fn usual_rules_show_what_is_shown_without(reports in arrivals()) {
        let mut state = DeviceState::default();
        for report in reports {
            let Outcome::Live(position) = state.advance(report, &Thresholds::default()) else { continue };
            let plain = position.to_last_position(DeviceId::default());
            let mut shown = plain.clone();
            MeterRules::default().show(&position, state.own_engine(), &mut shown);
            prop_assert_eq!(shown, plain);
        }
    }
}

#[test]
fn replacing_the_device_adds_no_distance() {
    let before = read(0, Some(120_000_000), 5_000);
    // Its own count goes on.
    assert_eq!(MetersRead::distance(true, &before, &read(HOUR_MS, Some(120_050_000), 54_000)), Some(50_000));
    assert_eq!(MetersRead::distance(false, &before, &read(HOUR_MS, Some(120_050_000), 54_000)), Some(49_000));
    // Another one, which counts from elsewhere: further than anybody drives, or back.
    assert_eq!(MetersRead::distance(true, &before, &read(HOUR_MS, Some(180_000_000), 54_000)), Some(49_000));
    assert_eq!(MetersRead::distance(true, &before, &read(HOUR_MS, Some(0), 54_000)), Some(49_000));
    // It begins to tell.
    assert_eq!(MetersRead::distance(true, &read(0, None, 0), &read(HOUR_MS, Some(1_000), 700)), Some(700));
    // An engine does not run for longer than there was time.
    assert_eq!(MetersRead::engine_time(true, &read(0, Some(0), 0), &read(HOUR_MS, Some(7_200), 3_000)), Some(3_000));
    assert_eq!(MetersRead::engine_time(true, &read(0, Some(0), 0), &read(HOUR_MS, Some(3_600), 3_000)), Some(3_600));
}

#[test]
fn durations_never_exceed_elapsed_time() {
    let at = |recorded_at, moving, idle, parked| MetersRead {
        activity: Activity { moving, idle, parked },
        ..read(recorded_at, None, 0)
    };
    let before = at(0, 1_000, 500, 70_000);
    let done = MetersRead::activity(&before, &at(HOUR_MS, 2_800, 1_100, 71_200));
    assert_eq!(done, Some(Activity { moving: 1_800, idle: 600, parked: 1_200 }));
    // It was counted anew, or not at all before.
    assert_eq!(MetersRead::activity(&before, &at(HOUR_MS, 0, 600, 71_200)), None);
    assert_eq!(MetersRead::activity(&at(0, 0, 0, 0), &at(HOUR_MS, 0, 0, 71_200)), None);
    let trips = |trips| MetersRead { trips: Some(trips), ..before };
    assert_eq!(MetersRead::trips(&trips(3), &trips(5)), Some(2));
    assert_eq!(MetersRead::trips(&trips(3), &trips(0)), None);
    assert_eq!(MetersRead::trips(&before, &trips(5)), None);
}

#[test]
fn reads_engine_hours_from_attributes() {
    let mut state = DeviceState::default();
    let first = position(&mut state, report(0, None));
    assert_eq!(state.meters(&first).engine, MeterValues { device: None, computed: Some(0) });
    let with_engine_hours = position(&mut state, report(60_000, Some(r#"{"a":"engine_hours","engine_hours":1200.5}"#)));
    assert_eq!(state.meters(&with_engine_hours).engine, MeterValues { device: Some(4_321_800), computed: Some(60) });
    let own = state.own_engine();
    // To the millisecond.
    let by_device = MeterRules { engine: MeterRule::new(MeterSource::Device, None), ..MeterRules::default() };
    let mut shown = with_engine_hours.to_last_position(DeviceId::default());
    by_device.show(&with_engine_hours, own, &mut shown);
    assert_eq!(shown.engine_seconds, Some(4_321_800.0));
    // Carried on until it says it again, and through a checkpoint.
    let mut state = DeviceState::decode(&state.encode()).expect("decodes");
    let carried = position(&mut state, report(120_000, Some(r#"{"rpm":900}"#)));
    assert_eq!(state.meters(&carried).engine, MeterValues { device: Some(4_321_860), computed: Some(120) });
    for nonsense in
        [r#"{"engine_hours":"12"}"#, r#"{"engine_hours":-1}"#, r#"{"engine_hours":1e300}"#, r#"{"engine_hours":null}"#]
    {
        let at = state.recorded_at().expect("a fix") + 1_000;
        position(&mut state, report(at, Some(nonsense)));
        assert_eq!(state.own_engine(), own, "{nonsense}");
    }
}

#[test]
fn positions_show_meters_of_their_device() {
    let mut state = DeviceState::default();
    position(&mut state, report(0, None));
    let newest =
        position(&mut state, Report { odometer: Some(5_000), ..report(60_000, Some(r#"{"engine_hours":2}"#)) });
    let shown = |rules: MeterRules| {
        let mut shown = newest.to_last_position(DeviceId::default());
        rules.show(&newest, state.own_engine(), &mut shown);
        (shown.odometer, shown.engine_seconds)
    };
    assert_eq!(shown(MeterRules::default()), (Some(5_000.0), Some(60.0)));
    let corrected = |source, shown, read| MeterRule::new(source, Some(MeterOffsets::to_show(shown, 60_000, read)));
    let read = state.meters(&newest);
    let rules = MeterRules {
        odometer: corrected(MeterSource::Computed, 120_000_000, read.odometer),
        engine: MeterRule::new(MeterSource::Device, None),
    };
    assert_eq!(shown(rules), (Some(120_000_000.0), Some(7_200.0)));
}
