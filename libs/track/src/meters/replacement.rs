//! When trackers of a device were replaced, and what their meters showed then.

use armada_proto::v1::{MeterSwap, ReplacedTracker};

use crate::wire::{
    bytes::{Reader, put_signed},
    error::CodecError,
};

/// So many of a device are known: nothing is derived anew from further back.
const KEPT: usize = 4;
const CODEC: u8 = 1;
const ODOMETER: u8 = 1;
const ENGINE: u8 = 2;

/// Another tracker came to a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replacement {
    /// Fixes from then on are of the new one, milliseconds since 1970.
    pub at: i64,
    /// By how much more the odometer of the old one showed than that of the new one, decimetres; none where nobody read them.
    pub odometer_dm: Option<i64>,
    /// The same of their meters of engine hours, milliseconds.
    pub engine_ms: Option<i64>,
}

/// The last replacements of a device's tracker, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Replacements([Option<Replacement>; KEPT]);

impl Replacements {
    /// Of a device whose tracker is its first one.
    pub const NONE: Self = Self([None; KEPT]);

    /// As the binding of a device says them, ascending.
    pub fn of_binding(replaced: &[ReplacedTracker]) -> Self {
        let more = |swap: Option<MeterSwap>, times: i64| {
            swap.map(|swap| swap.before.saturating_sub(swap.after).saturating_mul(times))
        };
        let newest = &replaced[replaced.len().saturating_sub(KEPT)..];
        let newest = newest.iter().map(|replaced| Replacement {
            at: replaced.at,
            odometer_dm: more(replaced.odometer, 10),
            engine_ms: more(replaced.engine, 1_000),
        });
        newest.collect()
    }

    /// The last one after a fix and by the next one of these instants, milliseconds since 1970.
    pub fn between(&self, before: i64, next: i64) -> Option<Replacement> {
        // Of most devices there is none.
        self.0[0]?;
        self.0.iter().flatten().rfind(|replacement| (before + 1..=next).contains(&replacement.at)).copied()
    }

    /// From when on meters are read otherwise than by these others, milliseconds since 1970; none where they are the same.
    pub fn differ_from(&self, others: &Self) -> Option<i64> {
        let lacks = |of: &Self, replacement: &Replacement| !of.0.iter().flatten().any(|other| other == replacement);
        let only_here = self.0.iter().flatten().filter(|replacement| lacks(others, replacement));
        let only_there = others.0.iter().flatten().filter(|replacement| lacks(self, replacement));
        only_here.chain(only_there).map(|replacement| replacement.at).min()
    }

    /// Compact bytes; none of none.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for Replacement { at, odometer_dm, engine_ms } in self.0.iter().flatten() {
            if out.is_empty() {
                out.push(CODEC);
            }
            put_signed(&mut out, *at);
            let bit = |bit: u8, value: &Option<i64>| if value.is_some() { bit } else { 0 };
            out.push(bit(ODOMETER, odometer_dm) | bit(ENGINE, engine_ms));
            [odometer_dm, engine_ms].into_iter().flatten().for_each(|more| put_signed(&mut out, *more));
        }
        out
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let mut reader = Reader::of_codec(bytes, CODEC)?;
        let mut replacements = Self::default();
        for slot in &mut replacements.0 {
            if reader.is_empty() {
                break;
            }
            let (at, has) = (reader.signed()?, reader.byte()?);
            let odometer_dm = if has & ODOMETER != 0 { Some(reader.signed()?) } else { None };
            let engine_ms = if has & ENGINE != 0 { Some(reader.signed()?) } else { None };
            *slot = Some(Replacement { at, odometer_dm, engine_ms });
        }
        if reader.is_empty() { Ok(replacements) } else { Err(CodecError::Corrupt("bytes after the end")) }
    }
}

impl FromIterator<Replacement> for Replacements {
    /// Of ascending ones; those beyond what is kept are left out.
    fn from_iter<T: IntoIterator<Item = Replacement>>(replaced: T) -> Self {
        let mut replacements = Self::default();
        replacements.0.iter_mut().zip(replaced).for_each(|(slot, replacement)| *slot = Some(replacement));
        replacements
    }
}
