//! A sensor that reads an end of what it can say, nothing or as much as there can be, after it has read something else: a broken
//! wire, or a tank that is empty or full indeed.

use super::reading::Reading;

/// From so long on it is taken for what is in the tank.
const LASTS_MS: i64 = 15 * 60_000;

/// Readings of an end, of which nobody knows whether they mean anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    /// The first of them, milliseconds since 1970.
    pub(super) since: i64,
    /// The level before them.
    pub(super) before: Reading,
}

impl Failure {
    /// Whether it has lasted, until a reading, too long to be passed over.
    pub(super) fn has_lasted(self, reading: &Reading) -> bool {
        reading.at.saturating_sub(self.since) >= LASTS_MS
    }

    /// Whether a reading after it is the level before, less what may have been used since: the sensor works again.
    pub(super) fn explains(self, reading: &Reading, usual: i64) -> bool {
        let lost = self.before.fuel - reading.fuel;
        (-usual..=usual.saturating_add(self.before.used_until(reading))).contains(&lost)
    }
}
