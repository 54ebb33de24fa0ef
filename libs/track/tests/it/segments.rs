//! Trips and stops of a sequence of fixes.

use armada_track::{
    CodecError, DeviceState, Motion, Outcome, Position, Report, Segment, SegmentKind, SegmentRules, Segmenter,
    Thresholds, TripCounter,
};
use proptest::{collection::vec, prelude::*};

const START: i64 = 1_790_000_000_000;
/// At the equator, in 1e-7 degrees of longitude: 90 units are a metre (89.93).
const METRE: f64 = 1e7 / 111_195.08;

/// A vehicle that sends a fix every ten seconds.
#[derive(Clone, Debug, Default)]
struct Drive {
    state: DeviceState,
    second: i64,
    metres: f64,
    positions: Vec<Position>,
}

impl Drive {
    fn fix(&mut self, speed: u32, ignition: bool) {
        let report = Report {
            speed: Some(speed * 10),
            ignition: Some(ignition),
            ..Report::new(START + self.second * 1000, 0, 1_000_000 + (self.metres * METRE).round() as i32)
        };
        let Outcome::Live(position) = self.state.advance(report, &Thresholds::default()) else { panic!("not live") };
        self.positions.push(position);
    }

    /// At 36 km/h for so many seconds.
    fn drives(mut self, seconds: i64) -> Self {
        for _ in 0..seconds / 10 {
            self.fix(36, true);
            self.second += 10;
            self.metres += 100.0;
        }
        self
    }

    fn parks(mut self, seconds: i64, ignition: bool) -> Self {
        for _ in 0..seconds / 10 {
            self.fix(0, ignition);
            self.second += 10;
        }
        self
    }

    fn silent(mut self, seconds: i64) -> Self {
        self.second += seconds;
        self
    }

    fn segments(&self) -> Vec<Segment> {
        segments(&self.positions, START + self.second * 1000)
    }

    /// What each of them is, and when it ended, in seconds.
    fn kinds_and_times(&self) -> Vec<(SegmentKind, i64)> {
        self.segments().iter().map(|segment| (segment.kind, (segment.end.at - START) / 1000)).collect()
    }
}

fn segments(positions: &[Position], until: i64) -> Vec<Segment> {
    segments_by(SegmentRules::default(), positions, until)
}

fn segments_by(rules: SegmentRules, positions: &[Position], until: i64) -> Vec<Segment> {
    let mut segmenter = Segmenter::new(rules);
    for position in positions {
        segmenter.push(position);
    }
    segmenter.finish(until)
}

use SegmentKind::{NoData, Stop, Trip};

#[test]
fn a_stop_of_five_minutes_ends_a_trip_and_a_shorter_halt_does_not() {
    let drive =
        Drive::default().parks(600, false).drives(600).parks(290, true).drives(600).parks(300, false).drives(300);
    assert_eq!(drive.kinds_and_times(), [(Stop, 600), (Trip, 2090), (Stop, 2390), (Trip, 2680)]);
    let segments = drive.segments();
    let trip = segments[1];
    assert_eq!([trip.moving_ms, trip.idle_ms, trip.engine_ms], [1_200_000, 290_000, 1_490_000]);
    assert_eq!((trip.duration_ms(), trip.max_speed), (1_490_000, Some(360)));
    // From the last fix of the first stop to the first of the second one, 100 m each ten seconds.
    assert!(trip.distance_dm.abs_diff(120_000) <= 1_500, "{}", trip.distance_dm);
    assert_eq!(segments.iter().map(|segment| segment.fixes as usize).sum::<usize>(), drive.positions.len());
}

/// Seconds of idle time, and of the engine, in all segments.
fn idle_and_engine(rules: SegmentRules, drive: &Drive) -> [u64; 2] {
    let segments = segments_by(rules, &drive.positions, START + drive.second * 1000);
    let sum = |of: fn(&Segment) -> u64| segments.iter().map(of).sum::<u64>() / 1000;
    [sum(|segment| segment.idle_ms), sum(|segment| segment.engine_ms)]
}

