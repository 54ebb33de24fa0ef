//! What a vehicle has come to since its first fix, at any instant.

use crate::position::enriched::Derived;

/// The counters of [`Derived`] that days and windows share out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Decimetres.
    pub distance_dm: u64,
    /// Milliseconds with the ignition on.
    pub engine_ms: u64,
    /// Milliseconds moving.
    pub moving_ms: u64,
    /// Milliseconds standing with the engine on.
    pub idle_ms: u64,
    /// Milliseconds parked.
    pub parked_ms: u64,
}

impl Counters {
    /// Those at a fix.
    pub fn of(derived: &Derived) -> Self {
        let Derived { distance_dm, engine_ms, moving_ms, idle_ms, parked_ms, .. } = *derived;
        Self { distance_dm, engine_ms, moving_ms, idle_ms, parked_ms }
    }

    /// Those at an instant between two fixes that follow each other, each with when it was recorded, milliseconds since 1970.
    /// The way from one to the other is divided by time. What the vehicle did at the earlier one, it did until then; time that
    /// nobody could count, since it was too long, counts on neither side.
    pub fn between((from, before): (i64, &Derived), (to, next): (i64, &Derived), at: i64) -> Self {
        let whole = to.saturating_sub(from).max(0).unsigned_abs();
        let elapsed = at.saturating_sub(from).max(0).unsigned_abs().min(whole);
        let way = next.distance_dm.saturating_sub(before.distance_dm);
        // No more than `way`, which fits.
        let gone = u128::from(way) * u128::from(elapsed) / u128::from(whole.max(1));
        let (before, next) = (Self::of(before), Self::of(next));
        let until = |from: u64, to: u64| from.saturating_add(to.saturating_sub(from).min(elapsed));
        Self {
            distance_dm: before.distance_dm.saturating_add(gone as u64),
            engine_ms: until(before.engine_ms, next.engine_ms),
            moving_ms: until(before.moving_ms, next.moving_ms),
            idle_ms: until(before.idle_ms, next.idle_ms),
            parked_ms: until(before.parked_ms, next.parked_ms),
        }
    }

    /// What came to them since others.
    pub fn since(self, begin: Self) -> Self {
        Self {
            distance_dm: self.distance_dm.saturating_sub(begin.distance_dm),
            engine_ms: self.engine_ms.saturating_sub(begin.engine_ms),
            moving_ms: self.moving_ms.saturating_sub(begin.moving_ms),
            idle_ms: self.idle_ms.saturating_sub(begin.idle_ms),
            parked_ms: self.parked_ms.saturating_sub(begin.parked_ms),
        }
    }
}
