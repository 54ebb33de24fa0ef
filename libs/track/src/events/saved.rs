//! What is under way as bytes, for checkpoints.

use super::{
    driving::{Driven, Harsh, Overspeed, Tow},
    watch::{EventWatch, TOLD_MAX, Told},
};
use crate::{
    fuel::FuelWatch,
    position::{alarm_names::MAX_ALARMS_BYTES, geodesy::Place, report::Text},
    wire::{
        bytes::{Reader, put_signed, put_varint},
        error::CodecError,
    },
};

const OVERSPEED: u8 = 1;
const TOW: u8 = 2;
const ALARM: u8 = 4;
const LATE_ALARM: u8 = 8;
const OVERSPEED_RAISED: u8 = 16;
const TOW_RAISED: u8 = 32;
const FUEL: u8 = 64;
const DRIVEN: u8 = 128;
/// Beside the ignition: of how many fixes it is known that an alarm was told, a bit each.
const TOLD: [u8; TOLD_MAX] = [4, 16, 32];
const LATE_AT: u8 = 8;
/// With what was raised: when it was heard without a newer fix, and how far the fixes of an overspeed lie apart.
const HEARD: u8 = 128;
const APART: u8 = 64;
/// Beside the ignition, too: since when it is silent, and that a tow is told with the place where it began.
const SILENT: u8 = 64;
const TOW_PLACE: u8 = 128;

/// Times as their differences to the newest fix, everything else as variable-length integers.
const CODEC: u8 = 1;

