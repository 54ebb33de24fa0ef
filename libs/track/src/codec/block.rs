//! The sealed block: positions of one device, ascending in time, as small as they get.
//!
//! ```text
//! codec: 1 byte
//! checksum of all that follows: 4 bytes
//! segments of up to 65,536 positions, one behind the other:
//!     n: varint
//!     bits of each row (`position/present.rs`): palette: count and bits as varints · number in the palette: packed
//!     the 11 terms (`predict.rs`), each row predicted from the one before: 11 packed
//!     optional columns that have values, in the order of their bits: packed
//!     texts, if there are any: length · compressed
//! ```
//!
//! `wire/packed.rs` says how a column of integers is packed. A column that nothing is in costs a byte or none.

use crate::{
    codec::{
        columns::Columns,
        predict::{Predictor, Row, TERMS},
        strings::{self, StringTable},
    },
    position::{enriched::Position, geodesy::Place, present::*},
    wire::{
        bytes::{Reader, checksum, put_varint, zigzag},
        error::CodecError,
        packed, zip,
    },
};

const CODEC: u8 = 1;
const CHECKED: usize = 5;
/// What a decoder sets memory aside for at once.
const SEGMENT: usize = 1 << 16;

/// Encodes positions of one device. Any order is kept; ascending in time is small.
pub fn encode_block(positions: &[Position]) -> Vec<u8> {
    let mut out = vec![CODEC, 0, 0, 0, 0];
    for segment in positions.chunks(SEGMENT) {
        put_segment(&mut out, &Columns::of(segment));
    }
    let sum = checksum(&out[CHECKED..]);
    out[1..CHECKED].copy_from_slice(&sum.to_le_bytes());
    out
}

/// Reads what [`encode_block`] wrote.
pub fn decode_block(bytes: &[u8]) -> Result<Vec<Position>, CodecError> {
    let mut positions = Vec::new();
    for_each_segment(bytes, |columns| {
        positions.reserve(columns.len());
        positions.extend(columns.rows());
    })?;
    Ok(positions)
}

/// Reads what [`encode_block`] wrote, but leaves it as columns: faster for a reader that wants few of them.
pub fn decode_columns(bytes: &[u8]) -> Result<Columns, CodecError> {
    let mut all = Columns::default();
    for_each_segment(bytes, |columns| if all.is_empty() { all = columns } else { all.append(columns) })?;
    Ok(all)
}

fn for_each_segment(bytes: &[u8], mut each: impl FnMut(Columns)) -> Result<(), CodecError> {
    let mut reader = Reader::of_codec(bytes, CODEC)?;
    if u32::from_le_bytes(reader.array()?) != checksum(reader.rest()) {
        return Err(CodecError::Corrupt("checksum"));
    }
    while !reader.is_empty() {
        each(segment(&mut reader)?);
    }
    Ok(())
}

fn put_segment(out: &mut Vec<u8>, columns: &Columns) {
    put_varint(out, columns.len() as u64);
    put_present(out, &columns.present);
    let mut terms: [Vec<i64>; TERMS] = std::array::from_fn(|_| Vec::with_capacity(columns.len()));
    let mut predictor = Predictor::default();
    let mut odometers = columns.odometer.iter();
    for row in 0..columns.len() {
        let bits = columns.present[row];
        let full = Row {
            recorded_at: columns.recorded_at[row],
            place: Place { lat: columns.lat[row], lng: columns.lng[row] },
            odometer: if bits & ODOMETER != 0 { odometers.next().copied().unwrap_or(0) } else { 0 },
            derived: columns.derived[row],
        };
        for (column, term) in terms.iter_mut().zip(predictor.terms(bits, &full)) {
            column.push(term);
        }
    }
    for column in &terms {
        // The first row is predicted from nothing, so it is far off.
        put_varint(out, zigzag(column[0] as u64));
        packed::put(out, &column[1..]);
    }
    put_optional(out, columns);
}

fn put_present(out: &mut Vec<u8>, present: &[u32]) {
    let mut palette: Vec<u32> = Vec::new();
    let numbers = present.iter().map(|bits| {
        let number = palette.iter().position(|other| other == bits).unwrap_or_else(|| {
            palette.push(*bits);
            palette.len() - 1
        });
        number as i64
    });
    let numbers: Vec<i64> = numbers.collect();
    put_varint(out, palette.len() as u64);
    for bits in palette {
        put_varint(out, u64::from(bits));
    }
    packed::put(out, &numbers);
}

