//! The days of a vehicle, each with its sums and with what the next one goes on from.
//!
//! - [`day_end`]: a day that is over. [`vehicle_days`]: the days of a whole track, derived in the order of time.
//!
//! In: positions that ascend, and where days begin. Out: a [`DayEnd`] for each day that is over, and the counters of the one that
//! is not. Whoever takes fixes in as they come and whoever derives them anew ends a day by the same function, so that the same
//! fixes give the same days in any order.

pub(crate) mod day_end;
pub(crate) mod vehicle_days;
