//! What is known of a vehicle's fuel as bytes, for checkpoints.

use super::{
    changes::{Change, FuelWatch, WINDOW},
    failure::Failure,
    loss::Loss,
    reading::Reading,
};
use crate::{
    position::geodesy::Place,
    wire::{
        bytes::{Reader, put_signed, put_varint},
        error::CodecError,
    },
};

const STAND: u8 = 1;
const LEVEL: u8 = 2;
const CHANGE: u8 = 4;
const RISES: u8 = 8;
const STOOD: u8 = 16;
const FAILURE: u8 = 32;
const LOSS: u8 = 64;
/// Of a reading.
const STANDS: u8 = 1;
const SLOW: u8 = 2;

/// Larger than whatever is counted or measured: what is beyond is damage.
const VALUE_MAX: u64 = 1 << 46;

impl FuelWatch {
    /// Appends compact bytes, about 60: readings as their differences, everything else as variable-length integers.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let bit = |bit, set: bool| if set { bit } else { 0 };
        out.extend_from_slice(&self.sensor.to_le_bytes());
        out.push(
            bit(STAND, self.stand.is_some())
                | bit(LEVEL, self.level.is_some())
                | bit(CHANGE, self.change.is_some())
                | bit(RISES, self.change.is_some_and(|change| change.rises))
                | bit(STOOD, self.change.is_some_and(|change| change.stood))
                | bit(FAILURE, self.failure.is_some())
                | bit(LOSS, self.loss.is_some()),
        );
        put_count(out, self.noise);
        put_varint(out, self.count as u64);
        let mut last = Reading::default();
        for reading in self.recent[WINDOW - self.count..].iter().chain(&self.level) {
            put_reading(out, reading, &mut last);
        }
        if let Some(stand) = self.stand {
            put_place(out, stand);
        }
        if let Some(change) = &self.change {
            put_change(out, change, last.at);
        }
        if let Some(failure) = &self.failure {
            put_signed(out, failure.since.wrapping_sub(last.at));
            put_reading(out, &failure.before, &mut last);
        }
        if let Some(loss) = &self.loss {
            put_reading(out, &loss.from, &mut last);
            put_signed(out, loss.since.wrapping_sub(last.at));
            put_signed(out, loss.at.wrapping_sub(last.at));
            put_count(out, loss.fuel);
        }
    }

    /// Reads what [`Self::encode`] wrote.
    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let sensor = u32::from_le_bytes(reader.array()?);
        let has = reader.byte()?;
        let noise = count(reader)?;
        let mut watch = Self { sensor, noise, count: reader.count(WINDOW)?, ..Self::default() };
        let mut last = Reading::default();
        for slot in &mut watch.recent[WINDOW - watch.count..] {
            *slot = reading(reader, &mut last)?;
        }
        if has & LEVEL != 0 {
            watch.level = Some(reading(reader, &mut last)?);
        }
        if has & STAND != 0 {
            watch.stand = Some(place(reader)?);
        }
        if has & CHANGE != 0 {
            let read = change(reader, last.at)?;
            watch.change = Some(Change { rises: has & RISES != 0, stood: has & STOOD != 0, ..read });
        }
        if has & FAILURE != 0 {
            let since = last.at.wrapping_add(reader.signed()?);
            watch.failure = Some(Failure { since, before: reading(reader, &mut last)? });
        }
        if has & LOSS != 0 {
            let from = reading(reader, &mut last)?;
            let mut time = || Ok::<_, CodecError>(from.at.wrapping_add(reader.signed()?));
            let (since, at) = (time()?, time()?);
            watch.loss = Some(Loss { from, since, at, fuel: count(reader)? });
        }
        Ok(watch)
    }
}

fn put_reading(out: &mut Vec<u8>, reading: &Reading, last: &mut Reading) {
    put_signed(out, reading.at.wrapping_sub(last.at));
    put_count(out, reading.fuel);
    put_signed(out, reading.travelled.wrapping_sub(last.travelled));
    put_signed(out, reading.engine.wrapping_sub(last.engine));
    out.push(if reading.stands { STANDS } else { 0 } | if reading.is_slow { SLOW } else { 0 });
    *last = *reading;
}

fn reading(reader: &mut Reader<'_>, last: &mut Reading) -> Result<Reading, CodecError> {
    *last = Reading {
        at: last.at.wrapping_add(reader.signed()?),
        fuel: count(reader)?,
        travelled: last.travelled.wrapping_add(reader.signed()?),
        engine: last.engine.wrapping_add(reader.signed()?),
        ..Reading::default()
    };
    let how = reader.byte()?;
    (last.stands, last.is_slow) = (how & STANDS != 0, how & SLOW != 0);
    Ok(*last)
}

fn put_change(out: &mut Vec<u8>, change: &Change, last: i64) {
    for time in [change.since, change.holds_since] {
        put_signed(out, time.wrapping_sub(last));
    }
    put_place(out, change.place);
    let Change { noise, seen, fuel, held, sum, lowest, highest, .. } = *change;
    for number in [noise, seen, fuel, held, sum, lowest, highest] {
        put_count(out, number);
    }
}

/// But for what its flags say.
fn change(reader: &mut Reader<'_>, last: i64) -> Result<Change, CodecError> {
    Ok(Change {
        since: last.wrapping_add(reader.signed()?),
        holds_since: last.wrapping_add(reader.signed()?),
        place: place(reader)?,
        noise: count(reader)?,
        seen: count(reader)?,
        fuel: count(reader)?,
        held: count(reader)?,
        sum: count(reader)?,
        lowest: count(reader)?,
        highest: count(reader)?,
        ..Change::default()
    })
}

/// Nothing that is counted or measured is less than nothing.
fn put_count(out: &mut Vec<u8>, number: i64) {
    put_varint(out, u64::try_from(number).unwrap_or_default());
}

fn count(reader: &mut Reader<'_>) -> Result<i64, CodecError> {
    let number = reader.varint()?;
    i64::try_from(number).ok().filter(|_| number <= VALUE_MAX).ok_or(CodecError::Corrupt("a number of the fuel"))
}

fn put_place(out: &mut Vec<u8>, place: Place) {
    out.extend_from_slice(&place.lat.to_le_bytes());
    out.extend_from_slice(&place.lng.to_le_bytes());
}

fn place(reader: &mut Reader<'_>) -> Result<Place, CodecError> {
    Ok(Place { lat: i32::from_le_bytes(reader.array()?), lng: i32::from_le_bytes(reader.array()?) })
}
