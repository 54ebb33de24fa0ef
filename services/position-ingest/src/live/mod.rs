//! The newest position of each device.

pub mod clock_watch;
pub(crate) mod device_day;
pub(crate) mod last_positions;
