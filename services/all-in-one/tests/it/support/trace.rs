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
use serde_json::Value;

const HEADER: &str = "device,recorded_at,lat,lng,speed_kmh,course,extra";
/// 2024-05-01 00:00 UTC.
const BEGIN: i64 = 1_714_521_600_000;
const DAY_MS: i64 = 24 * 3600 * 1000;

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

/// What a vehicle is at, for some steps: whether its ignition is on, and how fast it goes at least and at most, 0.1 km/h.
const DRIVES: (bool, u64, u64) = (true, 0, 900);
const ACTIVITIES: [(bool, u64, u64); 5] =
    [DRIVES, (true, 0, 0), (false, 0, 0), (false, 100, 300), (true, 1_200, 1_300)];
/// Steps of one of them, at least, and below.
const ACTIVITY_STEPS: (u64, u64) = (40, 90);
const ALARMS: [&str; 3] = ["sos", "door", "power_cut"];

/// Writes a trace of `devices` vehicles with a fix per `step_ms` for `steps` steps. They drive, which goes harshly, stand with
/// the ignition on and off, are towed, go too fast, and raise alarms. With `dirt`, some rows come twice, late, a day late, from
/// null island or the future, contradict an earlier one, or do not parse.
pub fn generate(file: &Path, seed: u64, devices: u64, steps: u64, step_ms: i64, dirt: bool) {
    let mut numbers = Numbers(seed);
    let mut vehicles: Vec<Vehicle> = (0..devices).map(Vehicle::new).collect();
    let mut rows = Vec::new();
    for step in 0..steps {
        for device in 0..devices {
            let vehicle = &mut vehicles[device as usize];
            let at = BEGIN + step as i64 * step_ms + device as i64;
            rows.push(vehicle.step(&mut numbers, at));
            if dirt {
                let place = vehicle.place;
                match numbers.below(100) {
                    0..3 => {
                        rows.push(rows[rows.len() - 1 - numbers.below(rows.len().min(200) as u64) as usize].clone())
                    }
                    3 => rows.push(row(device, at + 1, (0, 0), 0.0, "{}")),
                    4 => rows.push(row(device, 4_070_908_800_000, place, 1.0, "{}")),
                    5 => rows.push(row(device, at, (place.0 + 777, place.1), 2.0, "{}")),
                    6 => rows.push(format!("bus-{device},yesterday,1,1,,,{{}}")),
                    7..12 => {
                        let earlier = rows.len() - 1 - numbers.below(rows.len().min(400) as u64) as usize;
                        let last = rows.len() - 1;
                        rows.swap(earlier, last);
                    }
                    12 => rows.push(row(device, at - DAY_MS, place, 3.0, "{}")),
                    _ => {}
                }
            }
        }
    }
    write(file, &rows);
}

/// Writes rows as a trace.
fn write(file: &Path, rows: &[String]) {
    let mut zipped = GzEncoder::new(File::create(file).expect("a file"), Compression::fast());
    writeln!(zipped, "{HEADER}\n{}", rows.join("\n")).expect("it can be written");
    zipped.finish().expect("it can be written");
}

/// A vehicle of a trace.
struct Vehicle {
    number: u64,
    place: (i64, i64),
    does: (bool, u64, u64),
    steps_left: u64,
    raised: bool,
}

impl Vehicle {
    /// All of them drive at first, for as long as it may take until everybody knows how fast they may go.
    fn new(number: u64) -> Self {
        let place = (-62_000_000 + number as i64 * 10_000, 1_068_000_000 + number as i64 * 10_000);
        Self { number, place, does: DRIVES, steps_left: ACTIVITY_STEPS.0, raised: false }
    }

    /// Its next fix.
    fn step(&mut self, numbers: &mut Numbers, at: i64) -> String {
        if self.steps_left == 0 {
            self.does = ACTIVITIES[numbers.below(ACTIVITIES.len() as u64) as usize];
            self.steps_left = ACTIVITY_STEPS.0 + numbers.below(ACTIVITY_STEPS.1 - ACTIVITY_STEPS.0);
        }
        self.steps_left -= 1;
        let (ignition, slowest, fastest) = self.does;
        if fastest > 0 {
            self.place.0 += numbers.below(4_000) as i64 - 1_500;
            self.place.1 += numbers.below(4_000) as i64 - 1_500;
        }
        let speed = slowest + numbers.below(fastest - slowest + 1);
        // Never in two fixes that follow each other: they would be one alarm, unless one of them comes again by itself.
        self.raised = !self.raised && numbers.below(50) == 0;
        let alarm = if self.raised { ALARMS[numbers.below(ALARMS.len() as u64) as usize] } else { "" };
        let extra = format!(r#""{{""ignition"":{ignition},""alarm"":""{alarm}""}}""#);
        row(self.number, at, self.place, speed as f64 / 10.0, &extra)
    }
}

/// A row, whose last field stands as it is in the file.
fn row(device: u64, at: i64, (lat, lng): (i64, i64), speed: f64, extra: &str) -> String {
    let (at, lat, lng) = (Timestamp::from_millis(at).to_rfc3339(), lat as f64 / 1e7, lng as f64 / 1e7);
    format!("bus-{device},{at},{lat},{lng},{speed},,{extra}")
}

/// The valid fixes of a trace with their IMEIs, in the order of the file, which is read by other code than the program's, save
/// for the rules of validity.
pub fn reports(file: &Path) -> Vec<(String, Report)> {
    let mut text = String::new();
    GzDecoder::new(File::open(file).expect("the trace")).read_to_string(&mut text).expect("it can be read");
    let now = Timestamp::now().millis();
    let valid = text.lines().skip(1).filter_map(report).filter(|(_, report)| validate(report, now).is_ok());
    valid.collect()
}

fn report(line: &str) -> Option<(String, Report)> {
    let mut fields = line.splitn(7, ',');
    let mut next = || fields.next().unwrap_or_default();
    let (name, at, lat, lng, speed, _, extra) = (next(), next(), next(), next(), next(), next(), next());
    let degrees = |text: &str| Some((text.parse::<f64>().ok()? * 1e7).round() as i32);
    let mut report = Report::new(Timestamp::parse_rfc3339(at)?.millis(), degrees(lat)?, degrees(lng)?);
    report.speed = speed.parse::<f64>().ok().map(|speed| (speed * 10.0).round() as u32);
    let extra: Value = serde_json::from_str(&extra.trim_matches('"').replace("\"\"", "\"")).unwrap_or_default();
    report.ignition = extra["ignition"].as_bool();
    report.alarm = extra["alarm"].as_str().filter(|alarm| !alarm.is_empty()).map(Into::into);
    Some((imei_of_name(name).to_string(), report))
}

/// What history must have.
pub fn expected(file: &Path) -> Expected {
    let mut expected = Expected::new();
    for (imei, report) in reports(file) {
        let places = expected.entry(imei).or_default().entry(report.recorded_at).or_default();
        places.insert((report.lat, report.lng));
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
