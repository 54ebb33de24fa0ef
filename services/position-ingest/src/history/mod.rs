//! History: hot frames become per-device, per-day column blocks, which are merged, read, and removed when they are too old.
//!
//! Way in: hot frames that the pipeline stored and published, up to a checkpoint ([`seal`]). Way out: the track of a
//! device, day by day ([`read`]), for [`crate::api`]. [`context`] is what sealing needs of the service.
//!
//! - **Sealing.** Every minute, or after a million positions, the states of devices are saved in the transaction of a
//!   commit batch (the checkpoint), and the hot frames up to it become blocks, in the transaction that deletes the frames.
//!   A restart reads the checkpoint and the frames since. Blocks may overlap; readers merge them, and unite what is of one
//!   instant.
//! - **Compaction** ([`compaction`]). The same transaction notes to which days blocks have come (`compaction_backlog`).
//!   Every eighth sealing counts the blocks of those days alone, in an index that has all there is to count, and merges a
//!   crowded device-day into one block; a day that is over and was looked through is forgotten. Blocks are decoded and
//!   merged before the transaction that replaces them, and what was erased meanwhile stays away.
//! - **Retention** ([`retention`]). What is older than a tenant's `history_days` is refused by the receiver, and by
//!   [`crate::enrich`] where the receiver did not know (`expired_fix`); readers clip what they ask for, so the limit is
//!   exact; the owner of a partition deletes days of UTC that are over after each sealing, looking up each day once, in the
//!   index of compaction. The state of a device, with its newest position, is no history.
//! - **Reading** takes hot frames first and blocks second: what is sealed in between is seen twice and merged, never
//!   missed. Of the hot frames only those of the partitions are read where the device is or has been. The blocks of a day
//!   are read and unpacked while the day before is on its way: in one process everything else of a track happens in one
//!   task. All fixes are derived in the order of time, as if none had come late (`Rederivation`), so trips and stops are
//!   those that were driven, hot or sealed. It goes on from how the day before left the device.
//! - **Days** ([`days`], table `device_day`): when the first fix of a later day comes, the day that is over is stored with its
//!   sums and with how it left the vehicle, in the transaction of that fix. A late fix notes in its own transaction from when
//!   on its device is to be derived anew (`late_fix`); the owner of the partition does it beside the way
//!   ([`crate::pipeline`]), and stores what it found with the counters of the device. Days outlive the fixes of which they were
//!   made.
//! - **Verifying** ([`verify`], `armada history verify`) reads what is there beside everybody else: blocks by their key, a
//!   page at a time; hot frames of a partition in one snapshot. The ledgers are read before the blocks and progress behind
//!   them, so that what changes meanwhile is no problem.
//!
//! *Tests: `tests/it/{segments,retention,verify,thresholds,fuel}.rs`.*

mod blocks;
mod compaction;
pub(crate) mod context;
pub(crate) mod days;
mod left;
pub(crate) mod read;
mod retention;
pub(crate) mod seal;
pub mod verify;