#[test]
fn standing_in_traffic_is_no_idle_time() {
    let usual = SegmentRules::default();
    let drive = Drive::default().drives(600).parks(110, true).drives(600).parks(120, true).drives(600);
    assert_eq!(idle_and_engine(usual, &drive), [120, 2_020]);
    assert_eq!(idle_and_engine(SegmentRules { idle_ms: 0, ..usual }, &drive), [230, 2_020]);
    assert_eq!(idle_and_engine(SegmentRules { idle_ms: 121_000, ..usual }, &drive), [0, 2_020]);
    // Two of them are not one: it moved in between, or its engine was off.
    let drive = Drive::default().parks(110, true).drives(10).parks(110, true).parks(60, false).parks(110, true);
    assert_eq!(idle_and_engine(usual, &drive)[0], 0);
    // It had begun before what was asked for.
    let drive = Drive::default().parks(200, true).drives(600);
    assert_eq!(segments(&drive.positions[15..], START)[0].idle_ms, 50_000);
}

#[test]
fn trip_needs_a_minimum_distance() {
    let drive = Drive::default().parks(600, true).drives(20).parks(600, true);
    assert_eq!(drive.kinds_and_times(), [(Stop, 1210)]);
    // The last one may still become a trip.
    let drive = Drive::default().parks(600, true).drives(20);
    assert_eq!(drive.kinds_and_times(), [(Stop, 600), (Trip, 610)]);
    let drive = Drive::default().drives(20).parks(600, true).drives(600);
    assert_eq!(drive.kinds_and_times(), [(Stop, 620), (Trip, 1210)]);
}

#[test]
fn a_track_may_begin_and_end_in_the_middle() {
    // At a traffic light.
    let drive = Drive::default().parks(60, true).drives(600);
    assert_eq!(drive.kinds_and_times(), [(Trip, 650)]);
    // It has parked and is silent since.
    let drive = Drive::default().drives(600).parks(60, false).silent(1_000);
    assert_eq!(drive.kinds_and_times(), [(Trip, 600), (Stop, 650)]);
    let drive = Drive::default().drives(600).parks(60, false);
    assert_eq!(drive.kinds_and_times(), [(Trip, 650)]);
    assert_eq!(Drive::default().parks(20, false).kinds_and_times(), [(Stop, 10)]);
    assert_eq!(Drive::default().kinds_and_times(), []);
    // A stop whose beginning is not in what was asked for.
    let drive = Drive::default().parks(600, true).drives(600);
    let segment_times = segments(&drive.positions[50..], START);
    assert_eq!(segment_times[0].kind, Stop);
}

#[test]
fn an_hour_without_a_fix_is_no_data_unless_it_was_parked() {
    let hours = 3 * 3600;
    let drive = Drive::default().drives(600).silent(hours).drives(600);
    assert_eq!(drive.kinds_and_times(), [(Trip, 590), (NoData, 600 + hours), (Trip, 1190 + hours)]);
    let drive = Drive::default().drives(600).parks(400, false).silent(hours).parks(10, false).drives(600);
    assert_eq!(drive.kinds_and_times(), [(Trip, 600), (Stop, 1010 + hours), (Trip, 1600 + hours)]);
    // It is somewhere else.
    let mut drive = Drive::default().parks(400, false).silent(hours);
    drive.metres += 5_000.0;
    assert_eq!(drive.parks(400, false).kinds_and_times(), [(Stop, 390), (NoData, 400 + hours), (Stop, 790 + hours)]);
}

#[test]
fn skips_fixes_without_derived_values() {
    let drive = Drive::default().drives(600);
    let late = Position::late(Report::new(START + 5, 0, 1_000_000));
    let mut positions = drive.positions.clone();
    positions.insert(1, late);
    assert_eq!(segments(&positions, START), segments(&drive.positions, START));
}

