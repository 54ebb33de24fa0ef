//! A device's state as bytes, for checkpoints.

use crate::{
    meters::own::{OwnEngine, OwnMeter, OwnMeters},
    motion::{
        device_state::{DeviceState, Seen, WINDOW},
        ignition::IgnitionEvidence,
        quality::{Fixed, Held},
    },
    position::{enriched::Derived, geodesy::Place, present},
    wire::{
        bytes::{Reader, put_signed, put_varint},
        error::CodecError,
    },
};

/// Times as they are, everything else as variable-length integers.
const CODEC: u8 = 1;
/// The same, and at the end what is known of a wire to the ignition.
const CODEC_WITH_WIRE: u8 = 2;
/// And what is known of the meters of its tracker.
const CODEC_WITH_METERS: u8 = 3;

const DRIVE: u8 = 1;
const ABSENT: u8 = 2;

const NEWEST: u8 = 1;
const FIXED: u8 = 2;
const ANCHOR: u8 = 4;
const OWN_ENGINE: u8 = 8;
const IGNITION_KEPT: u8 = 16;
// Those of quality, from the highest bit down.
const JUMPED: u8 = 128;
const HELD: u8 = 64;
const COUNTS_SATELLITES: u8 = 32;
// Of the second byte of bits.
const WIRE: u8 = 1;
const ODOMETER: u8 = 2;
const IN_USE: u8 = 4;

impl DeviceState {
    /// Compact bytes for a checkpoint, about 100; the first is the codec.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(160);
        let has_wire = self.wire != IgnitionEvidence::default();
        out.push(CODEC_WITH_METERS);
        let bit = |bit, set| if set { bit } else { 0 };
        out.push(
            bit(NEWEST, self.newest.is_some())
                | bit(FIXED, self.trust.fixed.is_some())
                | bit(ANCHOR, self.anchor.is_some())
                | bit(OWN_ENGINE, self.own.engine.is_some())
                | bit(IGNITION_KEPT, self.ignition_kept)
                | bit(JUMPED, self.trust.jumped.is_some())
                | bit(HELD, self.is_held())
                | bit(COUNTS_SATELLITES, self.trust.counts_satellites),
        );
        // Times lie close together: each is written as its difference to the one before.
        let mut last = 0;
        for seen in self.newest.iter() {
            put_seen(&mut out, seen, &mut last);
        }
        for fixed in [self.trust.fixed, self.anchor, self.trust.jumped].iter().flatten() {
            put_time(&mut out, fixed.recorded_at, &mut last);
            out.extend_from_slice(&fixed.place.lat.to_le_bytes());
            out.extend_from_slice(&fixed.place.lng.to_le_bytes());
        }
        if self.is_held() {
            put_time(&mut out, self.trust.held.since, &mut last);
            out.push(self.trust.held.fixes);
        }
        put_varint(&mut out, self.seen.iter().flatten().count() as u64);
        for seen in self.seen.iter().flatten() {
            put_seen(&mut out, seen, &mut last);
        }
        put_derived(&mut out, &self.derived, &mut last);
        for own in self.own.engine.iter() {
            put_varint(&mut out, own.meter.reported);
            put_varint(&mut out, own.engine_ms);
        }
        out.push(bit(WIRE, has_wire) | bit(ODOMETER, self.own.odometer.is_some()) | bit(IN_USE, self.in_use));
        if has_wire {
            put_wire(&mut out, &self.wire, &mut last);
        }
        for odometer in self.own.odometer.iter() {
            put_varint(&mut out, odometer.reported);
            put_signed(&mut out, odometer.added);
        }
        for own in self.own.engine.iter() {
            put_signed(&mut out, own.meter.added);
            put_time(&mut out, own.recorded_at, &mut last);
        }
        out
    }

    /// Reads what [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let codec = bytes.first().copied().filter(|codec| [CODEC_WITH_WIRE, CODEC_WITH_METERS].contains(codec));
        let codec = codec.unwrap_or(CODEC);
        let mut reader = Reader::of_codec(bytes, codec)?;
        let has = reader.byte()?;
        let mut last = 0;
        let mut state = Self::default();
        if has & NEWEST != 0 {
            state.newest = Some(seen(&mut reader, &mut last)?);
        }
        if has & FIXED != 0 {
            state.trust.fixed = Some(fixed(&mut reader, &mut last)?);
        }
        if has & ANCHOR != 0 {
            state.anchor = Some(fixed(&mut reader, &mut last)?);
        }
        if has & JUMPED != 0 {
            state.trust.jumped = Some(fixed(&mut reader, &mut last)?);
        }
        state.trust.held = if has & HELD != 0 {
            Held { since: time(&mut reader, &mut last)?, fixes: reader.byte()? }
        } else {
            state.trust.fixed.map(Held::first).unwrap_or_default()
        };
        state.trust.counts_satellites = has & COUNTS_SATELLITES != 0;
        state.ignition_kept = has & IGNITION_KEPT != 0;
        let count = reader.count(WINDOW)?;
        for slot in &mut state.seen[..count] {
            *slot = Some(seen(&mut reader, &mut last)?);
        }
        state.derived = derived(&mut reader, &mut last)?;
        if has & OWN_ENGINE != 0 {
            let meter = OwnMeter { reported: reader.varint()?, added: 0 };
            let engine_ms = reader.varint()?;
            state.own.engine =
                Some(OwnEngine { meter, engine_ms, recorded_at: state.recorded_at().unwrap_or_default() });
        }
        let more = match codec {
            CODEC_WITH_METERS => reader.byte()?,
            CODEC_WITH_WIRE => WIRE,
            _ => 0,
        };
        if more & WIRE != 0 {
            state.wire = wire(&mut reader, &mut last)?;
        }
        if codec == CODEC_WITH_METERS {
            state.in_use = more & IN_USE != 0;
            read_meters(&mut state.own, more & ODOMETER != 0, &mut reader, &mut last)?;
        } else {
            state.in_use = state.derived.distance_dm > 0;
        }
        if reader.is_empty() { Ok(state) } else { Err(CodecError::Corrupt("bytes after the end")) }
    }

    /// Whether several fixes were held at one place; of a single one the state says enough.
    fn is_held(&self) -> bool {
        self.trust.held.fixes > 1
    }
}

