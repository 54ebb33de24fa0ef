//! Whether a tracker is connected to the ignition. One that is not says that the ignition is off while the vehicle drives: on
//! [`DRIVES`] drives one after the other, each of [`DRIVE_DM`] or more and with [`REST_MS`] or more of standing before it. A tow and
//! a ferry are one such drive, and an ignition that is on begins anew: then it is connected.

use crate::position::enriched::{Derived, Motion, Position};

/// So many drives with the ignition off are no coincidence.
const DRIVES: u8 = 3;
/// A drive leads so far, decimetres.
const DRIVE_DM: u64 = 10_000;
/// A vehicle that stood for so long begins another drive, milliseconds.
const REST_MS: i64 = 5 * 60_000;

/// What the fixes since the ignition was on tell of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct IgnitionEvidence {
    /// Drives with the ignition off.
    pub(crate) drives: u8,
    /// What the vehicle had travelled when the present one began, decimetres; none when it was counted, or of none.
    pub(crate) from_dm: Option<u64>,
    /// The fix from which on it is known that there is no wire, milliseconds since 1970.
    pub(crate) absent_since: Option<i64>,
}

impl IgnitionEvidence {
    /// Whether it is known that there is no wire.
    pub(crate) fn is_absent(&self) -> bool {
        self.absent_since.is_some()
    }

    /// Takes in the next position; `before` is what was derived at the one before it.
    pub(crate) fn follow(&mut self, position: &Position, before: &Derived) {
        match position.report.ignition {
            Some(true) => *self = Self::default(),
            Some(false) if position.derived.motion == Motion::Moving && !self.is_absent() => {
                self.drive(position, before);
            }
            _ => {}
        }
    }

    fn drive(&mut self, position: &Position, before: &Derived) {
        let (at, travelled_dm) = (position.recorded_at(), position.derived.distance_dm);
        let has_rested = before.motion == Motion::Parked && at.saturating_sub(before.motion_since) >= REST_MS;
        if has_rested {
            self.from_dm = Some(travelled_dm);
        }
        if self.from_dm.is_some_and(|from_dm| travelled_dm.saturating_sub(from_dm) >= DRIVE_DM) {
            (self.drives, self.from_dm) = (self.drives.saturating_add(1), None);
        }
        if self.drives >= DRIVES {
            *self = Self { absent_since: Some(at), ..Self::default() };
        }
    }
}
