//! A track as columns, and the sample of one that the console reads.

use std::fs;

use armada_proto::v1::{Motion, TrackColumns};
use armada_track::{Derived, FixMark, Position, Report, TrackColumnWriter};
use prost::Message;

/// What the console's decoder is tested with, in `web-console/src/features/playback/track/decodeTrack.test.ts`.
const SAMPLE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../web-console/src/features/playback/track/track.sample.bin");

fn positions() -> [Position; 4] {
    let derived = |motion, ignition| Derived { motion, ignition, motion_since: 1, ..Derived::default() };
    let driving = Report {
        speed: Some(424),
        course: Some(2_700),
        fuel_liter: Some(405),
        ignition: Some(true),
        ..Report::new(1_700_000_000_250, -61_753_924, 1_068_271_530)
    };
    let alarm = Report {
        valid: false,
        fuel_percent: Some(81),
        alarm: Some("sos".into()),
        ..Report::new(1_700_000_010_000, -61_754_000, 1_068_270_000)
    };
    let parked =
        Report { speed: Some(0), batt_percent: Some(55), ..Report::new(1_700_007_000_000, 35_951_960, -986_722_230) };
    let jumped = Report::new(1_700_007_010_000, 45_951_960, -986_722_230);
    let live = |report, derived| Position { report, derived, mark: FixMark::Unspecified, late: false };
    [
        live(driving, derived(Motion::Moving, Some(true))),
        live(alarm, derived(Motion::Idle, Some(true))),
        live(parked, derived(Motion::Parked, Some(false))),
        Position { mark: FixMark::Jump, ..live(jumped, derived(Motion::Parked, Some(false))) },
    ]
}

/// In two pieces.
fn sample() -> Vec<u8> {
    let (mut writer, positions) = (TrackColumnWriter::default(), positions());
    let pieces = [writer.positions(&positions[..2]), writer.positions(&positions[2..]), TrackColumnWriter::end()];
    pieces.concat()
}

/// With `ARMADA_WRITE_SAMPLES` the sample is written anew.
#[test]
fn the_sample_of_the_console_is_fresh() {
    let bytes = sample();
    if std::env::var_os("ARMADA_WRITE_SAMPLES").is_some() {
        fs::write(SAMPLE, &bytes).expect("the sample is written");
    }
    let written = fs::read(SAMPLE).expect("the sample is there");
    assert!(written == bytes, "stale: run this test with ARMADA_WRITE_SAMPLES=1");
}

#[test]
fn pieces_are_one_message() {
    let columns = TrackColumns::decode(sample().as_slice()).expect("it is one");
    assert_eq!(columns.recorded_at, [1_700_000_000_250, 9_750, 6_990_000, 10_000]);
    assert_eq!(columns.lat, [-61_753_924, -76, 97_705_960, 10_000_000]);
    assert_eq!((columns.speed, columns.course, columns.alarm), (vec![424, 0], vec![2_700], vec!["sos".to_owned()]));
    assert_eq!((columns.fuel_liter, columns.fuel_percent, columns.batt_percent), (vec![405], vec![81], vec![55]));
    assert_eq!(
        columns.present.iter().map(|present| present & 0xff).collect::<Vec<_>>(),
        [1 | 4 | 8 | 16, 2 | 8 | 16, 3 | 4 | 8, 3 | 4 | 8]
    );
    assert_eq!(columns.present.iter().map(|present| present >> 14).collect::<Vec<_>>(), [0, 0, 0, 1]);
    assert!(columns.complete);
}
