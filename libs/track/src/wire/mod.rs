//! Bytes, below everything that is written and read back: hot frames, blocks, checkpoints.
//!
//! - `bytes`: variable-length integers, a [`Reader`] that cannot leave its bytes, a checksum. Who keeps a state of its
//!   own as bytes needs no more.
//! - A column of integers is written by [`packed`], as small as it gets, or by `planes`, as quickly as it gets; `ids`
//!   writes ids, `zip` is zstd.
//! - `error` is what reading answers where no encoder wrote the bytes, or they were damaged since.
//!
//! In: integers and bytes of whoever encodes. Out: bytes; and when they are read, lengths that were checked against
//! what is there before anything is copied. Nothing here knows what a position is.

pub(crate) mod bytes;
pub(crate) mod error;
pub(crate) mod ids;
pub mod packed;
pub(crate) mod planes;
pub(crate) mod zip;

pub use self::bytes::{Reader, checksum, put_signed, put_varint};
