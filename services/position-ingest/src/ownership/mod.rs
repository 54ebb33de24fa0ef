//! Which instance owns which partition.

pub mod adopt;
pub mod lease;
