//! What happens to a vehicle, from its fixes.

use armada_track::{
    DeviceState, EventKind, EventLimits, EventWatch, Outcome, Position, Report, Thresholds, VehicleEvent, alarms,
};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_report, arrivals};

const START: i64 = 1_790_000_000_000;
/// At the equator, in 1e-7 degrees of longitude: 90 units are a metre (89.93).
const METRE: f64 = 1e7 / 111_195.08;
const LIMITS: EventLimits =
    EventLimits { speed: 800, parking_s: 3_600, idle_s: 600, offline_s: 600, tow_m: 150, wired: false };

/// A vehicle and what is noticed of it.
#[derive(Default)]
struct Vehicle {
    state: DeviceState,
    watch: EventWatch,
    newest: Option<Position>,
    /// What was stored of it, with when it was received.
    stored: Vec<(Position, i64)>,
    /// Other ones than [`LIMITS`].
    own: Option<EventLimits>,
}

impl Vehicle {
    fn limits(&self) -> EventLimits {
        self.own.unwrap_or(LIMITS)
    }

    /// What a fix shows that comes at once.
    fn receive(&mut self, report: Report) -> Vec<VehicleEvent> {
        let at = report.recorded_at;
        self.receive_at(report, at)
    }

    fn receive_at(&mut self, report: Report, received_at: i64) -> Vec<VehicleEvent> {
        let (mut events, limits) = (Vec::new(), self.limits());
        match self.state.receive(report, received_at, self.newest.as_ref(), &Thresholds::default()) {
            Outcome::Live(position) => {
                self.watch.observe(&position, received_at, limits, &mut events);
                self.watch.observe_fuel(&position, None, &mut events);
                self.newest = Some(position.clone());
                self.stored.push((position, received_at));
            }
            Outcome::Late(position) => {
                self.watch.observe_late(&position.report, received_at, &mut events);
                self.stored.push((position, received_at));
            }
            _ => {}
        }
        events
    }

    /// What a checkpoint keeps of it.
    fn checkpoint(&self) -> Checkpoint {
        Checkpoint { state: self.state.encode(), watch: self.watch.encode(), stored: self.stored.len() }
    }

    /// As it is known after a restart: from a checkpoint, and what was stored since.
    fn restarted(&self, checkpoint: &Checkpoint) -> Self {
        let mut new = Self {
            state: DeviceState::decode(&checkpoint.state).expect("what was encoded"),
            watch: EventWatch::decode(&checkpoint.watch).expect("what was encoded"),
            newest: self.newest.clone(),
            own: self.own,
            ..Self::default()
        };
        for (position, received_at) in &self.stored[checkpoint.stored..] {
            new.state.restore(position, &Thresholds::default());
            new.watch.restore(position, *received_at, new.limits(), None);
        }
        new
    }

    /// What so many seconds after the start show, when it was heard since another one.
    fn tick(&mut self, second: i64, heard_since: i64) -> Vec<VehicleEvent> {
        let (mut events, limits) = (Vec::new(), self.limits());
        let newest = self.newest.as_ref().expect("it was heard");
        self.watch.tick(newest, START + second * 1_000, START + heard_since * 1_000, limits, &mut events);
        events
    }

    fn kinds(&mut self, reports: impl IntoIterator<Item = Report>) -> Vec<EventKind> {
        reports.into_iter().flat_map(|report| self.receive(report)).map(|event| event.kind).collect()
    }
}

/// What is saved of a vehicle.
struct Checkpoint {
    state: Vec<u8>,
    watch: Vec<u8>,
    /// How much was stored by then.
    stored: usize,
}

/// A fix so many seconds and metres from the start.
fn fix(second: i64, metres: f64, speed: u32) -> Report {
    let lng = 1_000_000 + (metres * METRE).round() as i32;
    Report { speed: Some(speed), ..Report::new(START + second * 1_000, 0, lng) }
}

fn parked_report(second: i64) -> Report {
    fix(second, 0.0, 0)
}

fn with_alarm(second: i64, alarm: Option<&str>) -> Report {
    Report { alarm: alarm.map(Into::into), ..parked_report(second) }
}

fn at(second: i64) -> i64 {
    START + second * 1_000
}