fn read_meters(
    own: &mut OwnMeters,
    has_odometer: bool,
    reader: &mut Reader<'_>,
    last: &mut i64,
) -> Result<(), CodecError> {
    if has_odometer {
        own.odometer = Some(OwnMeter { reported: reader.varint()?, added: reader.signed()? });
    }
    if let Some(engine) = &mut own.engine {
        engine.meter.added = reader.signed()?;
        engine.recorded_at = time(reader, last)?;
    }
    Ok(())
}

fn put_time(out: &mut Vec<u8>, time: i64, last: &mut i64) {
    put_signed(out, time.wrapping_sub(*last));
    *last = time;
}

fn time(reader: &mut Reader<'_>, last: &mut i64) -> Result<i64, CodecError> {
    *last = last.wrapping_add(reader.signed()?);
    Ok(*last)
}

fn put_seen(out: &mut Vec<u8>, seen: &Seen, last: &mut i64) {
    put_time(out, seen.recorded_at, last);
    out.extend_from_slice(&seen.content.to_le_bytes());
}

fn seen(reader: &mut Reader<'_>, last: &mut i64) -> Result<Seen, CodecError> {
    Ok(Seen { recorded_at: time(reader, last)?, content: u32::from_le_bytes(reader.array()?) })
}

fn fixed(reader: &mut Reader<'_>, last: &mut i64) -> Result<Fixed, CodecError> {
    let recorded_at = time(reader, last)?;
    let (lat, lng) = (i32::from_le_bytes(reader.array()?), i32::from_le_bytes(reader.array()?));
    Ok(Fixed { place: Place { lat, lng }, recorded_at })
}

fn put_wire(out: &mut Vec<u8>, wire: &IgnitionEvidence, last: &mut i64) {
    let bit = |bit, set| if set { bit } else { 0 };
    out.push(bit(DRIVE, wire.from_dm.is_some()) | bit(ABSENT, wire.absent_since.is_some()));
    out.push(wire.drives);
    wire.from_dm.into_iter().for_each(|from_dm| put_varint(out, from_dm));
    wire.absent_since.into_iter().for_each(|since| put_time(out, since, last));
}

fn wire(reader: &mut Reader<'_>, last: &mut i64) -> Result<IgnitionEvidence, CodecError> {
    let [has, drives] = reader.array()?;
    let from_dm = if has & DRIVE != 0 { Some(reader.varint()?) } else { None };
    let absent_since = if has & ABSENT != 0 { Some(time(reader, last)?) } else { None };
    Ok(IgnitionEvidence { drives, from_dm, absent_since })
}

fn put_derived(out: &mut Vec<u8>, derived: &Derived, last: &mut i64) {
    put_varint(out, u64::from(present::of_derived(derived)));
    put_time(out, derived.motion_since, last);
    for value in counters(derived) {
        put_varint(out, value);
    }
}

fn derived(reader: &mut Reader<'_>, last: &mut i64) -> Result<Derived, CodecError> {
    let bits = u32::try_from(reader.varint()?).map_err(|_| CodecError::Corrupt("bits of the derived values"))?;
    Ok(Derived {
        motion_since: time(reader, last)?,
        distance_dm: reader.varint()?,
        odometer_dm: reader.varint()?,
        engine_ms: reader.varint()?,
        moving_ms: reader.varint()?,
        idle_ms: reader.varint()?,
        parked_ms: reader.varint()?,
        ..present::read_derived(bits)
    })
}

/// In the order in which [`derived`] reads them.
fn counters(derived: &Derived) -> [u64; 6] {
    [derived.distance_dm, derived.odometer_dm, derived.engine_ms, derived.moving_ms, derived.idle_ms, derived.parked_ms]
}
