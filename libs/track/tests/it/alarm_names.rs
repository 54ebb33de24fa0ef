//! What alarms are called, and what each name is.

use std::fmt::Write as _;

use armada_proto::v1::AlarmSeverity;
use armada_track::{
    DeviceState, EventWatch, KNOWN_ALARMS, KnownAlarm, NO_ALARM, Outcome, Report, Thresholds, alarm_severity,
};

/// The kinds of what an alarm of this name tells.
fn told(alarm: &str) -> Vec<String> {
    let report = Report { alarm: Some(alarm.into()), ..Report::new(1_790_000_000_000, 1, 1) };
    let Outcome::Live(position) = DeviceState::default().advance(report, &Thresholds::default()) else {
        panic!("it is the first one")
    };
    let (mut events, at) = (Vec::new(), position.recorded_at());
    EventWatch::default().observe(&position, at, Default::default(), &mut events);
    events.iter().map(|event| event.kind.name().into_owned()).collect()
}

#[test]
fn each_name_is_told_as_the_event_of_the_table() {
    for known in KNOWN_ALARMS {
        for name in known.names {
            for name in [(*name).to_owned(), name.to_lowercase(), name.to_uppercase(), format!("{name} Alarm")] {
                assert_eq!(told(&name), [known.kind], "{name}");
            }
        }
        assert_eq!(alarm_severity(known.kind), known.severity, "{}", known.kind);
    }
}

#[test]
fn no_name_stands_for_two_alarms() {
    let mut names: Vec<_> = KNOWN_ALARMS.iter().flat_map(|known| known.names).chain(NO_ALARM).collect();
    let all = names.len();
    names.sort_by_key(|name| name.to_lowercase());
    names.dedup_by_key(|name| name.to_lowercase());
    assert_eq!(names.len(), all);
}

#[test]
fn names_that_say_none_tell_nothing() {
    for name in NO_ALARM.iter().copied().chain(["Normal", "NO_ALARM", "no alarm", "normal,0", ""]) {
        assert_eq!(told(name), [""; 0], "{name}");
    }
    assert_eq!(told("normal,powerCut,0"), ["device.power_cut"]);
}

#[test]
fn names_of_protocols_are_known() {
    for (name, kind) in [
        ("powerCut", "device.power_cut"),
        ("Power Cut", "device.power_cut"),
        ("tow", "vehicle.towing"),
        ("crash", "alarm.accident"),
        ("hardBraking", "vehicle.harsh_braking"),
        ("jamming", "alarm.jamming"),
        ("help me", "alarm.sos"),
        ("low battery", "device.low_battery"),
    ] {
        assert_eq!(told(name), [kind], "{name}");
    }
    // Others are told as they are, as warnings.
    assert_eq!(told("powerCut,main_power_off,Kabin 3"), ["device.power_cut", "alarm.kabin_3"]);
    assert_eq!(alarm_severity("alarm.kabin_3"), Some(AlarmSeverity::Warning));
    assert_eq!((alarm_severity("vehicle.overspeed"), alarm_severity("document.expired")), (None, None));
}

#[test]
fn gateways_md_has_the_table() {
    let page = std::fs::read_to_string("../../docs/GATEWAYS.md").expect("the page");
    let mut table = String::from("| event | raises | names |\n|---|---|---|\n");
    let names = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    writeln!(table, "| none | | {} |", names(NO_ALARM)).expect("text");
    for known in KNOWN_ALARMS {
        let severity = match known.severity {
            Some(AlarmSeverity::Critical) => "`critical`",
            Some(_) => "`warning`",
            None => "no alarm",
        };
        writeln!(table, "| `{}` | {severity} | {} |", known.kind, names(known.names)).expect("text");
    }
    assert!(page.contains(&table), "docs/GATEWAYS.md has another table of names than this:\n{table}");
}

#[test]
fn the_console_knows_each_of_them() {
    let read = |path: &str| std::fs::read_to_string(format!("../../{path}")).expect("a file");
    let kinds = read("web-console/src/components/events/eventKinds.ts");
    let words: serde_json::Value = serde_json::from_str(&read("web-console/src/locales/id/common.json")).expect("JSON");
    for KnownAlarm { kind, severity, .. } in KNOWN_ALARMS {
        let (module, name) = kind.split_once('.').expect("a module");
        let tone = match severity {
            Some(AlarmSeverity::Critical) => "critical",
            Some(_) => "warning",
            None => "neutral",
        };
        if module == "alarm" {
            assert!(kinds.contains(&format!("    {name}: '{tone}',\n")), "eventKinds.ts: {name} is {tone}");
            assert!(words["alarm"][name].is_string(), "common.json has no word for {name}");
        } else {
            assert!(kinds.contains(&format!("'{kind}'")), "eventKinds.ts: trackers raise {kind}");
        }
    }
}