#[test]
fn reports_ignition_changes() {
    let with = |second, ignition| Report { ignition, ..parked_report(second) };
    let raised = Vehicle::default().kinds([
        with(0, None),
        with(10, Some(false)),
        with(20, Some(true)),
        with(30, None),
        with(40, Some(true)),
        with(50, Some(false)),
    ]);
    assert_eq!(raised, [EventKind::IgnitionOn, EventKind::IgnitionOff]);
}

#[test]
fn reports_an_active_alarm_once() {
    let mut vehicle = Vehicle::default();
    let sos = || EventKind::Alarm("sos".into());
    let raised = vehicle.kinds([
        with_alarm(0, Some("sos")),
        with_alarm(10, Some("sos")),
        with_alarm(20, None),
        with_alarm(30, Some("sos")),
        with_alarm(40, Some("power_cut")),
    ]);
    assert_eq!(raised, [sos(), sos(), EventKind::PowerCut]);
    // One that comes late is told as well, at its own time, and once.
    let late: Vec<_> =
        [5, 6].into_iter().flat_map(|second| vehicle.receive(with_alarm(second, Some("door")))).collect();
    assert_eq!(late.len(), 1);
    assert_eq!((late[0].kind.name().as_ref(), late[0].occurred_at), ("alarm.door", at(5)));
}

#[test]
fn kind_names_are_valid_subject_tokens() {
    for (alarm, name) in [
        ("Door > open.2é", "alarm.door___open_2é"),
        ("求救", "alarm.求救"),
        ("断电", "alarm.断电"),
        ("火災 *\u{3000}1", "alarm.火災___1"),
        ("тревога", "alarm.тревога"),
        ("बचाओ", "alarm.बचाओ"),
        ("a\u{202e}b\u{85}c", "alarm.a_b_c"),
        ("sos!", "alarm.sos"),
        ("*", "alarm._"),
    ] {
        assert_eq!(Vehicle::default().kinds([with_alarm(0, Some(alarm))])[0].name(), name, "{alarm}");
    }
}

#[test]
fn offline_is_reported_once_and_ends_with_a_fresh_fix() {
    let mut vehicle = Vehicle::default();
    vehicle.receive(fix(0, 100.0, 0));
    assert_eq!(vehicle.tick(600, 0), []);
    // Whoever has just begun to listen does not know yet whether it is silent.
    assert_eq!(vehicle.tick(700, 200), []);
    let offline = vehicle.tick(601, 0);
    assert_eq!(offline.len(), 1);
    assert_eq!((offline[0].kind.clone(), offline[0].occurred_at), (EventKind::Offline, at(600)));
    assert_eq!((offline[0].since, offline[0].key), (Some(at(0)), at(0)));
    assert_eq!(vehicle.tick(900, 0), []);
    // What it had kept for later says nothing of now.
    assert_eq!(vehicle.receive_at(fix(300, 100.0, 0), at(1_000)), []);
    let online = vehicle.receive_at(fix(990, 100.0, 0), at(1_000));
    assert_eq!(online.len(), 1);
    assert_eq!((online[0].kind.clone(), online[0].occurred_at), (EventKind::Online, at(990)));
    assert_eq!(online[0].value, Some(1_000.0), "what it had kept came at once");
}

#[test]
fn next_fix_reports_an_unobserved_offline_time() {
    let mut watched = Vehicle::default();
    let mut unwatched = Vehicle::default();
    for vehicle in [&mut watched, &mut unwatched] {
        vehicle.receive(fix(0, 100.0, 0));
    }
    let raised = watched.tick(900, 0);
    let late = unwatched.receive(fix(1_000, 900.0, 0));
    // The same happening, whoever notices it.
    assert_eq!(late[0], raised[0]);
    assert_eq!(late[1].kind, EventKind::Online);
    assert_eq!(late.len(), 2);
}

#[test]
fn parking_limit_is_exceeded_without_a_fix() {
    let mut vehicle = Vehicle::default();
    vehicle.receive(fix(0, 0.0, 500));
    vehicle.receive(parked_report(60));
    assert_eq!(vehicle.tick(3_659, 3_600), []);
    let raised = vehicle.tick(3_660, 3_600);
    assert_eq!(raised.len(), 1);
    assert_eq!((raised[0].kind.clone(), raised[0].occurred_at), (EventKind::ParkedTooLong, at(3_660)));
    assert_eq!((raised[0].since, raised[0].limit), (Some(at(60)), Some(3_600.0)));
    assert_eq!(vehicle.tick(9_000, 9_000), []);
    // The next park is another one.
    let on_the_way: Vec<_> = vehicle.kinds([fix(9_000, 300.0, 500), fix(9_060, 900.0, 0)]);
    assert!(!on_the_way.contains(&EventKind::ParkedTooLong));
    assert_eq!(vehicle.tick(13_000, 13_000).len(), 1);
}

