//! Odometer, engine hours, and what a vehicle has come to on a day.
//!
//! - [`rules`]: what is read of the meters at a fix, which source of them counts, and what somebody has corrected.
//! - [`own`]: what a tracker says itself, and how that goes on behind another one. [`replacement`]: when it was replaced.
//! - [`counters`]: what a vehicle has come to at any instant, between two fixes as well.
//! - [`today`]: the counters of the day of the newest fix. [`day`]: the days of a time zone.
//!
//! In: positions with their counters, and the rules in the binding of a device. Out: what a meter shows, how much it
//! went up between two readings, and the distance, times and trips of a day. What has to be known of the day between
//! two fixes is saved as bytes with the state of the device.

pub(crate) mod counters;
pub(crate) mod day;
pub(crate) mod own;
pub(crate) mod replacement;
pub(crate) mod rules;
pub(crate) mod today;
