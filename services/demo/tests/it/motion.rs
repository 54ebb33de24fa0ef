//! What must hold for the motion of every vehicle at any time.

use std::sync::LazyLock;

use armada_demo::{
    calendar::{DAY, HOUR, start_of},
    path::Place,
    random::hash,
    roads::Roads,
    schedule::{State, VehicleSchedule},
    tracker::Tracker,
    vehicles::{FLEET, Kind, Vehicle, VehicleQuirk},
};
use armada_proto::{command::GatewayCommand, v1::FuelSource};
use armada_track::{DeviceState, EventKind, EventWatch, FuelSensor, FuelTable, Imei, Outcome, Thresholds};
use serde_json::{Value, json};

/// Days, in one of whose evenings fuel is taken out of a tank.
const SIPHONED_DAYS: (i64, i64) = (336, 340);
/// A day on which all work.
const THURSDAY: i64 = 332;
/// The farthest that a fix lies from where the vehicle is, in metres.
const ERROR_M: f64 = 10.0;

static ROADS: LazyLock<Roads> = LazyLock::new(|| Roads::load().expect("the network is well drawn"));

fn schedule(index: usize) -> VehicleSchedule {
    VehicleSchedule::new(&ROADS, index).expect("its itinerary is right")
}

fn tracker(index: usize) -> Tracker {
    let imei = Imei::with_check_digit(index as u64).expect("15 digits");
    Tracker::new(&ROADS, index, imei, start_of(400)).expect("its itinerary is right")
}

/// The fastest that each may be, km/h.
fn top_speed(kind: Kind) -> f64 {
    match kind {
        Kind::Car => 105.0,
        Kind::Van | Kind::Pickup | Kind::Bus => 100.0,
        Kind::Truck => 80.0,
        Kind::Motorcycle => 60.0,
        Kind::HeavyEquipment => 7.0,
    }
}

#[test]
fn tours_end_before_the_next_cycle() {
    for (index, vehicle) in FLEET.iter().enumerate() {
        let mut schedule = schedule(index);
        for cycle in 0..21 {
            let (arrives, ends) = (schedule.last_arrival(cycle), schedule.end_of(cycle));
            assert!(arrives < ends - HOUR / 4, "{} in cycle {cycle}: {arrives} {ends}", vehicle.name);
        }
    }
}

/// Of those that report: a demonstration is shown at any hour, on a workday as on a Sunday.
#[test]
fn at_every_hour_many_move_and_some_idle() {
    let reports = |index: &usize| !matches!(FLEET[*index].quirk, VehicleQuirk::Silent | VehicleQuirk::Never);
    let mut schedules: Vec<VehicleSchedule> = (0..FLEET.len()).filter(reports).map(schedule).collect();
    for day in [THURSDAY, THURSDAY + 3] {
        for time in (start_of(day)..start_of(day + 1)).step_by(10 * 60_000) {
            let states: Vec<State> = schedules.iter_mut().map(|schedule| schedule.at(time)).collect();
            let moving = states.iter().filter(|state| state.stopped.is_none()).count();
            let idle = states.iter().filter(|state| state.engine && state.stopped.is_some()).count();
            let hour = (time - start_of(day)) as f64 / HOUR as f64;
            assert!(moving >= 14 && idle >= 2, "day {day}, {hour:.1} h: {moving} move, {idle} idle");
        }
    }
}

#[test]
fn imeis_and_plates_are_unique() {
    let plates: std::collections::HashSet<_> = FLEET.iter().map(|vehicle| vehicle.plate).collect();
    let names: std::collections::HashSet<_> = FLEET.iter().map(|vehicle| vehicle.name).collect();
    assert_eq!((plates.len(), names.len()), (FLEET.len(), FLEET.len()));
}

/// Each vehicle at several instants of two years.
fn moments() -> impl Iterator<Item = (usize, i64)> {
    let instant = |case: u64| start_of(300) + (hash(&[case]) % (700 * DAY as u64)) as i64;
    (0..FLEET.len() as u64).map(move |case| (case as usize, instant(case)))
}

