//! From a sequence of fixes to what the vehicle does: moving, idling or parked, how far and how long.
//!
//! - [`device_state`]: what must be known of a device to take in its next fix, and the rules of motion, distance and
//!   time. [`saved`] is that state as bytes.
//! - [`ignition`]: whether a tracker is connected to the ignition at all.
//! - [`quality`]: which fixes cannot be believed, and count for nothing.
//! - [`merge`]: runs of positions in order, one fix for each instant, and late ones filled in.
//! - [`rederive`]: what stored fixes tell by the thresholds that hold now.
//!
//! In: a validated `Report` when it comes (`DeviceState::receive`), or stored positions of one device, ascending in
//! time. Out: positions with their `Derived`; of one that comes, whether it is live, late, a repeat or refused. Time is
//! the time of the fixes, so the same sequence tells the same whenever it is read.

pub(crate) mod device_state;
pub(crate) mod ignition;
pub(crate) mod merge;
pub(crate) mod quality;
pub(crate) mod rederive;
pub(crate) mod saved;
