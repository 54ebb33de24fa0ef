//! Positions as bytes: on the bus, in the database, and on their way to a console.
//!
//! - [`hot`]: the enriched frame of one round, of many devices, made to be quick. [`hot_body`] is its compressed part,
//!   [`hot_pages`] says which of many frames are read together.
//! - [`block`]: the sealed positions of one device, as small as they get. [`summary`] is known without decoding one.
//! - [`track_columns`]: what consoles draw tracks from. [`row_bits`] are the bits of its rows, and of live positions.
//! - What hot frames and blocks have in common: [`columns`], [`strings`], and [`predict`], since only what is not as
//!   expected is stored.
//!
//! In: `Position`s of whoever owns a partition or reads history. Out: bytes whose first one names their format; from
//! bytes of any origin the same positions again, or a `CodecError`.

pub(crate) mod block;
pub(crate) mod columns;
pub(crate) mod hot;
pub(crate) mod hot_body;
pub(crate) mod hot_pages;
pub(crate) mod predict;
pub mod row_bits;
pub(crate) mod strings;
pub(crate) mod summary;
pub(crate) mod track_columns;
