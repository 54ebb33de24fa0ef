//! Positions as rows, and the sample of them that the console reads.

use std::fs;

use armada_bff::rules::live::{CHARGE_KNOWN, CHARGING, IGNITION_KNOWN, IGNITION_ON, LITRES, TODAY, VALID, push};
use armada_proto::{
    Timestamp,
    v1::{DayActivity, LastPosition, LiveCatalogue, LiveColumns, LivePositions, Motion},
};
use prost::Message;

/// What the console's decoder is tested with, in `web-console/src/live/worker/columns.test.ts`.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web-console/src/live/worker/columns.sample.bin");

/// A day in Jakarta, so far.
fn today() -> DayActivity {
    DayActivity {
        from: Some(Timestamp::from_millis(1_699_981_200_000)),
        until: Some(Timestamp::from_millis(1_700_067_600_000)),
        distance: 42_195.4,
        engine_seconds: Some(5_400.4),
        moving_seconds: 3_600.0,
        idle_seconds: 1_800.6,
        parked_seconds: 13_400.0,
    }
}

fn sample() -> LiveColumns {
    let at = |millis: i64| Some(Timestamp::from_millis(millis));
    let driving = LastPosition {
        recorded_at: at(1_700_000_000_250),
        lat: -6.175_392_4,
        lng: 106.827_153,
        speed: Some(42.35),
        course: Some(270.04),
        sat: Some(11),
        valid: true,
        ignition: Some(true),
        fuel_liter: Some(142.26),
        fuel_percent: Some(71.0),
        odometer: Some(123_456.7),
        motion: Motion::Moving.into(),
        motion_since: at(1_699_999_940_250),
        today: Some(today()),
        ..LastPosition::default()
    };
    let parked = LastPosition {
        recorded_at: at(1_699_999_000_000),
        lat: 3.595_196,
        lng: -98.672_223,
        ignition: Some(false),
        charge: Some(true),
        batt_percent: Some(87.0),
        gsm_signal: Some(60.0),
        fuel_liter: Some(66.8),
        fuel_percent: Some(33.4),
        alarm: Some("sos".to_owned()),
        motion: Motion::Parked.into(),
        today: Some(today()),
        ..LastPosition::default()
    };
    let (mut positions, mut time) = (LivePositions::default(), 0);
    push(&mut positions, 1, &driving, &mut time, true);
    push(&mut positions, 300, &parked, &mut time, false);
    let id = |last: u8| [0x01, 0x8f, 0x2a, 0x3b, 0x4c, 0x5d, 0x7e, 0x6f, 0x80, 0, 0, 0, 0, 0, 0, last].to_vec();
    let catalogue = LiveCatalogue {
        reset: true,
        complete: true,
        index: vec![1, 300],
        device_id: vec![id(1), id(2)],
        imei: vec![490_154_203_237_518, u64::MAX],
        name: vec!["Truk Semarang".to_owned(), "雅加达 7".to_owned()],
        vehicle_code: vec!["B 1234 XY".to_owned(), String::new()],
        driver: vec![String::new(), "Siti".to_owned()],
        icon_type: vec![4, 0],
        tenant_id: vec![],
        gone: vec![7],
        inactive: vec![300],
        aged: vec![],
        stale_seconds: vec![],
        offline_seconds: vec![],
        alarmed: vec![300, 300],
        alarm_kind: vec!["alarm.sos".to_owned(), "alarm.door".to_owned()],
        alarm_since: vec![1_699_998_000_000, 1_699_997_000_000],
        id: vec!["TK103-12345678".to_owned()],
    };
    LiveColumns { sequence: 3, catalogue: Some(catalogue), positions: Some(positions), more: false }
}

/// With `ARMADA_WRITE_SAMPLES` the sample is written anew.
#[test]
fn the_sample_of_the_console_is_fresh() {
    let bytes = sample().encode_to_vec();
    if std::env::var_os("ARMADA_WRITE_SAMPLES").is_some() {
        fs::write(SAMPLE, &bytes).expect("the sample is written");
    }
    let written = fs::read(SAMPLE).expect("the sample is there");
    assert!(written == bytes, "stale: run this test with ARMADA_WRITE_SAMPLES=1");
}

#[test]
fn omits_unknown_columns() {
    let columns = sample().positions.expect("it has positions");
    assert_eq!(columns.recorded_at, [1_700_000_000_250, -1_000_250]);
    assert_eq!(columns.speed, [424]);
    assert_eq!(columns.motion_since, [60]);
    assert_eq!(
        (&columns.today_distance, &columns.today_engine, &columns.today_idle),
        (&vec![42_195], &vec![5_400], &vec![1_801])
    );
    assert_eq!((&columns.fuel_percent, &columns.fuel_liter), (&vec![71, 33], &vec![1_423]));
    assert_eq!(
        columns.present.iter().map(|present| present & (TODAY | LITRES)).collect::<Vec<_>>(),
        [TODAY | LITRES, 0],
        "of one that is named"
    );
    assert_eq!(columns.present[0] & 0xff, 1 | VALID | IGNITION_KNOWN | IGNITION_ON);
    assert_eq!(columns.present[1] & 0xff, 3 | IGNITION_KNOWN | CHARGE_KNOWN | CHARGING);
}
