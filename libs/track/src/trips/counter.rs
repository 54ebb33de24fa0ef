//! Trips, counted fix by fix: what [`crate::Segmenter`] finds in a whole track, as far as it is settled. A trip counts as soon
//! as it takes as long and leads as far as one must; what ends before that is a manoeuvre, unless nothing is known of the time
//! before it and behind it.

use crate::{
    position::enriched::{Motion, Position},
    trips::segments::{Last, SegmentRules, Silence},
    wire::{
        bytes::{Reader, put_signed, put_varint},
        error::CodecError,
    },
};

/// Variable-length integers.
const CODEC: u8 = 1;

const TRIP: u8 = 1;
const COUNTED: u8 = 2;
const HALT: u8 = 4;
const AFTER_STOP: u8 = 8;

/// How many trips a vehicle has made since its first fix, and what it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TripCounter {
    trips: u64,
    trip: Option<Start>,
    /// The present trip is among those that were counted.
    is_counted: bool,
    /// What was before the present trip is a stop.
    after_stop: bool,
    halt: Option<Start>,
    /// Since when the halt counts: before its first fix, where it was standing already when it was first heard.
    standing_since: i64,
}

/// When a trip or a halt began, milliseconds since 1970, and the distance by then, decimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Start {
    at: i64,
    distance_dm: u64,
}

impl Start {
    fn of(position: &Position) -> Self {
        Self { at: position.recorded_at(), distance_dm: position.derived.distance_dm }
    }
}

impl TripCounter {
    /// So many trips.
    pub fn trips(&self) -> u64 {
        self.trips
    }

    /// Takes in the newest fix; `before` was the newest until then.
    pub fn advance(&mut self, before: Option<&Position>, newest: &Position, rules: &SegmentRules) {
        let Some(before) = before else {
            self.begin(newest);
            self.standing_since = self.standing_since.min(newest.derived.motion_since);
            return;
        };
        let last = Last::of(before);
        match Silence::between(&last, &last.behind(newest), rules) {
            Silence::None => {}
            Silence::Stood => {
                self.halt = Some(Start::of(before));
                self.standing_since = before.recorded_at();
            }
            Silence::Lost => {
                self.lose_sight(before, rules);
                return self.begin(newest);
            }
        }
        if self.halt.is_none() {
            self.count(newest, rules);
        }
        if newest.derived.motion == Motion::Moving {
            self.end_halt(newest, rules);
        }
        self.begin(newest);
    }

    fn begin(&mut self, newest: &Position) {
        if newest.derived.motion == Motion::Moving {
            self.trip.get_or_insert_with(|| Start::of(newest));
        } else if self.halt.is_none() {
            self.halt = Some(Start::of(newest));
            self.standing_since = newest.recorded_at();
        }
    }

    /// The vehicle moves on: what halted it was a stop, or belongs to its trip.
    fn end_halt(&mut self, newest: &Position, rules: &SegmentRules) {
        let Some(halt) = self.halt.take() else { return };
        if self.has_stopped(newest, rules) {
            *self = Self { trips: self.trips, after_stop: true, ..Self::default() };
        } else {
            self.trip.get_or_insert(halt);
            self.count(newest, rules);
        }
    }

    /// Nothing is known from the last fix on.
    fn lose_sight(&mut self, last: &Position, rules: &SegmentRules) {
        let stopped = self.halt.is_some() && self.has_stopped(last, rules);
        if self.trip.is_some() && !stopped {
            self.count(last, rules);
            if !self.is_counted && !self.after_stop {
                self.trips += 1;
            }
        }
        *self = Self { trips: self.trips, ..Self::default() };
    }

    fn has_stopped(&self, until: &Position, rules: &SegmentRules) -> bool {
        until.recorded_at().saturating_sub(self.standing_since) >= rules.stop_ms
    }

    /// The present trip reaches as far as this fix.
    fn count(&mut self, until: &Position, rules: &SegmentRules) {
        let Some(Start { at, distance_dm }) = self.trip.filter(|_| !self.is_counted) else { return };
        let is_long = until.recorded_at().saturating_sub(at) >= rules.min_trip_ms;
        if is_long && until.derived.distance_dm.saturating_sub(distance_dm) >= rules.min_trip_dm {
            self.trips += 1;
            self.is_counted = true;
        }
    }

    /// Compact bytes for a checkpoint, about 20; none of the default.
    pub fn encode(&self) -> Vec<u8> {
        if *self == Self::default() {
            return Vec::new();
        }
        let bit = |bit, set| if set { bit } else { 0 };
        let flags = bit(TRIP, self.trip.is_some())
            | bit(COUNTED, self.is_counted)
            | bit(HALT, self.halt.is_some())
            | bit(AFTER_STOP, self.after_stop);
        let mut out = vec![CODEC, flags];
        put_varint(&mut out, self.trips);
        put_signed(&mut out, self.standing_since);
        for Start { at, distance_dm } in [self.trip, self.halt].into_iter().flatten() {
            put_signed(&mut out, at);
            put_varint(&mut out, distance_dm);
        }
        out
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let mut reader = Reader::of_codec(bytes, CODEC)?;
        let flags = reader.byte()?;
        let mut counter = Self {
            trips: reader.varint()?,
            standing_since: reader.signed()?,
            is_counted: flags & COUNTED != 0,
            after_stop: flags & AFTER_STOP != 0,
            ..Self::default()
        };
        for (bit, start) in [(TRIP, &mut counter.trip), (HALT, &mut counter.halt)] {
            if flags & bit != 0 {
                *start = Some(Start { at: reader.signed()?, distance_dm: reader.varint()? });
            }
        }
        if reader.is_empty() { Ok(counter) } else { Err(CodecError::Corrupt("bytes after the end")) }
    }
}
