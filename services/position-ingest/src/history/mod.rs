//! History: hot frames become blocks, and both are read.

mod blocks;
mod compaction;
pub(crate) mod context;
pub(crate) mod read;
mod retention;
pub(crate) mod seal;
pub mod verify;
