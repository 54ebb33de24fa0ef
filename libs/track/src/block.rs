//! The sealed block: positions of one device, ascending in time.

use crate::{columns::Columns, error::CodecError, geodesy::Bbox, motion::Thresholds, position::Position};

/// What is known of a block without decoding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSummary {
    /// Positions.
    pub n: u32,
    /// First `recorded_at`.
    pub t_start: i64,
    /// Last `recorded_at`.
    pub t_end: i64,
    /// Where they lie.
    pub bbox: Bbox,
    /// Decimetres between the first and the last.
    pub distance_dm: u64,
    /// 0.1 km/h.
    pub max_speed: Option<u32>,
}

impl BlockSummary {
    /// Of ascending positions; `None` of none.
    pub fn of(_positions: &[Position]) -> Option<Self> {
        None
    }

    /// Compact bytes.
    pub fn encode(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(_bytes: &[u8]) -> Result<Self, CodecError> {
        Err(CodecError::Truncated)
    }
}

/// What merging left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Same instant, same content.
    pub repeats: u64,
    /// Same instant, other content: the first in storage order was kept.
    pub conflicts: u64,
}

/// Encodes positions of one device, ascending in time.
pub fn encode_block(_positions: &[Position]) -> Vec<u8> {
    Vec::new()
}

/// Reads what [`encode_block`] wrote.
pub fn decode_block(_bytes: &[u8]) -> Result<Vec<Position>, CodecError> {
    Err(CodecError::Truncated)
}

/// Like [`decode_block`], but leaves the columns as they are.
pub fn decode_columns(_bytes: &[u8]) -> Result<Columns, CodecError> {
    Err(CodecError::Truncated)
}

/// Merges runs of positions of one device, given in storage order, into one ascending run. Of several with the same
/// `recorded_at` the first stored wins.
pub fn merge(_runs: impl IntoIterator<Item = Vec<Position>>) -> (Vec<Position>, MergeCounts) {
    (Vec::new(), MergeCounts::default())
}

/// Cuts ascending positions at midnight UTC: (days since 1970-01-01, the positions of that day).
pub fn split_by_utc_day(positions: &[Position]) -> impl Iterator<Item = (i64, &[Position])> {
    positions.chunk_by(|_, _| true).map(|run| (0, run))
}

/// Derives, for late fixes among ascending positions, what was left out when they arrived.
pub fn fill_late(_positions: &mut [Position], _thresholds: &Thresholds) {}
