//! Fixes of one instant are one fix.

use std::collections::BTreeSet;

use armada_track::{
    DeviceState, EventKind, EventLimits, EventWatch, MAX_ALARMS, Motion, Outcome, Position, Reject, Report, Thresholds,
    VehicleEvent, alarms, decode_message, merge, unite,
};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_report, arrivals};

const START: i64 = 1_790_000_000_000;

fn fix(second: i64) -> Report {
    Report { speed: Some(300), ignition: Some(true), ..Report::new(START + second * 1000, -62_000_000, 1_068_000_000) }
}

fn sos(second: i64) -> Report {
    Report { valid: false, alarm: Some("sos".into()), ..Report::new(START + second * 1000, 0, 0) }
}

/// A device, as ingest takes in what comes.
#[derive(Default)]
struct Device {
    state: DeviceState,
    watch: EventWatch,
    newest: Option<Position>,
    stored: Vec<Position>,
}

impl Device {
    fn receive(&mut self, report: Report, received_at: i64) -> Vec<VehicleEvent> {
        let (mut events, limits) = (Vec::new(), EventLimits::default());
        match self.state.receive(report.clone(), received_at, self.newest.as_ref(), &Thresholds::default()) {
            Outcome::Live(position) => {
                self.watch.observe(&position, received_at, limits, &mut events);
                self.newest = Some(position.clone());
                self.stored.push(position);
            }
            Outcome::Late(position) => {
                self.watch.observe_late(&position.report, received_at, &mut events);
                self.stored.push(position);
            }
            outcome @ (Outcome::Repeat | Outcome::Refused(_)) => {
                let is_unplaced = matches!(outcome, Outcome::Refused(_));
                self.watch.observe_alarm(&report, received_at, is_unplaced, &mut events);
            }
        }
        events
    }

    fn alarms(&mut self, report: Report, minute: i64) -> usize {
        let is_alarm = |event: &VehicleEvent| matches!(event.kind, EventKind::Alarm(_) | EventKind::PowerCut);
        self.receive(report, START + minute * 60_000).iter().filter(|event| is_alarm(event)).count()
    }
}

fn folded(reports: &[Report], ignition_before: Option<bool>) -> Option<Report> {
    let (first, others) = reports.split_first()?;
    let mut united = first.clone();
    for other in others {
        unite(&mut united, other, ignition_before);
    }
    Some(united)
}

fn of_one_instant() -> impl Strategy<Value = Report> {
    let names = prop::option::of(prop::sample::select(vec!["sos", "power_cut", "tamper,sos", "vibration", "accident"]));
    (any_report(), names).prop_map(|(report, alarm)| Report {
        recorded_at: START,
        alarm: alarm.map(Into::into),
        ..report
    })
}

proptest! {
    #[test]
    fn it_does_not_matter_which_meet_first(
        reports in vec(of_one_instant(), 2..8),
        cut: prop::sample::Index,
        before: Option<bool>,
    ) {
        let whole = folded(&reports, before).expect("some");
        let (some, others) = reports.split_at(cut.index(reports.len() - 1) + 1);
        let (mut united, others) = (folded(some, before).expect("some"), folded(others, before));
        if let Some(others) = &others {
            unite(&mut united, others, before);
        }
        prop_assert_eq!(&united, &whole);
        for report in &reports {
            prop_assert!(!unite(&mut united, report, before), "it says nothing new");
        }
        prop_assert_eq!(united, whole);
    }

    #[test]
    fn restored_state_equals_that_of_united_fixes(reports in arrivals(), more in vec((any::<prop::sample::Index>(), any_report()), 0..20)) {
        let mut all = reports;
        for (place, report) in more {
            if all.is_empty() {
                break;
            }
            let place = place.index(all.len());
            let recorded_at = all[place].recorded_at;
            all.insert(place + 1, Report { recorded_at, ..report });
        }
        let mut device = Device::default();
        for report in all {
            let received_at = report.recorded_at;
            device.receive(report, received_at);
        }
        let mut restored = DeviceState::default();
        device.stored.iter().for_each(|position| restored.restore(position, &Thresholds::default()));
        prop_assert_eq!(&restored, &device.state);
        prop_assert_eq!(DeviceState::decode(&restored.encode()), Ok(restored));
        let (merged, counts) = merge([device.stored]);
        prop_assert_eq!(counts.repeats, 0);
        prop_assert!(merged.is_sorted_by(|a, b| a.recorded_at() < b.recorded_at()));
    }
}

