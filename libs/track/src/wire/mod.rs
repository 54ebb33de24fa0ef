//! The small parts that all codecs are made of.

pub(crate) mod bytes;
pub(crate) mod error;
pub(crate) mod ids;
pub mod packed;
pub(crate) mod planes;
pub(crate) mod zip;

pub use self::bytes::{Reader, checksum, put_signed, put_varint};
