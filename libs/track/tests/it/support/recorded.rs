//! The recorded traces beside the repository, when they are there.
#![allow(dead_code, reason = "the benchmark of the codecs takes this file in, and looks at less")]

use std::{collections::BTreeMap, fs::File, path::Path};

use armada_proto::{DeviceId, Timestamp};
use armada_track::{DeviceState, MergeCounts, Outcome, Position, Report, Thresholds, validate};
use flate2::read::GzDecoder;
use uuid::Uuid;

/// Every folder of trajectories.
pub const TRACES: [&str; 8] = [
    "capmetro_austin_bus",
    "nds_blackbox_obd",
    "twizy_rabat_ev",
    "jerseycity_garbage",
    "roma_taxi",
    "liverpool_bus",
    "openxc_ford",
    "comma2k19_10hz",
];

/// The rows of a trace in arrival order: name of the vehicle and what it reported. `None` if the data is absent.
pub fn reports(trace: &str) -> Option<Vec<(String, Report)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(trace);
    let file = File::open(folder.join("norm.csv.gz")).ok()?;
    let mut reader = csv::Reader::from_reader(GzDecoder::new(file));
    let row = |row: csv::StringRecord| {
        let number = |at: usize| row.get(at).and_then(|text| text.parse::<f64>().ok());
        let extra: serde_json::Value = row.get(6).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let recorded_at = row.get(1).and_then(Timestamp::parse_rfc3339).expect("an instant").millis();
        let degrees = |at| (number(at).expect("a place") * 1e7).round() as i32;
        let report = Report {
            speed: number(4).map(|speed| (speed * 10.0).round() as u32),
            course: number(5).map(|course| (course * 10.0).round() as u32 % 3_600),
            alt: extra["alt_m"].as_f64().map(|alt| (alt * 10.0).round() as i32),
            sat: extra["sats"].as_f64().map(|sat| sat as u32),
            ..Report::new(recorded_at, degrees(2), degrees(3))
        };
        (row.get(0).unwrap_or_default().to_owned(), report)
    };
    Some(reader.records().map(|record| row(record.expect("a row"))).collect())
}

/// What ingest makes of a trace: the stored positions in arrival order, and what was dropped.
#[derive(Default)]
pub struct Fleet {
    pub stored: Vec<(DeviceId, Position)>,
    pub counts: MergeCounts,
    pub refused: usize,
}

pub fn ingest(reports: Vec<(String, Report)>) -> Fleet {
    let mut states: BTreeMap<String, (DeviceId, DeviceState, Option<Position>)> = BTreeMap::new();
    let mut fleet = Fleet::default();
    for (name, report) in reports {
        if validate(&report, i64::MAX).is_err() {
            fleet.refused += 1;
            continue;
        }
        // Ids as they come into being over the years: some bytes alike, most random.
        let number = states.len() as u128 + 1;
        let new = || {
            (
                DeviceId(Uuid::from_u128((0x0190_0000_0000_7000_8000 << 48) ^ (number * 0x9e37_79b9_7f4a_7c15_f39c))),
                DeviceState::default(),
                None,
            )
        };
        let (device, state, newest) = states.entry(name).or_insert_with(new);
        let received_at = report.recorded_at;
        match state.receive(report, received_at, newest.as_ref(), &Thresholds::default()) {
            Outcome::Live(position) => {
                *newest = Some(position.clone());
                fleet.stored.push((*device, position));
            }
            Outcome::Late(position) => fleet.stored.push((*device, position)),
            Outcome::Repeat => fleet.counts.repeats += 1,
            Outcome::Refused(_) => fleet.refused += 1,
        }
    }
    fleet
}

impl Fleet {
    /// The positions of each device in arrival order.
    pub fn by_device(&self) -> Vec<Vec<Position>> {
        let mut devices: BTreeMap<DeviceId, Vec<Position>> = BTreeMap::new();
        for (device, position) in &self.stored {
            devices.entry(*device).or_default().push(position.clone());
        }
        devices.into_values().collect()
    }
}
