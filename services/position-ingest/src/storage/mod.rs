//! The database as a whole: whose turn it is to write, how much is stored, and the room that is given back.
//!
//! Way in: whoever writes enters by [`write_gate`]; counts of what was not taken in ([`rejection_counts`]). Way out: sizes
//! ([`size`]), counts, and whether RAW goes on where a restored database was ([`restored`]).
//!
//! **Room** ([`reclaim`]). What hot frames leave behind is given back after sealing. SQLite: free pages, beyond twice what
//! is hot, a megabyte a transaction. PostgreSQL: `hot_frame` is partitioned by `stream_ts` into four slots of two minutes
//! that come in turn; an empty one is truncated by a function of the tables' owner, which looks under the lock that keeps
//! everybody else out, so the service needs no right to truncate. Who has a snapshot of before sees nothing of what was
//! truncated: readers of history read blocks afterwards in a snapshot of their own, and whoever needs frames and
//! checkpoints of one moment keeps the table from being truncated before (`Database::read_whole`).
//!
//! *Test: `tests/it/space.rs`.*

pub mod reclaim;
pub mod rejection_counts;
pub mod restored;
pub mod size;
pub mod write_gate;
