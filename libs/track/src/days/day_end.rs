//! A day of a vehicle that is over: what it came to, and how the vehicle was left.

use crate::{
    codec::block::{decode_block, encode_block},
    meters::{counters::Counters, day::Day, rules::MetersRead, today::DayCounters},
    motion::device_state::DeviceState,
    position::enriched::Position,
    trips::counter::TripCounter,
    wire::{
        bytes::{Reader, put_varint},
        error::CodecError,
    },
};

/// Parts with their lengths.
const CODEC: u8 = 1;
/// So many days in which nothing was heard are told of one silence: what is longer was no day's work.
const SILENT_DAYS: usize = 31;

/// A day that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayEnd {
    /// Which, and what its counters were when it began.
    pub counters: DayCounters,
    /// What they were when it ended.
    pub end: Counters,
    /// Trips that the vehicle had made by then.
    pub end_trips: u64,
    /// When its last fix was recorded, milliseconds since 1970; none where nothing was heard.
    pub last_at: Option<i64>,
    /// How the vehicle was left.
    pub state: TrackState,
}

/// What is known of a vehicle behind a fix: what the next one goes on from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackState {
    /// Without what recognises repeats.
    pub device: DeviceState,
    /// Its trips.
    pub trips: TripCounter,
    /// The fix.
    pub newest: Option<Position>,
}

impl TrackState {
    /// Of a device as it is behind its newest fix.
    pub fn of(device: &DeviceState, trips: TripCounter, newest: Option<Position>) -> Self {
        Self { device: device.without_repeats(), trips, newest }
    }

    /// Bytes, some 250; the first is the codec.
    pub fn encode(&self) -> Vec<u8> {
        let newest = self.newest.as_ref().map(|newest| encode_block(std::slice::from_ref(newest))).unwrap_or_default();
        let mut out = vec![CODEC];
        for part in [self.device.encode(), self.trips.encode(), newest] {
            put_varint(&mut out, part.len() as u64);
            out.extend_from_slice(&part);
        }
        out
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut reader = Reader::of_codec(bytes, CODEC)?;
        let mut part = || -> Result<&[u8], CodecError> {
            let len = reader.varint()?;
            reader.take(usize::try_from(len).map_err(|_| CodecError::Corrupt("the length of a part"))?)
        };
        let device = DeviceState::decode(part()?)?;
        let trips = TripCounter::decode(part()?)?;
        let newest = part()?;
        let newest = if newest.is_empty() { None } else { decode_block(newest)?.pop() };
        Ok(Self { device, trips, newest })
    }
}

impl DayEnd {
    /// The days that end between two fixes that follow each other: that of the earlier one, and those in which nothing was heard.
    /// `counters` are those of the earlier one's day, `state` is how it left the vehicle, and `day_of` says which day an instant is
    /// of, milliseconds since 1970.
    pub fn between(
        counters: DayCounters,
        state: &TrackState,
        next: &Position,
        day_of: impl Fn(i64) -> Day,
    ) -> Vec<Self> {
        let Some(before) = &state.newest else { return Vec::new() };
        let (from, to) = ((before.recorded_at(), &before.derived), (next.recorded_at(), &next.derived));
        let end_trips = state.trips.trips();
        let mut ended: Vec<Self> = Vec::new();
        let mut counters = counters;
        while counters.day() != Day::default() && counters.is_over(to.0) && ended.len() <= SILENT_DAYS {
            let day = counters.day();
            let end = Counters::between(from, to, day.until);
            let last_at = day.contains(from.0).then_some(from.0);
            ended.push(Self { counters, end, end_trips, last_at, state: state.clone() });
            counters = DayCounters::beginning(day_of(day.until), end).with_trips(end_trips);
        }
        ended
    }

    /// Which day.
    pub fn day(&self) -> Day {
        self.counters.day()
    }

    /// What the vehicle came to on it.
    pub fn sums(&self) -> Counters {
        self.end.since(self.counters.begin())
    }

    /// Trips of the day; none when that is not known.
    pub fn trips(&self) -> Option<u64> {
        Some(self.end_trips.saturating_sub(self.counters.begin_trips()?))
    }

    /// What the meters of the vehicle showed at its end; none where nothing was heard on it.
    pub fn meters(&self) -> Option<MetersRead> {
        self.last_at?;
        let read = self.state.device.meters(self.state.newest.as_ref()?);
        Some(read.with_counters(self.end, i64::try_from(self.end_trips).ok()))
    }
}