#[test]
fn vehicles_obey_physics() {
    for (index, time) in moments() {
        let Vehicle { kind, name, .. } = FLEET[index];
        let mut schedule = schedule(index);
        let mut before = schedule.at(time);
        for step in 1..400 {
            let time = time + step * 1_000;
            let now = schedule.at(time);
            assert!(now.speed * 3.6 <= top_speed(kind), "{name} at {time}: {} km/h", now.speed * 3.6);
            let change = now.speed - before.speed;
            let possible = -kind.braking() - 1e-6..kind.acceleration() + 1e-6;
            assert!(possible.contains(&change), "{name} at {time}: {change} m/s²");
            let driven = now.odometer - before.odometer;
            let possible = -1e-6..now.speed.max(before.speed) + kind.braking();
            assert!(possible.contains(&driven), "{name} at {time}: {driven} m in a second");
            let leap = before.place.metres_to(now.place);
            assert!(leap <= driven + 0.1, "{name} at {time}: {leap} m away after {driven} m");
            assert!(now.speed == 0.0 || now.engine, "{name} at {time} moves without its engine");
            let tank = 0.03 * kind.tank()..kind.tank();
            assert!(tank.contains(&now.fuel), "{name} at {time}: {} litres", now.fuel);
            before = now;
        }
    }
}

#[test]
fn a_restart_changes_nothing() {
    for (index, time) in moments() {
        let mut running = schedule(index);
        for ahead in [0, 7 * HOUR, DAY, 3 * DAY, 0] {
            assert_eq!(running.at(time + ahead), schedule(index).at(time + ahead), "{}", FLEET[index].name);
        }
    }
}

#[test]
fn odometers_never_go_back() {
    for (index, vehicle) in FLEET.iter().enumerate() {
        let mut schedule = schedule(index);
        let mut last = 0.0;
        for time in (start_of(310)..start_of(325)).step_by(17 * 60_000) {
            let odometer = schedule.at(time).odometer;
            assert!(odometer >= last - 1e-6, "{} at {time}: {last} {odometer}", vehicle.name);
            last = odometer;
        }
    }
}

/// What a demonstration that was made before the present timetable had told at most by then goes on.
#[test]
fn a_new_timetable_turns_no_odometer_back() {
    for (index, told) in [(0, 116_785_492.0), (24, 172_751_160.0), (35, 288_050_813.0), (44, 397_242_547.0)] {
        let metres = schedule(index).at(start_of(330)).odometer;
        assert!((told..told + 4_000_000.0).contains(&metres), "{}: {told} {metres}", FLEET[index].name);
    }
}

#[test]
fn fixes_are_where_the_vehicle_is() {
    for (index, time) in moments() {
        let (mut tracker, mut schedule) = (tracker(index), schedule(index));
        let mut slot = time;
        for _ in 0..60 {
            slot = tracker.next_slot(slot);
            let Some(fix) = tracker.fix(slot) else { continue };
            let (lat, lng) = fix.place().degrees();
            let error = schedule.at(slot).place.metres_to(Place { lat, lng });
            assert!(error <= ERROR_M, "{} at {slot}: {error} m", FLEET[index].name);
            assert_eq!(fix.recorded_at, slot);
        }
    }
}

#[test]
fn trackers_report_at_least_every_five_minutes() {
    for (index, time) in moments() {
        let mut tracker = tracker(index);
        let mut slot = tracker.next_slot(time.min(start_of(398)));
        let until = slot + 300_000;
        let mut fixes = 0;
        while slot < until {
            fixes += usize::from(tracker.fix(slot).is_some());
            slot = tracker.next_slot(slot);
        }
        assert_eq!(fixes > 0, FLEET[index].quirk != VehicleQuirk::Never, "{}", FLEET[index].name);
    }
}

#[test]
fn fills_are_noticed_and_now_and_then_a_drain() {
    let index = FLEET.iter().position(|vehicle| vehicle.quirk == VehicleQuirk::Siphoned).expect("one is robbed");
    let (mut tracker, mut state, mut watch) = (tracker(index), DeviceState::default(), EventWatch::default());
    let tank = FLEET[index].kind.tank() as u32;
    let sensor = FuelSensor::new(FuelSource::Liter, String::new(), tank, FuelTable::NONE);
    let mut fuel_events = Vec::new();
    let (mut slot, until) = (start_of(SIPHONED_DAYS.0), start_of(SIPHONED_DAYS.1));
    while slot < until {
        slot = tracker.next_slot(slot);
        let Some(fix) = tracker.fix(slot) else { continue };
        if let Outcome::Live(position) = state.advance(fix, &Thresholds::default()) {
            watch.observe_fuel(&position, Some(&sensor), &mut fuel_events);
        }
    }
    let litres = |wanted: EventKind| -> Vec<f64> {
        fuel_events.iter().filter(|event| event.kind == wanted).filter_map(|event| event.value).collect()
    };
    let (fills, drains) = (litres(EventKind::FuelFill), litres(EventKind::FuelDrain));
    assert!(fills.len() >= 2 && fills.iter().all(|litres| (38.0..250.0).contains(litres)), "{fills:?}");
    assert!(drains.len() == 1 && drains.iter().all(|litres| (30.0..57.0).contains(litres)), "{drains:?}");
}

