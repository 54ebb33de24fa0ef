//! What the level loses bit by bit while the vehicle stands, too slowly for a change: somebody takes it out through a hose. It is
//! over when the level has not fallen for an hour, when the vehicle moves off, or when it is filled.

use super::{
    confidence::confidence,
    reading::{FuelChange, Reading, Tank, decilitres},
};
use crate::position::geodesy::Place;

/// The level has not fallen for so long: it is over.
const OVER_MS: i64 = 3_600_000;
/// Milliseconds for a millilitre at 5 l/h. What is lost more slowly a heater uses, or the cold.
const SLOWEST_MS: i64 = 720;

/// A level that may be falling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Loss {
    /// The level that it is measured from.
    pub(super) from: Reading,
    /// When it had first fallen, milliseconds since 1970; 0 while it has not.
    pub(super) since: i64,
    /// The last level that was clearly below the one before, millilitres, and when.
    pub(super) fuel: i64,
    pub(super) at: i64,
}

impl From<Reading> for Loss {
    fn from(level: Reading) -> Self {
        Self { from: level, since: 0, fuel: level.fuel, at: level.at }
    }
}

impl Loss {
    /// With the level of a later reading; what is less than `still` apart is the same.
    pub(super) fn follow(self, level: &Reading, still: i64) -> Self {
        if level.fuel > self.from.fuel {
            return Self::from(*level);
        }
        if self.fuel - level.fuel < still {
            return self;
        }
        let since = if self.since == 0 { level.at } else { self.since };
        Self { since, fuel: level.fuel, at: level.at, ..self }
    }

    /// Whether the level has not fallen for long.
    pub(super) fn is_over(self, reading: &Reading) -> bool {
        reading.at.saturating_sub(self.at) >= OVER_MS
    }

    /// The drain that it was, if it was one, with the level after it.
    pub(super) fn judge(
        self,
        level: &Reading,
        now: &Reading,
        place: Place,
        noise: i64,
        tank: Tank,
    ) -> Option<FuelChange> {
        let amount = self.from.fuel - level.fuel - self.from.used_until(level);
        let is_fast = amount.saturating_mul(SLOWEST_MS) >= self.at.saturating_sub(self.from.at);
        let is_drain = self.since != 0 && amount >= tank.slow_drain() && is_fast;
        is_drain.then(|| FuelChange {
            rises: false,
            at: self.since,
            place,
            litres: decilitres(amount),
            before: decilitres(self.from.fuel),
            after: decilitres(level.fuel),
            // It falls while the next reading comes: how steady it is afterwards says nothing.
            confidence: confidence(amount, tank.noise(noise), amount, true, now.stands),
        })
    }
}
