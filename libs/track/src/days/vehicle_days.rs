//! The days of a whole track, derived in the order of time.

use super::day_end::{DayEnd, TrackState};
use crate::{
    meters::{day::Day, today::DayCounters},
    motion::{device_state::Thresholds, rederive::Rederivation},
    position::enriched::Position,
    trips::{counter::TripCounter, segments::SegmentRules},
};

/// Derives a track fix by fix, and ends its days.
#[derive(Clone, Debug)]
pub struct VehicleDays {
    rederivation: Rederivation,
    rules: SegmentRules,
    trips: TripCounter,
    newest: Option<Position>,
    counters: DayCounters,
}

impl VehicleDays {
    /// Goes on from how a vehicle was left when a day ended; from nothing for its whole track.
    pub fn new(thresholds: Thresholds, rules: SegmentRules, left: TrackState) -> Self {
        let TrackState { device, trips, newest } = left;
        let rederivation = Rederivation::resume(thresholds, device);
        Self { rederivation, rules, trips, newest, counters: DayCounters::default() }
    }

    /// Derives the next positions, which ascend, and returns the days that are over with them.
    pub fn run(&mut self, positions: &mut [Position], day_of: impl Fn(i64) -> Day) -> Vec<DayEnd> {
        // The first live one had been through what was before all of them, and through nothing that came late.
        let known = positions.iter().find(|position| !position.late).map(|position| position.derived);
        let mut ended = Vec::new();
        for position in positions {
            let before = self.counters.is_over(position.recorded_at()).then(|| self.state());
            self.rederivation.push(position, known);
            if let Some(before) = before {
                self.go_on(&before, position, &day_of, &mut ended);
            }
            self.trips.advance(self.newest.as_ref(), position, &self.rules);
            match &mut self.newest {
                Some(newest) => newest.clone_from(position),
                none => *none = Some(position.clone()),
            }
        }
        ended
    }

    fn go_on(&mut self, before: &TrackState, next: &Position, day_of: &impl Fn(i64) -> Day, ended: &mut Vec<DayEnd>) {
        ended.extend(DayEnd::between(self.counters, before, next, day_of));
        let last = before.newest.as_ref().map(|last| (last.recorded_at(), &last.derived));
        self.counters.go_on(day_of(next.recorded_at()), last, next);
        self.counters = self.counters.with_trips(self.trips.trips());
    }

    /// How the vehicle is left by the last position.
    pub fn state(&self) -> TrackState {
        TrackState { device: self.rederivation.state().clone(), trips: self.trips, newest: self.newest.clone() }
    }

    /// The counters of the day of the last position.
    pub fn counters(&self) -> DayCounters {
        self.counters
    }
}