impl EventWatch {
    /// Compact bytes for a checkpoint, about 25, and 60 more of a vehicle that reports its fuel; the first is the codec.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(32);
        let bit = |bit, set: bool| if set { bit } else { 0 };
        out.extend_from_slice(&[
            CODEC,
            self.raised | bit(HEARD, self.heard_at != 0) | bit(APART, self.apart() != 0),
            TOLD.into_iter().zip(self.told).fold(
                of_flag(self.ignition)
                    | bit(LATE_AT, self.late_at != 0)
                    | bit(SILENT, self.silent_since != 0)
                    | bit(TOW_PLACE, self.tow.is_some()),
                |bits, (one, told)| bits | bit(one, told.is_some()),
            ),
        ]);
        out.push(
            bit(OVERSPEED, self.overspeed.is_some())
                | bit(TOW, self.tow.is_some())
                | bit(ALARM, self.alarm.is_some())
                | bit(LATE_ALARM, self.late_alarm.is_some())
                | bit(OVERSPEED_RAISED, self.overspeed.is_some_and(|overspeed| overspeed.is_raised))
                | bit(TOW_RAISED, self.tow.is_some_and(|tow| tow.is_raised))
                | bit(FUEL, self.fuel.is_some())
                | bit(DRIVEN, self.driven.is_some()),
        );
        put_signed(&mut out, self.newest);
        put_place(&mut out, self.place);
        let before = |out: &mut Vec<u8>, time: i64| put_signed(out, self.newest.wrapping_sub(time));
        before(&mut out, self.motion_since);
        before(&mut out, self.harsh.raised_at);
        if let Some(overspeed) = self.overspeed {
            before(&mut out, overspeed.since);
            put_varint(&mut out, u64::from(overspeed.peak));
        }
        if let Some(tow) = self.tow {
            before(&mut out, tow.since);
            put_place(&mut out, tow.from);
        }
        if let Some(driven) = self.driven {
            before(&mut out, driven.at);
            put_varint(&mut out, u64::from(driven.speed));
            put_varint(&mut out, driven.course.map_or(0, |course| u64::from(course) + 1));
        }
        for alarm in [&self.alarm, &self.late_alarm].into_iter().flatten() {
            put_varint(&mut out, alarm.len() as u64);
            out.extend_from_slice(alarm.as_bytes());
        }
        for told in self.told.into_iter().flatten() {
            before(&mut out, told.recorded_at);
            before(&mut out, told.received_at);
        }
        if self.late_at != 0 {
            before(&mut out, self.late_at);
        }
        if self.apart() != 0 {
            put_signed(&mut out, self.apart());
        }
        if self.silent_since != 0 {
            before(&mut out, self.silent_since);
        }
        if self.heard_at != 0 {
            before(&mut out, self.heard_at);
        }
        if let Some(fuel) = &self.fuel {
            fuel.encode(&mut out);
        }
        out
    }

    /// Reads what [`Self::encode`] wrote. No bytes are those of a vehicle of which nothing is under way.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let mut reader = Reader::new(bytes);
        let [codec, raised, flags, has] = reader.array()?;
        if codec != CODEC {
            return Err(CodecError::UnknownCodec(codec));
        }
        let newest = reader.signed()?;
        let place = place_of(&mut reader)?;
        let before = |reader: &mut Reader<'_>| Ok::<_, CodecError>(newest.wrapping_sub(reader.signed()?));
        let ignition = flag(flags);
        let motion_since = before(&mut reader)?;
        let harsh = Harsh { raised_at: before(&mut reader)? };
        let mut watch =
            Self { raised: raised & !(HEARD | APART), ignition, newest, place, motion_since, harsh, ..Self::default() };
        if has & OVERSPEED != 0 {
            let (since, peak) = (before(&mut reader)?, reader.varint()?);
            let is_raised = has & OVERSPEED_RAISED != 0;
            watch.overspeed = Some(Overspeed { since, peak: speed(peak)?, apart: 0, is_raised });
        }
        if has & TOW != 0 {
            let since = before(&mut reader)?;
            let from = if flags & TOW_PLACE != 0 {
                place_of(&mut reader)?
            } else {
                // Once it was told with the distance by then.
                reader.varint()?;
                place
            };
            watch.tow = Some(Tow { since, from, is_raised: has & TOW_RAISED != 0 });
        }
        if has & DRIVEN != 0 {
            let (at, speed) = (before(&mut reader)?, speed(reader.varint()?)?);
            let course = reader.varint()?.checked_sub(1).map(u32::try_from).transpose();
            let course = course.map_err(|_| CodecError::Corrupt("a course"))?;
            watch.driven = Some(Driven { at, speed, course });
        }
        if has & ALARM != 0 {
            watch.alarm = Some(text(&mut reader)?);
        }
        if has & LATE_ALARM != 0 {
            watch.late_alarm = Some(text(&mut reader)?);
        }
        for (bit, told) in TOLD.into_iter().zip(&mut watch.told) {
            if flags & bit != 0 {
                *told = Some(Told { recorded_at: before(&mut reader)?, received_at: before(&mut reader)? });
            }
        }
        if flags & LATE_AT != 0 {
            watch.late_at = before(&mut reader)?;
        }
        if raised & APART != 0 {
            let apart = reader.signed()?;
            let overspeed = watch.overspeed.as_mut().ok_or(CodecError::Corrupt("fixes of no overspeed"))?;
            overspeed.apart = apart;
        }
        if flags & SILENT != 0 {
            watch.silent_since = before(&mut reader)?;
        }
        if raised & HEARD != 0 {
            watch.heard_at = before(&mut reader)?;
        }
        if has & FUEL != 0 {
            watch.fuel = Some(Box::new(FuelWatch::decode(&mut reader)?));
        }
        if reader.is_empty() { Ok(watch) } else { Err(CodecError::Corrupt("bytes after the end")) }
    }

    /// How far the fixes of an overspeed lie apart, milliseconds; 0 for none.
    fn apart(&self) -> i64 {
        self.overspeed.map_or(0, |overspeed| overspeed.apart)
    }
}

fn put_place(out: &mut Vec<u8>, place: Place) {
    out.extend_from_slice(&place.lat.to_le_bytes());
    out.extend_from_slice(&place.lng.to_le_bytes());
}

fn place_of(reader: &mut Reader<'_>) -> Result<Place, CodecError> {
    Ok(Place { lat: i32::from_le_bytes(reader.array()?), lng: i32::from_le_bytes(reader.array()?) })
}

fn speed(value: u64) -> Result<u32, CodecError> {
    u32::try_from(value).map_err(|_| CodecError::Corrupt("a speed"))
}

fn text(reader: &mut Reader<'_>) -> Result<Text, CodecError> {
    let length = reader.count(MAX_ALARMS_BYTES)?;
    let bytes = reader.take(length)?;
    Ok(std::str::from_utf8(bytes).map_err(|_| CodecError::Corrupt("an alarm"))?.into())
}

fn of_flag(flag: Option<bool>) -> u8 {
    flag.map_or(0, |set| 2 | u8::from(set))
}

fn flag(bits: u8) -> Option<bool> {
    (bits & 2 != 0).then_some(bits & 1 != 0)
}