#[test]
fn idling_counts_only_while_reports_arrive() {
    let idle = |second| Report { ignition: Some(true), ..parked_report(second) };
    let every_minute = |from: i64, to: i64| (from..=to).step_by(60).map(idle);
    let raised: Vec<_> = {
        let mut vehicle = Vehicle::default();
        every_minute(0, 1_800).flat_map(|report| vehicle.receive(report)).collect()
    };
    assert_eq!(raised.len(), 1);
    assert_eq!((raised[0].kind.clone(), raised[0].occurred_at), (EventKind::Idling, at(600)));
    assert_eq!((raised[0].value, raised[0].limit), (Some(600.0), Some(600.0)));
    let mut vehicle = Vehicle::default();
    let raised = vehicle.kinds(every_minute(0, 300).chain(every_minute(7_200, 7_740)));
    assert!(!raised.contains(&EventKind::Idling), "nobody knows what it did in between: {raised:?}");
    assert_eq!(vehicle.kinds(every_minute(7_800, 7_800)), [EventKind::Idling]);
}

#[test]
fn idle_and_offline_limits_are_per_vehicle() {
    let own = Some(EventLimits { idle_s: 60, offline_s: 1_200, ..LIMITS });
    let mut vehicle = Vehicle { own, ..Vehicle::default() };
    let idle = |second| Report { ignition: Some(true), ..parked_report(second) };
    let raised: Vec<_> = [0, 50, 60, 70].into_iter().flat_map(|second| vehicle.receive(idle(second))).collect();
    assert_eq!(raised.len(), 1);
    assert_eq!(
        (raised[0].kind.clone(), raised[0].occurred_at, raised[0].limit),
        (EventKind::Idling, at(60), Some(60.0))
    );
    assert_eq!(vehicle.tick(1_270, 0), []);
    let raised = vehicle.tick(1_271, 0);
    assert_eq!((raised[0].kind.clone(), raised[0].occurred_at), (EventKind::Offline, at(1_270)));
    assert_eq!(vehicle.receive_at(idle(1_300), at(2_500))[0].kind, EventKind::Online, "no older than it may be silent");
}

#[test]
fn overspeed_must_last_half_a_minute_and_is_reported_once() {
    let mut vehicle = Vehicle::default();
    let drive = |from: i64, speeds: &[u32]| -> Vec<Report> {
        let second = |number: usize| from + 10 * number as i64;
        speeds.iter().enumerate().map(|(i, speed)| fix(second(i), 25.0 * second(i) as f64, *speed)).collect()
    };
    // 80 km/h are allowed: 84 are no excess, 88 and more are.
    assert_eq!(vehicle.kinds(drive(0, &[840, 840, 840, 840, 840])), []);
    assert_eq!(vehicle.kinds(drive(50, &[900, 950, 900, 700])), [], "too short");
    let raised: Vec<_> =
        drive(90, &[900, 930, 900, 890, 990, 900]).into_iter().flat_map(|report| vehicle.receive(report)).collect();
    assert_eq!(raised.len(), 1);
    assert_eq!((raised[0].kind.clone(), raised[0].since), (EventKind::Overspeed, Some(at(90))));
    assert_eq!((raised[0].value, raised[0].limit, raised[0].occurred_at), (Some(93.0), Some(80.0), at(120)));
    vehicle.receive(fix(190, 4_750.0, 800));
    // It is one time as long as it does not keep to its limit.
    let raised: Vec<_> = vehicle.kinds(drive(200, &[900, 900, 900, 900, 810, 890, 890, 890, 890, 890]));
    assert_eq!(raised, [EventKind::Overspeed]);
    vehicle.receive(fix(310, 7_800.0, 800));
}

/// Two hours at so many km/h, with a fix each `step` seconds whose straight way is `straight` of the road.
fn steady_drive(step: i64, kmh: u32, straight: f64) -> Vec<Report> {
    let metres = |second: i64| f64::from(kmh) / 3.6 * second as f64 * straight;
    (0..=7_200).step_by(step as usize).map(|second| fix(second, metres(second), kmh * 10)).collect()
}

