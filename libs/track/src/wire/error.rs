//! The one error of the codecs.

/// Bytes that no encoder of this crate wrote, or that were damaged since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The bytes end before what they announce.
    #[error("the data is cut short")]
    Truncated,
    /// The first byte names a layout that this version does not know.
    #[error("unknown codec {0}")]
    UnknownCodec(u8),
    /// The parts do not fit together.
    #[error("the data is corrupt: {0}")]
    Corrupt(&'static str),
}
