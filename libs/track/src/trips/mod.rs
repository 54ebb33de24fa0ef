//! Trips and stops, found in positions whose motion is derived.
//!
//! - [`segments`]: a whole track, divided into trips, stops, and times of which nothing is known.
//! - [`counter`]: how many trips there were, counted fix by fix as they come.
//! - [`thresholds`]: from when on a vehicle moves, has stopped, stands idle, is silent, as a tenant or a device has it.
//! - [`span`]: which part of a track is asked for.
//!
//! In: positions of one device, ascending in time. Out: `Segment`s, which are stored nowhere, so that another threshold
//! holds for all of history at once; and a `TripCounter`, which is saved with the state of its device.

pub(crate) mod counter;
pub(crate) mod edges;
pub(crate) mod segments;
pub(crate) mod span;
pub(crate) mod thresholds;
