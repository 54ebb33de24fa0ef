//! What property tests draw from, and what they do to bytes.

pub mod journey;
pub mod recorded;

use armada_track::{Derived, FixMark, Imei, LeftOut, Motion, Position, Report, Text, TrackerId, wire::checksum};
use proptest::{collection::vec, option, prelude::*};

/// Where the part of a block and of a hot frame begins that is under the checksum: behind the codec and that.
pub const CHECKED: usize = 5;

fn text() -> impl Strategy<Value = Option<Text>> {
    prop_oneof![
        4 => Just(None),
        1 => prop::sample::select(vec!["sos", "power_cut", "overspeed", r#"{"io":[1,2]}"#, r#"{"engine_hours":12.5}"#, "ä→𝄞"])
            .prop_map(|text| Some(text.into())),
    ]
}

/// An IMEI, or another identifier.
pub fn any_tracker_id() -> impl Strategy<Value = TrackerId> {
    let named = "[A-Za-z0-9_-]{4,32}".prop_filter_map("reserved", |text| text.parse().ok());
    let imei = (0..1_000_000_000_000_000_u64).prop_map(|number| Imei::new(number).expect("fifteen digits").into());
    prop_oneof![imei, named]
}

/// Any report that the types allow.
pub fn any_report() -> impl Strategy<Value = Report> {
    let place = (any::<i64>(), any::<i32>(), any::<i32>());
    let drive =
        (any::<Option<u32>>(), any::<Option<u32>>(), any::<Option<i32>>(), any::<Option<u32>>(), any::<Option<u64>>());
    let levels = (any::<Option<u32>>(), any::<Option<u8>>(), any::<Option<u8>>(), any::<Option<u8>>());
    let switches = (any::<bool>(), any::<Option<bool>>(), any::<Option<bool>>());
    (place, drive, levels, switches, text(), text()).prop_map(|(place, drive, levels, switches, alarm, attrs)| Report {
        recorded_at: place.0,
        lat: place.1,
        lng: place.2,
        speed: drive.0,
        course: drive.1,
        alt: drive.2,
        sat: drive.3,
        odometer: drive.4,
        fuel_liter: levels.0,
        fuel_percent: levels.1,
        batt_percent: levels.2,
        gsm_signal: levels.3,
        valid: switches.0,
        ignition: switches.1,
        charge: switches.2,
        alarm,
        attrs,
        clock_corrected: false,
        left_out: LeftOut::NOTHING,
    })
}

/// The same with values that can be, none of which trackers send for "unknown".
pub fn in_range(report: Report) -> Report {
    let percent = |percent: Option<u8>| percent.map(|percent| percent % 101);
    let attrs = report.attrs.filter(|attrs| attrs.starts_with('{'));
    let (lat, lng) = (report.lat % 900_000_001, report.lng % 1_800_000_001);
    Report {
        lat,
        lng,
        speed: report.speed.map(|speed| speed % 10_001),
        course: report.course.map(|course| course % 3_600),
        alt: report.alt.map(|alt| alt % 300_001),
        sat: report.sat.map(|sat| sat % 100),
        odometer: report.odometer.map(|odometer| odometer % 4_000_000_001),
        fuel_liter: report.fuel_liter.map(|fuel| fuel % 60_001),
        fuel_percent: percent(report.fuel_percent),
        batt_percent: percent(report.batt_percent),
        gsm_signal: percent(report.gsm_signal),
        valid: report.valid && (report.alarm.is_none() || (lat, lng) != (0, 0)),
        attrs,
        ..report
    }
}

fn any_derived() -> impl Strategy<Value = Derived> {
    let motion = prop::sample::select(vec![Motion::Unspecified, Motion::Moving, Motion::Idle, Motion::Parked]);
    (motion, any::<i64>(), any::<[u64; 6]>(), any::<Option<bool>>(), any::<bool>()).prop_map(
        |(motion, motion_since, counters, ignition, anchor)| Derived {
            motion,
            motion_since,
            distance_dm: counters[0],
            odometer_dm: counters[1],
            engine_ms: counters[2],
            moving_ms: counters[3],
            idle_ms: counters[4],
            parked_ms: counters[5],
            ignition,
            anchor,
        },
    )
}

/// Any position that the types allow.
pub fn any_position() -> impl Strategy<Value = Position> {
    let mark = prop::sample::select(vec![
        FixMark::Unspecified,
        FixMark::Jump,
        FixMark::FewSatellites,
        FixMark::Stuck,
        FixMark::Clock,
        FixMark::CellTower,
    ]);
    (any_report(), any_derived(), mark, any::<bool>(), any::<bool>()).prop_map(
        |(report, derived, mark, late, present)| Position {
            report,
            derived: if present { derived } else { Derived::default() },
            mark,
            late,
        },
    )
}

/// Reports of one device about as they arrive: some late, repeated, contradictory or invalid, with gaps.
pub fn arrivals() -> impl Strategy<Value = Vec<Report>> {
    let step = prop_oneof![6 => Just(1_i64), 2 => 2..9_i64, 1 => -9..0_i64, 1 => Just(0_i64), 1 => 3_000..9_000_i64];
    let drift = prop_oneof![3 => -200..200_i32, 2 => -4_000..4_000_i32, 1 => -3_000_000..3_000_000_i32];
    let place = (step, drift.clone(), drift);
    let reported = (
        option::of(0..900_u32),
        option::of(0..90_000_u64),
        option::of(any::<bool>()),
        prop::bool::weighted(0.9),
        option::of(2..12_u32),
    );
    vec((place, reported, text(), prop::bool::weighted(0.1)), 0..80).prop_map(|steps| {
        let (mut at, mut lat, mut lng) = (1_700_000_000_000, -62_000_000, 1_068_000_000);
        let mut reports: Vec<Report> = Vec::new();
        for ((seconds, north, east), (speed, odometer, ignition, valid, sat), alarm, repeat) in steps {
            if let (true, Some(last)) = (repeat, reports.last()) {
                reports.push(last.clone());
                continue;
            }
            (at, lat, lng) = (at + seconds * 1_000, lat + north, lng + east);
            let place = if valid { (lat, lng) } else { (0, 0) };
            reports.push(Report { speed, odometer, ignition, valid, sat, alarm, ..Report::new(at, place.0, place.1) });
        }
        reports
    })
}

/// A block or a hot frame with some bytes replaced by others and a checksum that is right for them: damage that only the
/// readers of its parts can notice.
pub fn damaged(sealed: Vec<u8>, hits: Vec<(prop::sample::Index, u8)>) -> Vec<u8> {
    let mut bytes = sealed.clone();
    seal(&mut bytes);
    assert_eq!(bytes, sealed, "the checksum is where it is looked for");
    for (at, byte) in hits {
        let at = CHECKED + at.index(bytes.len() - CHECKED);
        bytes[at] = byte;
    }
    seal(&mut bytes);
    bytes
}

fn seal(bytes: &mut [u8]) {
    let sum = checksum(&bytes[CHECKED..]);
    bytes[1..CHECKED].copy_from_slice(&sum.to_le_bytes());
}
