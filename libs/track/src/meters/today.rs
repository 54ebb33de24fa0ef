//! What a vehicle has come to on the day of its newest fix: its counters now, less what they were when that day began.
//!
//! The step over midnight is divided by time ([`Counters::between`]): what a vehicle did at the last fix before it, it did until
//! midnight on that day, and from then on today.

use armada_proto::{Timestamp, v1::DayActivity};

use crate::{
    meters::{counters::Counters, day::Day},
    position::enriched::{Derived, Position},
    wire::{
        bytes::{Reader, put_signed, put_varint},
        error::CodecError,
    },
};

/// Variable-length integers.
const CODEC: u8 = 2;
/// The same without trips.
const CODEC_WITHOUT_TRIPS: u8 = 1;

/// The day of a device's newest fix, and what its counters were when it began. The default knows of no day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayCounters {
    day: Day,
    begin: Counters,
    /// Trips that it had made when the day began; none when that is not known.
    begin_trips: Option<u64>,
}

impl DayCounters {
    /// Of a day that began with these counters.
    pub fn beginning(day: Day, begin: Counters) -> Self {
        Self { day, begin, begin_trips: None }
    }

    /// The day.
    pub fn day(&self) -> Day {
        self.day
    }

    /// What the counters were when it began.
    pub fn begin(&self) -> Counters {
        self.begin
    }

    /// Trips that it had made when the day began; none when that is not known.
    pub fn begin_trips(&self) -> Option<u64> {
        self.begin_trips
    }

    /// With the trips that it had made when the day began.
    #[must_use]
    pub fn with_trips(self, trips: u64) -> Self {
        Self { begin_trips: Some(trips), ..self }
    }

    /// Whether a fix of this instant, in milliseconds since 1970, is of a later day.
    pub fn is_over(&self, recorded_at: i64) -> bool {
        recorded_at >= self.day.until
    }

    /// Goes on to the day of a fix: the newest one, with what was derived at the one `before` it, and when that was recorded.
    /// It need not be called while the same day goes on. A device that is heard for the first time has done nothing on its day
    /// yet. Where `day` is another one because the time zone is another, what was counted since the former midnight stays.
    pub fn go_on(&mut self, day: Day, before: Option<(i64, &Derived)>, newest: &Position) {
        let is_known = self.day != Day::default();
        match before {
            Some((at, before)) if at < day.from => {
                self.begin = Counters::between((at, before), (newest.recorded_at(), &newest.derived), day.from);
                self.begin_trips = None;
            }
            Some((_, before)) if !is_known => self.begin = Counters::of(before),
            Some(_) => {}
            None => self.begin = Counters::of(&newest.derived),
        }
        self.day = day;
    }

    /// What the vehicle has come to by its newest fix; none when nothing is known of that one's day.
    pub fn activity(&self, newest: &Position) -> Option<DayActivity> {
        if !self.day.contains(newest.recorded_at()) {
            return None;
        }
        let (begin, now) = (self.begin, Counters::of(&newest.derived));
        let seconds = |from: u64, to: u64| to.saturating_sub(from) as f64 / 1000.0;
        let engine = newest.derived.engine_is_known().then(|| seconds(begin.engine_ms, now.engine_ms));
        Some(DayActivity {
            from: Some(Timestamp::from_millis(self.day.from)),
            until: Some(Timestamp::from_millis(self.day.until)),
            distance: now.distance_dm.saturating_sub(begin.distance_dm) as f64 / 10.0,
            engine_seconds: engine,
            moving_seconds: seconds(begin.moving_ms, now.moving_ms),
            idle_seconds: seconds(begin.idle_ms, now.idle_ms),
            parked_seconds: seconds(begin.parked_ms, now.parked_ms),
        })
    }

    /// Compact bytes for a checkpoint, about 30; none of the default.
    pub fn encode(&self) -> Vec<u8> {
        if *self == Self::default() {
            return Vec::new();
        }
        let Self { day, begin, begin_trips } = self;
        let mut out = Vec::with_capacity(44);
        out.push(CODEC);
        put_signed(&mut out, day.from);
        put_signed(&mut out, day.until.wrapping_sub(day.from));
        for value in [begin.distance_dm, begin.engine_ms, begin.moving_ms, begin.idle_ms, begin.parked_ms] {
            put_varint(&mut out, value);
        }
        put_varint(&mut out, begin_trips.map_or(0, |trips| trips.saturating_add(1)));
        out
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let has_trips = bytes.first() != Some(&CODEC_WITHOUT_TRIPS);
        let mut reader = Reader::of_codec(bytes, if has_trips { CODEC } else { CODEC_WITHOUT_TRIPS })?;
        let from = reader.signed()?;
        let day = Day { from, until: from.wrapping_add(reader.signed()?) };
        let begin = Counters {
            distance_dm: reader.varint()?,
            engine_ms: reader.varint()?,
            moving_ms: reader.varint()?,
            idle_ms: reader.varint()?,
            parked_ms: reader.varint()?,
        };
        let begin_trips = if has_trips { reader.varint()?.checked_sub(1) } else { None };
        if reader.is_empty() {
            Ok(Self { day, begin, begin_trips })
        } else {
            Err(CodecError::Corrupt("bytes after the end"))
        }
    }
}