#[test]
fn alarm_with_the_second_of_the_fix_before_is_told_once() {
    let mut device = Device::default();
    device.receive(fix(0), START);
    device.receive(fix(10), START + 10_000);
    assert_eq!(device.alarms(sos(10), 1), 1);
    assert_eq!((device.alarms(sos(10), 1), device.alarms(sos(10), 2), device.alarms(fix(10), 2)), (0, 0, 0));
    let newest = device.newest.as_ref().expect("a position");
    assert_eq!(
        (newest.report.valid, newest.report.place(), newest.report.alarm.as_deref()),
        (true, fix(10).place(), Some("sos"))
    );
    assert_eq!(newest.derived.motion, Motion::Moving);
    let (merged, counts) = merge([device.stored]);
    assert_eq!((merged.len(), counts.united), (2, 1));
    assert_eq!(merged[1].report.alarm.as_deref(), Some("sos"));
    // Another one of an older instant.
    let mut device = Device::default();
    for second in [0, 10, 20] {
        device.receive(fix(second), START + second * 1000);
    }
    assert_eq!((device.alarms(sos(10), 1), device.alarms(sos(10), 1)), (1, 0));
    assert_eq!(merge([device.stored]).0[1].report, Report { alarm: Some("sos".into()), ..fix(10) });
}

#[test]
fn ignition_that_changes_within_a_second_counts() {
    let off = |second| Report { ignition: Some(false), speed: Some(0), ..fix(second) };
    for (first, then) in [(fix(10), off(10)), (off(10), fix(10))] {
        let mut device = Device::default();
        device.receive(fix(0), START);
        let mut events = device.receive(first, START + 10_000);
        events.extend(device.receive(then, START + 10_000));
        assert_eq!(events.iter().filter(|event| event.kind == EventKind::IgnitionOff).count(), 1);
        assert_eq!(device.state.derived().ignition, Some(false));
        device.receive(Report { ignition: None, speed: None, ..fix(3600) }, START + 3_600_000);
        assert_eq!(device.state.derived().engine_ms, 10_000, "the engine is off");
        assert_eq!(merge([device.stored]).0[1].report.ignition, Some(false));
    }
}

#[test]
fn alarms_are_united_the_most_severe_first() {
    let named = |alarm: &str| Report { alarm: Some(alarm.into()), ..fix(0) };
    let mut united = named("vibration");
    for alarm in ["tamper", "power_cut", "sos", "power_cut", "low_battery, sos"] {
        unite(&mut united, &named(alarm), None);
    }
    assert_eq!(united.alarm.as_deref(), Some("sos,power_cut,low_battery,tamper,vibration"));
    for number in 0..20 {
        unite(&mut united, &named(&format!("a{number}")), None);
    }
    // However trackers spell it.
    unite(&mut united, &named("POWER CUT"), None);
    let kept: Vec<_> = alarms(united.alarm.as_deref().expect("some")).collect();
    assert_eq!(kept[1..3], ["POWER CUT", "power_cut"]);
    let kept: Vec<_> = alarms(united.alarm.as_deref().expect("some")).collect();
    assert_eq!((kept.len(), kept[0]), (MAX_ALARMS, "sos"));
    let shown = Position::late(united).to_track_point();
    assert_eq!(shown.alarm.as_deref(), Some("sos"));
}

