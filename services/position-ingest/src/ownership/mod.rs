//! Which instance owns which partition.
//!
//! Way in: the table `partition` and its leases, by the database's clock. Way out: an owner of each partition that this
//! instance has, with its receiver ([`lease`] starts and ends both); rows that begin, and begin anew with another stream
//! ([`adopt`]).
//!
//! Ownership and progress are one row: owner, lease, epoch, the next sequence of RAW, the last frame stored and the last
//! one published. An instance takes at most ⌈P / live instances⌉ partitions and releases the surplus. Everything an owner
//! writes carries its epoch and the progress it believes in; if either differs in the row, nothing of it is stored and the
//! owner stops. This compare-and-set is the one decision on which exactly-once rests. An owner that stands still in the
//! middle of a transaction holds the row: PostgreSQL ends such a transaction after three seconds, which is true of all
//! services (`Database::write`).
//!
//! A partition of which a step stands still ([`crate::metrics::standstill`]) is given up: another instance takes it, or the
//! same one anew five seconds later. A task that panics gives its partition back.
//!
//! *Tests: `services/all-in-one/tests/it/takeover.rs`, `tests/it/standstill.rs`.*

pub mod adopt;
pub mod lease;
