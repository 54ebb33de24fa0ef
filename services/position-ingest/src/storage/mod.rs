//! The database as a whole.

pub mod reclaim;
pub mod rejection_counts;
pub mod restored;
pub mod size;
pub mod write_gate;