/// Some seconds of something.
fn any_drive() -> impl Strategy<Value = Drive> {
    let part = (0..4_u8, prop_oneof![Just(10), Just(60), Just(290), Just(300), Just(1_000), Just(8_000)]);
    vec(part, 0..12).prop_map(|parts| {
        parts.into_iter().fold(Drive::default(), |drive, (what, seconds)| match what {
            0 => drive.drives(seconds),
            1 => drive.parks(seconds, true),
            2 => drive.parks(seconds, false),
            _ => drive.silent(seconds),
        })
    })
}

/// Counted fix by fix, and saved after each.
fn counted(positions: &[Position]) -> u64 {
    let mut counter = TripCounter::default();
    let mut before = None;
    for position in positions {
        counter.advance(before, position, &SegmentRules::default());
        before = Some(position);
        counter = TripCounter::decode(&counter.encode()).unwrap();
    }
    counter.trips()
}

#[test]
fn a_trip_counts_as_soon_as_it_is_one() {
    let usual = Drive::default().parks(600, false);
    // 100 m in ten seconds: 200 m are not enough before a minute has passed.
    assert_eq!([50, 60, 70, 600].map(|seconds| counted(&usual.clone().drives(seconds).positions)), [0, 0, 1, 1]);
    let back = |drive: Drive| drive.parks(310, false).drives(600);
    assert_eq!(counted(&back(usual.clone().drives(600)).positions), 2);
    assert_eq!(counted(&back(usual.drives(20)).positions), 1, "a manoeuvre before");
    assert_eq!(TripCounter::decode(&[7]), Err(CodecError::UnknownCodec(7)));
}

proptest! {
    /// Settled by a stop at the end, so that the last trip is one or is not.
    #[test]
    fn trip_count_matches_the_segments(drive in any_drive()) {
        let drive = drive.parks(600, false);
        let found = drive.segments().iter().filter(|segment| segment.kind == Trip).count() as u64;
        prop_assert_eq!(counted(&drive.positions), found);
    }

    #[test]
    fn segments_follow_each_other_and_lose_nothing(drive in any_drive()) {
        let rules = SegmentRules::default();
        let segments = drive.segments();
        prop_assert_eq!(segments.is_empty(), drive.positions.is_empty());
        for pair in segments.windows(2) {
            prop_assert_eq!(pair[0].end, pair[1].start);
            prop_assert!(pair[0].kind != pair[1].kind || pair[0].kind == NoData, "{:?}", pair);
        }
        for (index, segment) in segments.iter().enumerate() {
            let inner = 0 < index && index + 1 < segments.len();
            // What stands between two times of which nothing is known may have stood there for longer.
            let alone = inner && segments[index - 1].kind == NoData && segments[index + 1].kind == NoData;
            if inner && !alone && segment.kind == Stop {
                prop_assert!(segment.duration_ms() >= rules.stop_ms, "{:?}", segment);
            }
            if segment.kind == NoData {
                prop_assert!(segment.duration_ms() > rules.gap_ms, "{:?}", segment);
            }
        }
        if let (Some(first), Some(last)) = (drive.positions.first(), drive.positions.last()) {
            let sum = |of: fn(&Segment) -> u64| segments.iter().map(of).sum::<u64>();
            let (from, to) = (&first.derived, &last.derived);
            prop_assert_eq!(sum(|segment| segment.distance_dm), to.distance_dm - from.distance_dm);
            prop_assert_eq!(sum(|segment| segment.moving_ms), to.moving_ms - from.moving_ms);
            prop_assert!(sum(|segment| segment.idle_ms) <= to.idle_ms - from.idle_ms);
            let all = segments_by(SegmentRules { idle_ms: 0, ..rules }, &drive.positions, START);
            prop_assert_eq!(all.iter().map(|segment| segment.idle_ms).sum::<u64>(), to.idle_ms - from.idle_ms);
            prop_assert_eq!(segments.iter().map(|segment| segment.fixes as usize).sum::<usize>(), drive.positions.len());
            prop_assert_eq!((segments[0].start.at, segments[segments.len() - 1].end.at), (first.recorded_at(), last.recorded_at()));
            prop_assert!(last.derived.motion != Motion::Unspecified);
        }
    }
}
