//! The newest position of each device, in the memory of every instance, so that any of them answers for all partitions.
//!
//! Way in: the checkpoints and hot frames of the database at the start, then POSITIONS ([`last_positions`]). Way out:
//! whoever shows last positions and states ([`crate::api`]); which partition has a device ([`crate::enrich`],
//! [`crate::receiver`]); whether its clock is right ([`clock_watch`]).
//!
//! **Today** ([`device_day`], `armada_track::DayCounters`): what the counters of a vehicle were when the day of its newest
//! fix began in its tenant's time zone, saved with its state; live and last positions say the difference, and until when
//! that day goes, so that nobody takes yesterday's for today's. A fix costs two comparisons; at the first one of a day the
//! time since the fix before is split at midnight, and the distance belongs to the later day, as in the days of meters. Who
//! shows last positions counts days by the same rule from what was stored. When the settings of a tenant change, each
//! device looks its day up again at its next fix; while nothing is known of a tenant its days go on with 24 hours each.
//!
//! *Tests: `libs/track/tests/it/today.rs`, `tests/it/{today,clock_watch,clocks}.rs`.*

pub mod clock_watch;
pub(crate) mod device_day;
pub(crate) mod last_positions;