#[test]
fn overspeed_is_told_of_sparse_fixes_with_how_coarse_they_are() {
    for (step, apart) in
        [(10, None), (30, None), (110, Some(110)), (130, Some(130)), (300, Some(300)), (600, Some(600))]
    {
        let mut vehicle = Vehicle::default();
        let raised: Vec<_> =
            steady_drive(step, 120, 0.8).into_iter().flat_map(|report| vehicle.receive(report)).collect();
        assert_eq!(raised.len(), 1, "each {step} s: {raised:?}");
        assert_eq!(
            (raised[0].kind.clone(), raised[0].key, raised[0].since),
            (EventKind::Overspeed, at(0), Some(at(0)))
        );
        let first = ((30 + step - 1) / step * step).max(step);
        assert_eq!((raised[0].occurred_at, raised[0].fixes_apart_seconds), (at(first), apart), "each {step} s");
        assert_eq!((raised[0].value, raised[0].limit), (Some(120.0), Some(80.0)));
    }
}

#[test]
fn sparse_fixes_show_no_overspeed_where_the_way_does_not() {
    let overspeeds = |reports: Vec<Report>| {
        let kinds = Vehicle::default().kinds(reports);
        kinds.into_iter().filter(|kind| *kind == EventKind::Overspeed).count()
    };
    // 44 km/h on the average: it has stood in between.
    assert_eq!(overspeeds(steady_drive(300, 92, 0.48)), 0);
    assert_eq!(overspeeds(steady_drive(300, 92, 0.66)), 1, "61 km/h straight are 80 on a road");
    // Longer than it may be silent, nobody knows.
    assert_eq!(overspeeds(steady_drive(601, 120, 1.0)), 0);
    // A fix that cannot be believed lies between them.
    let mut doubtful = steady_drive(300, 120, 1.0);
    doubtful.truncate(3);
    doubtful[1].valid = false;
    assert_eq!(overspeeds(doubtful), 0);
}

#[test]
fn overspeed_of_the_tracker_and_the_computed_one_are_one_event() {
    let drive = |second: i64, kmh: u32, alarm: Option<&str>| Report {
        alarm: alarm.map(Into::into),
        ..fix(second, 25.0 * second as f64, kmh * 10)
    };
    let raised = |reports: Vec<Report>| {
        let mut vehicle = Vehicle::default();
        reports.into_iter().flat_map(|report| vehicle.receive(report)).collect::<Vec<_>>()
    };
    let fast = Some("overspeed");
    // It is the first to say so, at the edge of the limit.
    let first =
        raised((0..=12).map(|n| drive(n * 10, if n == 0 { 78 } else { 90 }, fast.filter(|_| n == 0))).collect());
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!((first[0].key, first[0].value), (at(0), None));
    // It says so before half a minute is over, again and again.
    let second = raised((0..=12).map(|n| drive(n * 10, 90, fast.filter(|_| n % 3 == 2))).collect());
    assert_eq!(second.len(), 1, "{second:?}");
    assert_eq!((second[0].key, second[0].occurred_at, second[0].value), (at(0), at(20), Some(90.0)));
    // It says so when it was told.
    let third = raised((0..=12).map(|n| drive(n * 10, 90, fast.filter(|_| n == 6))).collect());
    assert_eq!(third.len(), 1, "{third:?}");
    assert_eq!((third[0].key, third[0].occurred_at), (at(0), at(30)));
    // The next time is another one.
    let speeds = [90, 90, 90, 90, 90, 60, 90, 90];
    let twice =
        raised(speeds.iter().zip(0..).map(|(kmh, n)| drive(n * 10, *kmh, fast.filter(|_| n % 6 == 1))).collect());
    assert_eq!(twice.iter().map(|event| event.key).collect::<Vec<_>>(), [at(0), at(60)], "{twice:?}");
    // One that comes late is of the time that was told.
    let mut vehicle = Vehicle::default();
    let told: Vec<_> = (0..6).flat_map(|n| vehicle.receive(drive(n * 10, 90, None))).collect();
    assert_eq!((told.len(), vehicle.receive(drive(25, 90, fast))), (1, vec![]));
    // Without a limit of its own it is told as the tracker says it.
    let mut free = Vehicle { own: Some(EventLimits { speed: 0, ..LIMITS }), ..Vehicle::default() };
    assert_eq!(free.kinds((0..6).map(|n| drive(n * 10, 90, fast.filter(|_| n > 1)))), [EventKind::Overspeed]);
}

