//! What is known of a block without decoding it.

use crate::{
    position::{
        enriched::{Derived, Position},
        geodesy::Bbox,
    },
    wire::{
        bytes::{Reader, put_signed, put_varint},
        error::CodecError,
    },
};

const CODEC: u8 = 1;

/// What is known of a block without decoding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSummary {
    /// Positions.
    pub n: u32,
    /// First `recorded_at`, milliseconds since 1970.
    pub t_start: i64,
    /// Last `recorded_at`.
    pub t_end: i64,
    /// Where the fixes lie that have a place; all fixes, if none has.
    pub bbox: Bbox,
    /// Decimetres between the first and the last.
    pub distance_dm: u64,
    /// The highest speed of a good fix, 0.1 km/h.
    pub max_speed: Option<u32>,
}

impl BlockSummary {
    /// Of ascending positions; `None` of none.
    pub fn of(positions: &[Position]) -> Option<Self> {
        let (first, last) = (positions.first()?, positions.last()?);
        let placed = positions.iter().filter(|position| position.is_placed());
        let bbox = Bbox::of(placed.map(|position| position.report.place()));
        let bbox = bbox.or_else(|| Bbox::of(positions.iter().map(|position| position.report.place())))?;
        let good = positions.iter().filter(|position| position.is_good());
        let derived = || positions.iter().map(|position| &position.derived).filter(|derived| derived.is_present());
        let distance = |derived: Option<&Derived>| derived.map_or(0, |derived| derived.distance_dm);
        Some(Self {
            n: u32::try_from(positions.len()).unwrap_or(u32::MAX),
            t_start: first.recorded_at(),
            t_end: last.recorded_at(),
            bbox,
            distance_dm: distance(derived().next_back()).saturating_sub(distance(derived().next())),
            max_speed: good.filter_map(|position| position.report.speed).max(),
        })
    }

    /// Compact bytes; the first is the codec.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![CODEC];
        put_varint(&mut out, u64::from(self.n));
        put_signed(&mut out, self.t_start);
        put_varint(&mut out, self.t_end.wrapping_sub(self.t_start) as u64);
        for degrees in [self.bbox.south, self.bbox.west, self.bbox.north, self.bbox.east] {
            put_signed(&mut out, i64::from(degrees));
        }
        put_varint(&mut out, self.distance_dm);
        put_varint(&mut out, self.max_speed.map_or(0, |speed| u64::from(speed) + 1));
        out
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut reader = Reader::of_codec(bytes, CODEC)?;
        let out_of_range = |_| CodecError::Corrupt("a number of a summary is out of range");
        let n = u32::try_from(reader.varint()?).map_err(out_of_range)?;
        let t_start = reader.signed()?;
        let t_end = t_start.wrapping_add(reader.varint()? as i64);
        let mut degrees = || i32::try_from(reader.signed()?).map_err(out_of_range);
        let bbox = Bbox { south: degrees()?, west: degrees()?, north: degrees()?, east: degrees()? };
        let distance_dm = reader.varint()?;
        let max_speed = match reader.varint()? {
            0 => None,
            speed => Some(u32::try_from(speed - 1).map_err(out_of_range)?),
        };
        if !reader.is_empty() {
            return Err(CodecError::Corrupt("bytes after the end"));
        }
        Ok(Self { n, t_start, t_end, bbox, distance_dm, max_speed })
    }
}
