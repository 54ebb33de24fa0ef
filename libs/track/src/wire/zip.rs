//! zstd with one context a thread, so that a small frame does not pay for setting one up.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use crate::wire::{
    bytes::{Reader, put_varint},
    error::CodecError,
};

/// Fast: what is left after prediction is mostly noise, and more effort finds little more.
const LEVEL: i32 = 1;
/// Bytes are stored as they are if compressed ones would grow by more than this on decoding: what a reader allocates
/// stays in proportion to what it was given.
const MAX_RATIO: usize = 64;
/// The ratio does not matter below this size.
const ALWAYS_ALLOWED: usize = 1 << 16;

const STORED: u8 = 0;
const ZSTD: u8 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = RefCell::new(Compressor::new(LEVEL).ok());
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
}

/// Appends the bytes in the smaller form: method, and for zstd the length of the raw bytes, then the data to the end.
pub(crate) fn put(out: &mut Vec<u8>, raw: &[u8]) {
    let start = out.len();
    out.push(ZSTD);
    put_varint(out, raw.len() as u64);
    let head = out.len();
    out.resize(head + zstd::zstd_safe::compress_bound(raw.len()), 0);
    let compressed = COMPRESSOR.with_borrow_mut(|compressor| {
        compressor.as_mut().and_then(|compressor| compressor.compress_to_buffer(raw, &mut out[head..]).ok())
    });
    match compressed {
        Some(length) if head + length < start + 1 + raw.len() && raw.len() <= limit(length) => {
            out.truncate(head + length)
        }
        _ => {
            out.truncate(start);
            out.push(STORED);
            out.extend_from_slice(raw);
        }
    }
}

/// Reads what [`put`] wrote.
pub(crate) fn get(bytes: &[u8], raw: &mut Vec<u8>) -> Result<(), CodecError> {
    raw.clear();
    let mut reader = Reader::new(bytes);
    match reader.byte()? {
        STORED => raw.extend_from_slice(reader.rest()),
        ZSTD => {
            let length = reader.varint()?;
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            if length > limit(reader.rest().len()) {
                return Err(CodecError::Corrupt("more than the data can hold"));
            }
            raw.resize(length, 0);
            let written = DECOMPRESSOR.with_borrow_mut(|decompressor| {
                decompressor.as_mut().and_then(|it| it.decompress_to_buffer(reader.rest(), raw.as_mut_slice()).ok())
            });
            if written != Some(length) {
                return Err(CodecError::Corrupt("zstd"));
            }
        }
        _ => return Err(CodecError::Corrupt("unknown compression")),
    }
    Ok(())
}

fn limit(compressed: usize) -> usize {
    compressed.saturating_mul(MAX_RATIO).saturating_add(ALWAYS_ALLOWED)
}
