//! All that is made of a vehicle's fixes, made in each of the ways in which it can be made.

use armada_track::{
    Derived, DeviceState, EventKind, EventLimits, EventWatch, Outcome, Position, Report, Segment, SegmentKind,
    SegmentRules, Segmenter, Thresholds, TripCounter, VehicleEvent, rederive,
};

/// An instant.
pub const START: i64 = 1_790_000_000_000;
/// At the equator, in 1e-7 degrees of longitude: 90 units are a metre (89.93).
pub const METRE: f64 = 1e7 / 111_195.08;

/// What the fixes of a vehicle tell, which came one after the other and each at once.
#[derive(Default)]
pub struct Journey {
    pub positions: Vec<Position>,
    pub events: Vec<VehicleEvent>,
    pub trips: u64,
}

/// A fix so many seconds and metres from the start, at so many km/h.
pub fn fix(second: f64, metres: f64, kmh: f64, ignition: Option<bool>) -> Report {
    let lng = 1_000_000 + (metres * METRE).round() as i32;
    let speed = Some((kmh * 10.0).round() as u32);
    Report { speed, ignition, ..Report::new(START + (second * 1_000.0).round() as i64, 0, lng) }
}

/// The same metres to the north of there.
pub fn north(report: Report, metres: f64) -> Report {
    Report { lat: (metres * METRE).round() as i32, ..report }
}

/// Numbers from -1 to 1 that look like noise, and are always the same.
pub fn noise(number: i64) -> f64 {
    let mixed = (number as u64).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

impl Journey {
    /// What they tell. It is the same when the state was saved and restored at each of them, and when it is derived anew.
    pub fn of(reports: impl IntoIterator<Item = Report>) -> Self {
        let (thresholds, rules) = (Thresholds::default(), SegmentRules::default());
        let (mut journey, mut state, mut restored) = (Self::default(), DeviceState::default(), DeviceState::default());
        let (mut watch, mut counter) = (EventWatch::default(), TripCounter::default());
        for report in reports {
            let at = report.recorded_at;
            let newest = journey.positions.last();
            let Outcome::Live(position) = state.receive(report, at, newest, &thresholds) else { continue };
            restored.restore(&position, &thresholds);
            restored = DeviceState::decode(&restored.encode()).expect("what was encoded");
            assert_eq!(restored, state);
            watch.observe(&position, at, EventLimits::default(), &mut journey.events);
            watch = EventWatch::decode(&watch.encode()).expect("what was encoded");
            counter.advance(newest, &position, &rules);
            journey.positions.push(position);
        }
        let mut anew = journey.positions.clone();
        rederive(&mut anew, &thresholds);
        assert!(anew == journey.positions, "it tells something else anew");
        journey.trips = counter.trips();
        journey
    }

    pub fn last(&self) -> Derived {
        self.positions.last().expect("a fix").derived
    }

    /// Metres from the fix that came so many seconds after the start.
    pub fn metres_since(&self, second: i64) -> f64 {
        self.since(second, |derived| derived.distance_dm) as f64 / 10.0
    }

    /// What a counter went up by from the fix that came so many seconds after the start.
    pub fn since(&self, second: i64, counter: fn(&Derived) -> u64) -> u64 {
        let from = self.positions.iter().find(|position| position.recorded_at() >= START + second * 1_000);
        counter(&self.last()) - counter(&from.expect("a fix").derived)
    }

    /// How often something was told.
    pub fn told(&self, kind: &EventKind) -> usize {
        self.events.iter().filter(|event| event.kind == *kind).count()
    }

    /// Its trips and stops.
    pub fn segments(&self) -> Vec<Segment> {
        let mut segmenter = Segmenter::new(SegmentRules::default());
        self.positions.iter().for_each(|position| segmenter.push(position));
        segmenter.finish(self.positions.last().map_or(0, Position::recorded_at))
    }

    /// What each of them is, and when it ended, in seconds.
    pub fn kinds_and_times(&self) -> Vec<(SegmentKind, i64)> {
        self.segments().iter().map(|segment| (segment.kind, (segment.end.at - START) / 1_000)).collect()
    }
}