#[test]
fn whoever_calls_from_a_garage_is_heard_each_time() {
    let mut device = Device::default();
    device.receive(fix(0), START);
    // The tracker says the time of its last fix.
    let told: Vec<_> = [1, 2, 9, 12, 13, 25].iter().map(|&minute| device.alarms(sos(0), minute)).collect();
    assert_eq!(told, [1, 0, 0, 1, 0, 1]);
    let mut restarted =
        Device { watch: EventWatch::decode(&device.watch.encode()).expect("what was encoded"), ..Device::default() };
    (restarted.state, restarted.newest) = (device.state.clone(), device.newest.clone());
    assert_eq!((restarted.alarms(sos(0), 26), restarted.alarms(sos(0), 36)), (0, 1));
    let again = restarted.receive(sos(0), START + 50 * 60_000);
    assert_eq!((again[0].occurred_at, again[0].key), (START + 50 * 60_000, START + 50 * 60_000));
    assert_eq!(again[0].place, Some(fix(0).place()), "where it was last");
}

#[test]
fn whoever_calls_twice_at_once_is_heard_each_time() {
    let mut device = Device::default();
    device.receive(fix(0), START);
    let cut = |second| Report { alarm: Some("power_cut".into()), valid: false, ..fix(second) };
    assert_eq!((device.alarms(sos(0), 0), device.alarms(cut(10), 0)), (1, 1));
    device.watch = EventWatch::decode(&device.watch.encode()).expect("what was encoded");
    // What has the key of another event is the same one.
    let mut told = BTreeSet::from([START, START + 10_000]);
    let mut new_at = |report: Report, minute: i64| {
        let events = device.receive(report, START + minute * 60_000);
        events.into_iter().filter(|event| told.insert(event.key)).count()
    };
    let again: Vec<_> = [1, 10, 11].iter().map(|&minute| new_at(sos(0), minute)).collect();
    assert_eq!(again, [0, 1, 0]);
    assert_eq!((new_at(cut(10), 5), new_at(cut(10), 12)), (0, 1));
}

#[test]
fn whoever_calls_without_ever_having_seen_the_sky_is_heard() {
    let mut device = Device::default();
    let first = device.receive(sos(0), START);
    assert_eq!((first.len(), first[0].place, first[0].key), (1, None, START));
    assert_eq!((device.alarms(sos(0), 1), device.alarms(sos(60), 1), device.alarms(sos(1200), 20)), (0, 0, 1));
    assert!(device.stored.is_empty());
    // Another call of the same moment, and a late one of another day.
    let mut device = Device::default();
    let cut = Report { alarm: Some("power_cut".into()), ..sos(0) };
    assert_eq!((device.alarms(cut, 0), device.alarms(sos(0), 1), device.alarms(sos(0), 2)), (1, 1, 0));
    let mut device = Device::default();
    for day in [0, 86_400] {
        device.receive(fix(day), START + day * 1000);
        device.receive(fix(day + 10), START + (day + 10) * 1000);
        assert_eq!(device.alarms(sos(day), day / 60 + 1), 1, "of second {day}");
    }
    let Reported { valid, place } = decoded(r#"{"recorded_at":"2026-01-05T00:00:00Z","alarm":"sos"}"#);
    assert_eq!((valid, place), (false, (0, 0)));
    let at_null_island = decoded(r#"{"recorded_at":"2026-01-05T00:00:00Z","lat":0,"lng":0,"alarm":"sos"}"#);
    assert!(!at_null_island.valid);
    let nowhere = decode_message(br#"{"recorded_at":"2026-01-05T00:00:00Z"}"#);
    assert_eq!(nowhere, Err(Reject::Malformed), "it says nothing");
}

struct Reported {
    valid: bool,
    place: (i32, i32),
}

fn decoded(text: &str) -> Reported {
    let report = decode_message(text.as_bytes()).expect("a message").remove(0).expect("a report");
    Reported { valid: report.valid, place: (report.lat, report.lng) }
}
