//! Recorded traces: generated ones with the dirt of real ones, and what must be in history after one was replayed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{Read, Write},
    path::Path,
};

use armada_proto::Timestamp;
use armada_track::{Report, imei_of_name, validate};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};

const HEADER: &str = "device,recorded_at,lat,lng,speed_kmh,course,extra";
/// 2024-05-01 00:00 UTC.
const BEGIN: i64 = 1_714_521_600_000;

/// For each device the instants that history must have, each with the places that rows of the trace name for it: when
/// there are several, the first one stored wins, and which one that is the order of arrival decides.
pub type Expected = BTreeMap<String, Track>;
/// The instants of one device, in milliseconds since 1970.
pub type Track = BTreeMap<i64, BTreeSet<(i32, i32)>>;

/// Deterministic numbers (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// Writes a trace of `devices` vehicles with a fix per `step_ms` for `steps` steps. With `dirt`, some rows come twice,
/// late, from null island or the future, contradict an earlier one, or do not parse.
pub fn generate(file: &Path, seed: u64, devices: u64, steps: u64, step_ms: i64, dirt: bool) {
    let mut numbers = Numbers(seed);
    let mut places: Vec<(i64, i64)> =
        (0..devices).map(|d| (-62_000_000 + d as i64 * 10_000, 1_068_000_000 + d as i64 * 10_000)).collect();
    let mut rows = Vec::new();
    for step in 0..steps {
        for device in 0..devices {
            let place = &mut places[device as usize];
            place.0 += numbers.below(4_000) as i64 - 1_500;
            place.1 += numbers.below(4_000) as i64 - 1_500;
            let at = BEGIN + step as i64 * step_ms + device as i64;
            rows.push(row(device, at, *place, numbers.below(900) as f64 / 10.0));
            if dirt {
                let place = *place;
                match numbers.below(100) {
                    0..3 => {
                        rows.push(rows[rows.len() - 1 - numbers.below(rows.len().min(200) as u64) as usize].clone())
                    }
                    3 => rows.push(row(device, at + 1, (0, 0), 0.0)),
                    4 => rows.push(row(device, 4_070_908_800_000, place, 1.0)),
                    5 => rows.push(row(device, at, (place.0 + 777, place.1), 2.0)),
                    6 => rows.push(format!("bus-{device},yesterday,1,1,,,{{}}")),
                    7..12 => {
                        let earlier = rows.len() - 1 - numbers.below(rows.len().min(400) as u64) as usize;
                        let last = rows.len() - 1;
                        rows.swap(earlier, last);
                    }
                    _ => {}
                }
            }
        }
    }
    let mut zipped = GzEncoder::new(File::create(file).expect("a file"), Compression::fast());
    writeln!(zipped, "{HEADER}\n{}", rows.join("\n")).expect("it can be written");
    zipped.finish().expect("it can be written");
}

fn row(device: u64, at: i64, (lat, lng): (i64, i64), speed: f64) -> String {
    let (at, lat, lng) = (Timestamp::from_millis(at).to_rfc3339(), lat as f64 / 1e7, lng as f64 / 1e7);
    format!("bus-{device},{at},{lat},{lng},{speed},,{{}}")
}

/// What history must have, read from the file by other code than the program's, save for the rules of validity.
pub fn expected(file: &Path) -> Expected {
    let mut text = String::new();
    GzDecoder::new(File::open(file).expect("the trace")).read_to_string(&mut text).expect("it can be read");
    let mut expected = Expected::new();
    for line in text.lines().skip(1) {
        let mut fields = line.splitn(5, ',');
        let mut next = || fields.next().unwrap_or_default();
        let (name, at, lat, lng) = (next(), next(), next(), next());
        let Some(at) = Timestamp::parse_rfc3339(at) else { continue };
        let (Ok(lat), Ok(lng)) = (lat.parse::<f64>(), lng.parse::<f64>()) else { continue };
        let (lat, lng) = ((lat * 1e7).round() as i32, (lng * 1e7).round() as i32);
        if validate(&Report::new(at.millis(), lat, lng), Timestamp::now().millis()).is_ok() {
            let places = expected.entry(imei_of_name(name).to_string()).or_default().entry(at.millis()).or_default();
            places.insert((lat, lng));
        }
    }
    expected
}

/// Distinct fixes of all devices.
pub fn fixes(expected: &Expected) -> usize {
    expected.values().map(BTreeMap::len).sum()
}

/// The recorded bus trace, if this machine has it.
pub fn recorded_buses() -> Option<std::path::PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = repository.join("../shared/data/capmetro_austin_bus/norm.csv.gz");
    if !file.is_file() {
        eprintln!("skipped: there is no {}", file.display());
        return None;
    }
    Some(file)
}
