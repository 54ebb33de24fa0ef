//! Bits of `present` that the rows of `LivePositions` and of `TrackColumns` have in common.

/// A fix that is good.
pub const VALID: u32 = 1 << 2;
/// An ignition that is known.
pub const IGNITION_KNOWN: u32 = 1 << 3;
/// One that is on.
pub const IGNITION_ON: u32 = 1 << 4;
/// A battery of which is known whether it is charged.
pub const CHARGE_KNOWN: u32 = 1 << 5;
/// One that is.
pub const CHARGING: u32 = 1 << 6;
/// The place of the first column's bit.
pub const COLUMNS: u32 = 8;

/// Two bits for something that is known or not, and on or not.
pub fn flag(value: Option<bool>, known: u32, on: u32) -> u32 {
    match value {
        Some(true) => known | on,
        Some(false) => known,
        None => 0,
    }
}