#[test]
fn buffered_fixes_are_sent_later() {
    let index = FLEET.iter().position(|vehicle| vehicle.quirk == VehicleQuirk::Gap).expect("one has gaps");
    let tracker = tracker(index);
    let noon = start_of(320) + 12 * HOUR;
    let kept = noon + 2 * HOUR + 60_000;
    assert_eq!(tracker.reconnects_at(noon), None);
    let back = tracker.reconnects_at(kept).expect("it has no network");
    assert_eq!(back.at, noon + 5 * HOUR / 2);
    assert!(back.sends_kept > back.at && tracker.reconnects_at(back.at).is_none());
    assert_eq!(tracker.gathers_since(noon), noon);
    assert!(tracker.gathers_since(back.at) < kept);
}

fn execute_command(tracker: &mut Tracker, kind: &str, arguments: &Value, now: i64) -> Result<String, &'static str> {
    let command = json!({ "id": "1", "imei": "", "kind": kind, "arguments": arguments, "expires_at": "" });
    let command: GatewayCommand = serde_json::from_value(command).expect("a command");
    tracker.execute(&command, now)
}

#[test]
fn stopped_vehicle_resumes_from_its_place() {
    let mut tracker = tracker(0);
    let drives = |time: &i64| schedule(0).at(*time).speed > 5.0;
    let time = (start_of(320)..start_of(321)).step_by(60_000).find(drives).expect("it drives some time");
    let before = tracker.fix_now(time);
    assert_eq!(execute_command(&mut tracker, "engine_stop", &json!({}), time).unwrap(), "RELAY:1 OK");
    let stopped = tracker.fix_now(time);
    assert_eq!((stopped.speed, stopped.ignition), (Some(0), Some(false)));
    let later = tracker.fix_now(time + HOUR);
    assert_eq!((later.odometer, later.ignition), (before.odometer, Some(false)));
    assert_eq!((later.lat, later.lng), (stopped.lat, stopped.lng), "it stands");
    execute_command(&mut tracker, "engine_stop", &json!({}), time + HOUR).unwrap();

    execute_command(&mut tracker, "engine_resume", &json!({}), time + 2 * HOUR).unwrap();
    let resumed = tracker.fix_now(time + 2 * HOUR);
    assert_eq!((resumed.odometer, resumed.ignition), (before.odometer, Some(true)));
    let moved = tracker.fix_now(time + 2 * HOUR + 5_000).odometer.unwrap() - before.odometer.unwrap();
    assert!((1..200).contains(&moved), "it goes on: {moved} m");
}

#[test]
fn a_tracker_reports_as_often_as_it_is_told() {
    let mut tracker = tracker(0);
    let now = start_of(320);
    for (asked, kept) in [(10, 10), (0, 1), (86_400, 3_600)] {
        let reply =
            execute_command(&mut tracker, "position_periodic", &json!({ "interval_seconds": asked }), now).unwrap();
        assert_eq!(reply, format!("TIMER:{kept} OK"));
        let slot = tracker.next_slot(now);
        assert_eq!(tracker.next_slot(slot) - slot, kept * 1000);
        assert!((1..=300).any(|step| tracker.fix(slot + step * kept * 1000).is_some()), "it reports");
    }
    let none = json!({});
    assert_eq!(execute_command(&mut tracker, "position_periodic", &none, now), Err("invalid_arguments"));
    assert_eq!(
        execute_command(&mut tracker, "output_control", &json!({ "output": 5, "on": true }), now),
        Err("invalid_arguments")
    );
    assert_eq!(
        execute_command(&mut tracker, "output_control", &json!({ "output": 2, "on": true }), now).unwrap(),
        "OUT2:ON OK"
    );
    assert!(execute_command(&mut tracker, "request_status", &none, now).unwrap().starts_with("BATT:"));
    assert_eq!(execute_command(&mut tracker, "factory_reset", &none, now), Err("unsupported"));
}
