//! What one fix says of the fuel, from how much on a change of a tank counts, and what such a change is.

use crate::position::{
    enriched::{Motion, Position},
    geodesy::Place,
};

/// 0.1 km/h: no faster a vehicle goes within a station.
const SLOW: u32 = 200;
/// Millilitres, and the part of the tank, that are a fill or a drain at least.
const FILL_ML: i64 = 10_000;
const FILL_PART: i64 = 10;
const DRAIN_ML: i64 = 5_000;
const DRAIN_PART: i64 = 20;
/// The noise of the best sensors.
const NOISE_ML: i64 = 500;
const NOISE_PART: i64 = 200;

/// A fill, or a drain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuelChange {
    /// A fill.
    pub rises: bool,
    /// The first reading that shows it, milliseconds since 1970.
    pub at: i64,
    /// Where the vehicle stood.
    pub place: Place,
    /// How much, 0.1 litres; of a drain without what the vehicle may have used.
    pub litres: u32,
    /// 0.1 litres before it.
    pub before: u32,
    /// 0.1 litres after it.
    pub after: u32,
    /// How sure it is, per cent.
    pub confidence: u8,
}

/// What a fix says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) at: i64,
    /// Millilitres.
    pub(super) fuel: i64,
    pub(super) stands: bool,
    /// It moves no faster than within a station.
    pub(super) is_slow: bool,
    /// Metres, and seconds with the engine on, since the vehicle's first fix.
    pub(super) travelled: i64,
    pub(super) engine: i64,
}

/// What counts of a tank of so many millilitres; 0 for one that is not known.
#[derive(Clone, Copy)]
pub(super) struct Tank(pub(super) i64);

impl Tank {
    pub(super) fn at_least(self, least: i64, part: i64) -> i64 {
        least.max(self.0 / part)
    }

    pub(super) fn fill(self) -> i64 {
        self.at_least(FILL_ML, FILL_PART)
    }

    pub(super) fn drain(self) -> i64 {
        self.at_least(DRAIN_ML, DRAIN_PART)
    }

    /// What a slow drain is at least: heat and cold change the level by as much as a small one.
    pub(super) fn slow_drain(self) -> i64 {
        self.at_least(FILL_ML, DRAIN_PART)
    }

    /// The noise of a sensor, no less than that of the best ones.
    pub(super) fn noise(self, noise: i64) -> i64 {
        noise.max(self.at_least(NOISE_ML, NOISE_PART))
    }
}

impl Reading {
    pub(super) fn of(position: &Position, litres: u32) -> Self {
        let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let derived = &position.derived;
        Self {
            at: position.recorded_at(),
            fuel: i64::from(litres) * 100,
            stands: derived.motion != Motion::Moving,
            is_slow: position.report.speed.is_some_and(|speed| speed <= SLOW),
            travelled: whole(derived.distance_dm / 10),
            engine: whole(derived.engine_ms / 1_000),
        }
    }

    /// Milliseconds from here to a later one.
    pub(super) fn duration_to(&self, later: &Self) -> i64 {
        later.at.saturating_sub(self.at)
    }

    /// Metres from here to a later one.
    pub(super) fn distance_to(&self, later: &Self) -> i64 {
        later.travelled.saturating_sub(self.travelled)
    }

    /// What a vehicle uses at most until a later one, millilitres: 50 l/100 km, and 5 l/h.
    pub(super) fn used_until(&self, later: &Self) -> i64 {
        let engine = later.engine.saturating_sub(self.engine).max(0);
        self.distance_to(later).max(0) / 2 + engine.saturating_mul(25) / 18
    }
}

pub(super) fn decilitres(millilitres: i64) -> u32 {
    u32::try_from((millilitres + 50) / 100).unwrap_or_default()
}
