//! From a sequence of fixes to what the vehicle does.

use crate::{
    error::CodecError,
    geodesy::Place,
    position::{Derived, Position},
    report::{Reject, Report},
};

/// What counts as moving, and what as noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Moving from this speed on, 0.1 km/h.
    pub moving_speed: u32,
    /// A step shorter than this, in decimetres, is noise while the vehicle does not move.
    pub jitter_dm: u64,
    /// The same for a vehicle that was parked before.
    pub parked_jitter_dm: u64,
    /// Between fixes further apart than this, in milliseconds, nothing is known and no time is counted.
    pub gap_ms: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { moving_speed: 30, jitter_dm: 300, parked_jitter_dm: 2_000, gap_ms: 3_600_000 }
    }
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The newest fix of its device: to be stored and shown.
    Live(Position),
    /// Older than the newest: to be stored, never shown as live.
    Late(Position),
    /// Stored before: nothing to do.
    Repeat,
    /// Another fix of the same instant was stored first: counted, not stored.
    Conflict,
    /// Cannot be placed: an invalid fix without coordinates of a device that was never seen.
    Refused(Reject),
}

/// What must be known of a device to take in its next fix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceState {
    newest_at: Option<i64>,
    derived: Derived,
}

impl DeviceState {
    /// Takes in a validated report.
    pub fn advance(&mut self, report: Report, _thresholds: &Thresholds) -> Outcome {
        self.newest_at = Some(report.recorded_at);
        Outcome::Repeat
    }

    /// Takes in a position that was stored before. Applied in the order of storage to the state before them, it gives
    /// the very state that [`Self::advance`] left.
    pub fn restore(&mut self, _position: &Position) {}

    /// When the newest fix was recorded, milliseconds since 1970.
    pub fn recorded_at(&self) -> Option<i64> {
        self.newest_at
    }

    /// Where the device was last known to be.
    pub fn place(&self) -> Option<Place> {
        None
    }

    /// What was derived at the newest fix.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// Compact bytes for a checkpoint.
    pub fn encode(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(_bytes: &[u8]) -> Result<Self, CodecError> {
        Err(CodecError::Truncated)
    }
}
