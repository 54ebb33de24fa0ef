//! What is known of a time of which nothing was heard.

use armada_track::{EventKind, EventLimits, EventWatch, Motion, Outcome, Report, SegmentKind, Thresholds};

use crate::support::journey::{Journey, START, fix};

use SegmentKind::{NoData, Stop, Trip};

const ON: Option<bool> = Some(true);
const OFF: Option<bool> = Some(false);

/// 36 km/h from a second and a metre on, for ten minutes.
fn drives(second: i64, metres: f64) -> impl Iterator<Item = Report> {
    (0..=60).map(move |n| fix((second + 10 * n) as f64, metres + 100.0 * n as f64, 36.0, ON))
}

#[test]
fn fifty_minutes_without_a_fix_and_thirty_metres_are_no_driving() {
    let again = 600 + 3_000;
    let at = |metres: f64, kmh: f64| Journey::of(drives(0, 0.0).chain([fix(again as f64, 6_000.0 + metres, kmh, ON)]));
    for kmh in [0.0, 36.0] {
        let journey = at(30.0, kmh);
        assert_eq!(journey.since(600, |derived| derived.moving_ms), 0);
        assert_eq!(journey.since(600, |derived| derived.engine_ms), 0);
        assert_eq!(journey.kinds_and_times()[..2], [(Trip, 600), (Stop, again)]);
    }
    // 1.5 km in the time are no driving either, but where it stood nobody knows.
    let journey = at(1_500.0, 36.0);
    assert_eq!(journey.kinds_and_times()[..2], [(Trip, 600), (NoData, again)]);
    assert_eq!(journey.since(600, |derived| derived.moving_ms), 0);
    // 30 km are.
    let journey = at(30_000.0, 36.0);
    assert_eq!(journey.since(600, |derived| derived.moving_ms), 3_000_000);
    assert_eq!(journey.kinds_and_times(), [(Trip, again)]);
    // It goes on: two trips with a stop between them.
    let journey = Journey::of(drives(0, 0.0).chain(drives(again, 6_030.0)));
    assert_eq!(journey.kinds_and_times(), [(Trip, 600), (Stop, again), (Trip, again + 600)]);
    assert_eq!((journey.trips, journey.last().moving_ms), (2, 1_200_000));
    // Five minutes are no silence.
    let journey = Journey::of(drives(0, 0.0).chain(drives(900, 6_030.0)));
    assert_eq!((journey.segments().len(), journey.last().moving_ms), (1, 1_500_000));
}

#[test]
fn who_wakes_on_the_road_was_parked_until_then() {
    let sleeps = (0..3).map(|n| fix((610 + 60 * n) as f64, 6_000.0, 0.0, OFF));
    // Eight hours on, it says 40 km/h, 60 m from there.
    let wakes = 730 + 8 * 3_600;
    let journey = Journey::of(drives(0, 0.0).chain(sleeps).chain(drives(wakes, 6_060.0)));
    assert_eq!(journey.kinds_and_times(), [(Trip, 610), (Stop, wakes), (Trip, wakes + 600)]);
    assert_eq!(journey.last().parked_ms, (wakes - 610) as u64 * 1_000);
    assert_eq!((journey.last().moving_ms, journey.trips), (1_210_000, 2));
    assert_eq!(journey.metres_since(610).round(), 6_060.0);
}

#[test]
fn speeds_that_places_cannot_confirm_are_no_maximum() {
    // Ten minutes at 36 km/h, and an hour of standing in which it says 187 km/h now and then, whatever it says of its ignition.
    for ignition in [ON, OFF, None] {
        let wild = |n: i64| if n % 7 == 6 { 187.0 } else { 0.0 };
        let stands = (1..=360).map(|n| fix((600 + 10 * n) as f64, 6_000.0, wild(n), ignition));
        let journey = Journey::of(drives(0, 0.0).chain(stands));
        let highest = journey.segments().iter().filter_map(|segment| segment.max_speed).max();
        assert_eq!(highest, Some(360), "{ignition:?}");
        assert_eq!(journey.metres_since(600), 0.0);
    }
    // What it drives it has driven: 187 km/h after a minute at 100 km/h, a fix a second or a minute, and round bends.
    for every in [1, 10, 60] {
        let metres = |second: f64| second * 100.0 / 3.6 + (second - 120.0).max(0.0) * 87.0 / 3.6;
        let fast = (0..=240 / every).map(|n| {
            let second = (n * every) as f64;
            fix(second, metres(second), if second <= 120.0 { 100.0 } else { 187.0 }, ON)
        });
        let journey = Journey::of(fast);
        assert_eq!(journey.segments()[0].max_speed, Some(1_870), "every {every} s");
    }
}

#[test]
fn a_backlog_tells_the_real_silence() {
    // It may be silent for a minute. It is out of reach for 200 s, and then sends what it had kept, ten seconds apart.
    let limits = EventLimits { offline_s: 60, ..EventLimits::default() };
    let (mut state, mut watch, mut events) = (armada_track::DeviceState::default(), EventWatch::default(), Vec::new());
    let at = |second: i64| START + second * 1_000;
    let mut newest = None;
    let mut receive = |second: i64, received: i64, watch: &mut EventWatch, events: &mut Vec<_>| {
        let report = fix(second as f64, 10.0 * second as f64, 36.0, ON);
        let outcome = state.receive(report, at(received), None, &Thresholds::default());
        let Outcome::Live(position) = outcome else { panic!("not live: {outcome:?}") };
        watch.observe(&position, at(received), limits, events);
        *watch = EventWatch::decode(&watch.encode()).expect("what was encoded");
        position
    };
    for second in [-20, -10, 0] {
        newest = Some(receive(second, second, &mut watch, &mut events));
    }
    watch.tick(&newest.expect("a fix"), at(70), at(-600), limits, &mut events);
    for second in (10..=200).step_by(10) {
        receive(second, 200, &mut watch, &mut events);
    }
    let told: Vec<_> = events.iter().map(|event| (event.kind.clone(), event.value)).collect();
    assert_eq!(told, [(EventKind::Offline, None), (EventKind::Online, Some(200.0))]);
    assert!(events[0].occurred_at <= events[1].occurred_at, "{events:?}");
    assert_eq!((events[0].occurred_at, events[1].occurred_at), (at(60), at(140)));
}

#[test]
fn a_tracker_whose_clock_stands_is_connected() {
    let limits = EventLimits::default();
    let journey = Journey::of(drives(0, 0.0));
    let newest = journey.positions.last().expect("a fix");
    let (mut watch, mut events) = (EventWatch::default(), Vec::new());
    watch.observe(newest, START + 600_000, limits, &mut events);
    // It says that fix again, every minute for two hours.
    for minute in 1..=120 {
        let now = START + 600_000 + minute * 60_000;
        watch.hear(now);
        watch = EventWatch::decode(&watch.encode()).expect("what was encoded");
        watch.tick(newest, now + 30_000, START, limits, &mut events);
    }
    assert_eq!(events, []);
    let until = START + 600_000 + 120 * 60_000;
    let mut silent = watch.clone();
    silent.tick(newest, until + 601_000, START, limits, &mut events);
    assert_eq!(events.iter().map(|event| event.kind.clone()).collect::<Vec<_>>(), [EventKind::Offline]);
    // Its clock goes on, and it was there all the time.
    events.clear();
    let mut next = newest.clone();
    next.report.recorded_at = until + 60_000;
    next.derived.motion = Motion::Moving;
    watch.observe(&next, until + 60_000, limits, &mut events);
    assert_eq!(events, []);
}