/// What the version before wrote of a vehicle that goes too fast, and of one whose fuel it reads.
#[test]
fn reads_what_was_saved_before() {
    let mut vehicle = Vehicle::default();
    for n in 0..3 {
        vehicle.receive(fix(n * 10, 25.0 * n as f64 * 10.0, 900));
    }
    let mut bytes = vehicle.watch.encode();
    // Without how far its fixes lie apart, which it says in a bit and in the last two bytes.
    bytes.truncate(bytes.len() - 3);
    bytes[1] &= !64;
    let mut restarted = EventWatch::decode(&bytes).expect("what was written before");
    assert_eq!(restarted.encode(), bytes);
    let mut events = Vec::new();
    let Outcome::Live(position) =
        vehicle.state.receive(fix(30, 750.0, 900), at(30), vehicle.newest.as_ref(), &Thresholds::default())
    else {
        panic!("it is newer")
    };
    restarted.observe(&position, at(30), LIMITS, &mut events);
    assert_eq!((events.len(), events[0].key), (1, at(0)));
}

#[test]
fn harsh_driving_needs_fixes_close_to_each_other() {
    let raised = |reports: &[Report]| Vehicle::default().kinds(reports.iter().cloned());
    let turn = |second, course| Report { course: Some(course), ..fix(second, 15.0 * second as f64, 540) };
    // 36 km/h in two seconds are 5 m/s².
    assert_eq!(raised(&[fix(0, 0.0, 100), fix(2, 15.0, 460)]), [EventKind::HarshAcceleration]);
    assert_eq!(raised(&[fix(0, 0.0, 460), fix(2, 15.0, 100)]), [EventKind::HarshBraking]);
    assert_eq!(raised(&[fix(0, 0.0, 460), fix(3, 15.0, 0)]), []);
    // 15 m/s and 20 degrees in a second, across north.
    assert_eq!(raised(&[turn(0, 3_500), turn(1, 100)]), [EventKind::HarshCornering]);
    assert_eq!(raised(&[turn(0, 3_550), turn(1, 50)]), []);
    // One manoeuvre is one event.
    let braking = [fix(0, 0.0, 900), fix(1, 20.0, 700), fix(2, 35.0, 500), fix(3, 45.0, 300)];
    assert_eq!(raised(&braking), [EventKind::HarshBraking]);
}

#[test]
fn ten_fixes_a_second_of_a_constant_speed_are_nothing_harsh() {
    let at = |tenth: i64, speed: u32| Report {
        recorded_at: START + tenth * 100,
        course: Some(900),
        ..fix(0, 1.39 * tenth as f64, speed)
    };
    // 50 km/h, give or take one.
    let steady = (0..600).map(|tenth| at(tenth, [490, 500, 510, 500, 510, 490][(tenth % 6) as usize]));
    assert_eq!(Vehicle::default().kinds(steady), []);
    // 5 m/s² are, however often they are told: 50 to 14 km/h in two seconds.
    let braking = (0..40).map(|tenth| at(tenth, 500 - 18 * u32::try_from((tenth - 10).clamp(0, 20)).unwrap()));
    assert_eq!(Vehicle::default().kinds(braking), [EventKind::HarshBraking]);
}

#[test]
fn moving_with_ignition_off_is_towing() {
    let run = |wired: bool, reports: Vec<Report>| {
        let on = |second| Report { ignition: Some(true), ..parked_report(second) };
        let known = [on(-600), on(-60), Report { ignition: Some(false), ..parked_report(-50) }];
        let known = known.into_iter().skip(if wired { 0 } else { 2 });
        let raised = Vehicle::default().kinds(known.chain(reports));
        raised.into_iter().filter(|kind| *kind == EventKind::Towing).count()
    };
    let off = |second, metres, speed| Report { ignition: Some(false), ..fix(second, metres, speed) };
    let towed = |seconds: i64| (0..=seconds).step_by(10).map(|at| off(at, 10.0 * at as f64, 360)).collect::<Vec<_>>();
    assert_eq!(run(true, towed(120)), 1);
    // Who knows of no ignition that was ever on knows of none that is off.
    assert_eq!(run(false, towed(120)), 0);
    // It is 200 m away, from where it is said to move, a minute later, and 150 m on.
    assert_eq!([70, 80].map(|seconds| run(true, towed(seconds))), [0, 1]);
    let rolled = (0..=120).step_by(10).map(|at| off(at, at as f64, 36)).collect();
    assert_eq!(run(true, rolled), 0);
    // Round in circles of 80 m, at any speed.
    let circles = (0..=3_600).step_by(10).map(|at| off(at, 40.0 * (at as f64).sin(), 500)).collect();
    assert_eq!(run(true, circles), 0);
}