fn present(reader: &mut Reader<'_>, n: usize) -> Result<Vec<u32>, CodecError> {
    let count = reader.count(n)?;
    let palette = (0..count).map(|_| reader.varint().map(|bits| bits as u32)).collect::<Result<Vec<_>, _>>()?;
    let colour = |number: i64| usize::try_from(number).ok().and_then(|number| palette.get(number)).copied();
    let numbers = packed::get(reader, n)?.into_iter();
    numbers.map(|number| colour(number).ok_or(CodecError::Corrupt("a colour off the palette"))).collect()
}

fn put_optional(out: &mut Vec<u8>, columns: &Columns) {
    let mut put = |values: &mut dyn Iterator<Item = i64>| packed::put(out, &values.collect::<Vec<_>>());
    put(&mut columns.speed.iter().map(|v| i64::from(*v)));
    put(&mut columns.course.iter().map(|v| i64::from(*v)));
    put(&mut columns.alt.iter().map(|v| i64::from(*v)));
    put(&mut columns.sat.iter().map(|v| i64::from(*v)));
    put(&mut columns.fuel_liter.iter().map(|v| i64::from(*v)));
    put(&mut columns.fuel_percent.iter().map(|v| i64::from(*v)));
    put(&mut columns.batt_percent.iter().map(|v| i64::from(*v)));
    put(&mut columns.gsm_signal.iter().map(|v| i64::from(*v)));
    let mut table = StringTable::default();
    put(&mut columns.alarm.iter().map(|text| table.add(text)));
    put(&mut columns.attrs.iter().map(|text| table.add(text)));
    if !columns.alarm.is_empty() || !columns.attrs.is_empty() {
        let (mut texts, mut zipped) = (Vec::new(), Vec::new());
        table.write(&mut texts);
        zip::put(&mut zipped, &texts);
        put_varint(out, zipped.len() as u64);
        out.extend_from_slice(&zipped);
    }
}

fn segment(reader: &mut Reader<'_>) -> Result<Columns, CodecError> {
    let n = reader.count(SEGMENT)?;
    if n == 0 {
        return Err(CodecError::Corrupt("an empty segment"));
    }
    let mut columns = Columns { present: present(reader, n)?, ..Columns::default() };
    let mut terms: [(i64, Vec<i64>); TERMS] = Default::default();
    for term in &mut terms {
        *term = (reader.signed()?, packed::get(reader, n - 1)?);
    }
    columns.recorded_at.reserve(n);
    columns.lat.reserve(n);
    columns.lng.reserve(n);
    columns.derived.reserve(n);
    let mut predictor = Predictor::default();
    for row in 0..n {
        let bits = columns.present[row];
        let of_row = terms.each_ref().map(|(first, rest)| if row == 0 { *first } else { rest[row - 1] });
        let read = predictor.row(bits, &of_row);
        columns.recorded_at.push(read.recorded_at);
        columns.lat.push(read.place.lat);
        columns.lng.push(read.place.lng);
        columns.derived.push(read.derived);
        if bits & ODOMETER != 0 {
            columns.odometer.push(read.odometer);
        }
    }
    get_optional(reader, &mut columns)?;
    Ok(columns)
}

fn get_optional(reader: &mut Reader<'_>, columns: &mut Columns) -> Result<(), CodecError> {
    let counts = columns.counts();
    let mut get = |bit: u32| packed::get(reader, counts[bit.trailing_zeros() as usize]);
    columns.speed = get(SPEED)?.into_iter().map(|v| v as u32).collect();
    columns.course = get(COURSE)?.into_iter().map(|v| v as u32).collect();
    columns.alt = get(ALT)?.into_iter().map(|v| v as i32).collect();
    columns.sat = get(SAT)?.into_iter().map(|v| v as u32).collect();
    columns.fuel_liter = get(FUEL_LITER)?.into_iter().map(|v| v as u32).collect();
    columns.fuel_percent = get(FUEL_PERCENT)?.into_iter().map(|v| v as u8).collect();
    columns.batt_percent = get(BATT_PERCENT)?.into_iter().map(|v| v as u8).collect();
    columns.gsm_signal = get(GSM_SIGNAL)?.into_iter().map(|v| v as u8).collect();
    let (alarm, attrs) = (get(ALARM)?, get(ATTRS)?);
    if alarm.is_empty() && attrs.is_empty() {
        return Ok(());
    }
    let length = reader.count(reader.rest().len())?;
    let mut texts = Vec::new();
    zip::get(reader.take(length)?, &mut texts)?;
    let table = strings::read(&mut Reader::new(&texts))?;
    columns.alarm = strings::pick(&table, &alarm)?;
    columns.attrs = strings::pick(&table, &attrs)?;
    Ok(())
}
