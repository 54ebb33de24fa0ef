//! What was not taken in: why, for whoever mends the cause, and how it is taken in later.
//!
//! Way in: what [`crate::enrich`] refused, with what the receiver did, which travels in RAW so that it is counted once as
//! well. Way out: the streams DLQ, HELD and REFUSED, on disk before the progress that passes it is committed; back through
//! the receiver ([`replay`]). Counts by day and reason are stored in the transaction of the commit batch
//! ([`crate::storage::rejection_counts`]).
//!
//! - **Dead letters** ([`dead_letters`]) have everything, with the reason: `armada dlq list`, `armada dlq replay`.
//! - **A tracker that nobody has.** Its fixes are held in the stream HELD (`held.<partition>.<imei>`) and taken in by the
//!   receiver when somebody gets the IMEI ([`held_fixes`]).
//! - **Of a device that somebody has** ([`device_rejections`]) the last hundred messages are kept for 14 days in the stream
//!   REFUSED under its tenant and device: a commit batch keeps a hundred, a body 4 kB, and of a frame each device only its
//!   newest row and how many there were. A tenant sees what trusted gateways and its own said of its device; what a tracker
//!   sent that was somebody else's before shows no body unless every time in it is after that.
//! - **What a stream never takes** ([`set_aside`]), since it is too large, the user has no right to it, or the stream is
//!   gone, waits in the database, and the commit batch goes on; it is tried again every 15 seconds.
//!
//! *Tests: `tests/it/{refusals,messages,floods,standstill,heard_imeis}.rs`.*

pub mod dead_letters;
pub mod device_rejections;
pub mod held_fixes;
pub mod replay;
pub mod set_aside;
