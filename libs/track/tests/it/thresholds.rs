//! From when on a vehicle moves, has stopped, stands idle, is silent.

use armada_proto::v1::{ThresholdValues, VehicleState};
use armada_track::{
    DeviceState, DeviceThresholds, EventLimits, Outcome, Replacements, Report, SegmentRules, Thresholds,
};

#[test]
fn defaults_match_the_built_in_thresholds() {
    let usual = DeviceThresholds::default();
    let motion = Thresholds {
        moving_speed: 30,
        jitter_dm: 300,
        parked_jitter_dm: 2_000,
        gap_ms: 3_600_000,
        wired: None,
        replaced: Replacements::NONE,
    };
    assert_eq!((usual.motion(), Thresholds::default()), (motion, motion));
    let rules =
        SegmentRules { stop_ms: 300_000, min_trip_ms: 60_000, min_trip_dm: 2_000, gap_ms: 3_600_000, idle_ms: 120_000 };
    assert_eq!((usual.segments(), SegmentRules::default()), (rules, rules));
    assert_eq!(
        EventLimits::default(),
        EventLimits { speed: 0, parking_s: 0, idle_s: 600, offline_s: 600, tow_m: 150, wired: false }
    );
    assert_eq!(usual.offline_ms(), 600_000);
}

#[test]
fn default_thresholds_are_omitted_from_bindings() {
    assert_eq!(DeviceThresholds::of_binding(None), DeviceThresholds::DEFAULT);
    assert_eq!(DeviceThresholds::DEFAULT.to_binding(), None);
    let other = DeviceThresholds { moving_speed: 5, gap_seconds: 7_200, ..DeviceThresholds::DEFAULT };
    let values = other.to_binding().expect("it differs");
    assert_eq!((values.moving_speed, values.gap_seconds, values.offline_seconds), (5, 7_200, 600));
    assert_eq!(DeviceThresholds::of_binding(Some(values)), other);
    // A binding that is older than these two.
    let older = ThresholdValues { tow_distance: 0, ignition_wire: 0, ..values };
    assert_eq!(DeviceThresholds::of_binding(Some(older)), other);
    // Whatever a binding holds.
    let wild = ThresholdValues { moving_speed: u32::MAX, gap_seconds: u32::MAX, ..values };
    let _ = DeviceThresholds::of_binding(Some(wild)).motion();
}

#[test]
fn a_vehicle_is_offline_after_its_own_time() {
    let report = Report { speed: Some(400), ..Report::new(1_790_000_000_000, 1, 2) };
    let Outcome::Live(position) = DeviceState::default().advance(report, &Thresholds::default()) else {
        panic!("not live")
    };
    let state_after = |ms: i64, offline_ms: i64| position.vehicle_state(1_790_000_000_000 + ms, offline_ms, false);
    assert_eq!(state_after(600_000, 600_000), VehicleState::Moving);
    assert_eq!(state_after(600_001, 600_000), VehicleState::Offline);
    assert_eq!(state_after(600_001, 1_200_000), VehicleState::Moving);
    assert_eq!(state_after(60_001, 60_000), VehicleState::Offline);
}

#[test]
fn active_alarm_outranks_offline() {
    let report = Report { speed: Some(400), alarm: Some("sos".into()), ..Report::new(1_790_000_000_000, 1, 2) };
    let Outcome::Live(position) = DeviceState::default().advance(report, &Thresholds::default()) else {
        panic!("not live")
    };
    let state_after = |ms: i64, stands: bool| position.vehicle_state(1_790_000_000_000 + ms, 600_000, stands);
    assert_eq!([0, 600_001].map(|ms| state_after(ms, true)), [VehicleState::Alarm; 2]);
    // Somebody has acknowledged what the newest fix still says.
    assert_eq!([0, 600_001].map(|ms| state_after(ms, false)), [VehicleState::Moving, VehicleState::Offline]);
}