#[test]
fn a_battery_is_low_until_it_is_charged() {
    let with = |second, percent| Report { batt_percent: Some(percent), ..parked_report(second) };
    let raised =
        Vehicle::default().kinds([with(0, 90), with(10, 19), with(20, 25), with(30, 15), with(40, 30), with(50, 19)]);
    assert_eq!(raised, [EventKind::LowBattery, EventKind::LowBattery]);
}

fn watch(reports: Vec<Report>) -> EventWatch {
    let mut vehicle = Vehicle::default();
    reports.into_iter().for_each(|report| drop(vehicle.receive(report)));
    vehicle.watch
}

proptest! {
    #[test]
    fn event_watch_round_trips(usual in arrivals(), wild in vec(any_report(), 0..12)) {
        for reports in [usual, wild] {
            let bytes = watch(reports).encode();
            prop_assert_eq!(EventWatch::decode(&bytes).expect("what was encoded").encode(), bytes);
        }
    }

    /// Whoever goes on from a checkpoint, with what was stored since, notices what the one before would have noticed, however late
    /// the fixes come.
    #[test]
    fn restart_neither_repeats_nor_misses_events(
        reports in arrivals(),
        delays in vec(prop_oneof![3 => Just(0), 1 => 500..700_i64, 1 => 0..90_000_i64], 80),
        saved: prop::sample::Index,
        died: prop::sample::Index,
    ) {
        let (saved, died) = (saved.index(reports.len() + 1), died.index(reports.len() + 1));
        let (mut unbroken, mut restarted) = (Vehicle::default(), None::<Vehicle>);
        let mut checkpoint = unbroken.checkpoint();
        for (number, (report, delay)) in reports.into_iter().zip(delays).enumerate() {
            if number == saved && saved <= died {
                checkpoint = unbroken.checkpoint();
            }
            if number == died {
                restarted = Some(unbroken.restarted(&checkpoint));
            }
            let received_at = report.recorded_at + delay * 1_000;
            let raised = unbroken.receive_at(report.clone(), received_at);
            if let Some(restarted) = &mut restarted {
                prop_assert_eq!(restarted.receive_at(report, received_at), raised);
            }
        }
    }

    /// Late fixes tell of their alarms, and change nothing of what the others tell: harsh driving, which every step shows, as
    /// little as what lasts.
    #[test]
    fn late_fixes_raise_alarms_only(reports in arrivals()) {
        let (mut whole, mut without) = (Vehicle::default(), Vehicle::default());
        for report in reports {
            let before = whole.state.recorded_at();
            let raised = whole.receive(report.clone());
            if before.is_none_or(|before| report.recorded_at >= before) {
                prop_assert_eq!(raised, without.receive(report));
            } else {
                let is_its_alarm = |event: &VehicleEvent| report.alarm.is_some() && event.key == report.recorded_at;
                let named = alarms(report.alarm.as_deref().unwrap_or_default()).count();
                prop_assert!(raised.len() <= named && raised.iter().all(is_its_alarm), "{:?}", raised);
            }
        }
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(usual in arrivals(), at: prop::sample::Index, byte: u8, junk: Vec<u8>) {
        let mut bytes = watch(usual).encode();
        let at = at.index(bytes.len());
        prop_assert!(at == 0 || EventWatch::decode(&bytes[..at]).is_err());
        bytes[at] = byte;
        let _ = EventWatch::decode(&bytes);
        let _ = EventWatch::decode(&junk);
    }
}

#[test]
fn event_watch_is_small() {
    let bytes = watch((0..20).map(|number| parked_report(15 * number)).collect()).encode();
    assert!(bytes.len() < 40, "{} bytes", bytes.len());
    assert_eq!(EventWatch::decode(&[]), Ok(EventWatch::default()));
}
