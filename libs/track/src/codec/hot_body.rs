//! The compressed part of a hot frame; its layout is in `hot.rs`.

use crate::{
    codec::{
        columns::Columns,
        predict::{Predictor, Row, TERMS, Terms},
        strings::{self, StringTable},
    },
    position::{geodesy::Place, present::*},
    wire::{
        bytes::Reader,
        error::CodecError,
        planes::{self, Column},
        zip,
    },
};

/// Up to this many different bits have a palette; an ordinary frame has a handful.
const PALETTE: usize = 64;

/// Memory that is kept from frame to frame.
#[derive(Default)]
pub(crate) struct Scratch {
    predictors: Vec<Predictor>,
    first: [Vec<i64>; TERMS],
    next: [Vec<i64>; TERMS],
    numbers: Vec<i64>,
    planes: Vec<u64>,
    raw: Vec<u8>,
}

/// The raw body of these rows. Devices are numbered in the order of their first row.
pub(crate) fn encode<'a>(of_row: &[u32], devices: usize, columns: &Columns, scratch: &'a mut Scratch) -> &'a [u8] {
    let Scratch { predictors, first, next, numbers, planes, raw } = scratch;
    raw.clear();
    predictors.clear();
    predictors.resize_with(devices, Predictor::default);
    first.iter_mut().chain(next.iter_mut()).for_each(Vec::clear);
    numbers.clear();

    let mut odometers = columns.odometer.iter();
    let mut seen = 0;
    for (row, &number) in of_row.iter().enumerate() {
        let bits = columns.present[row];
        let full = Row {
            recorded_at: columns.recorded_at[row],
            place: Place { lat: columns.lat[row], lng: columns.lng[row] },
            odometer: if bits & ODOMETER != 0 { odometers.next().copied().unwrap_or(0) } else { 0 },
            derived: columns.derived[row],
        };
        let terms = predictors[number as usize].terms(bits, &full);
        numbers.push(i64::from(seen) - i64::from(number));
        let into = if number == seen { &mut *first } else { &mut *next };
        seen += u32::from(number == seen);
        for (column, term) in into.iter_mut().zip(terms) {
            column.push(term);
        }
    }
    planes::put(raw, numbers, planes);
    put_bits(raw, &columns.present, numbers, planes);
    for column in first.iter().chain(next.iter()) {
        planes::put(raw, column, planes);
    }
    put_optional(raw, columns, numbers, planes);
    raw
}

fn put_bits(raw: &mut Vec<u8>, present: &[u32], numbers: &mut Vec<i64>, planes: &mut Vec<u64>) {
    let mut palette: Vec<u32> = Vec::new();
    numbers.clear();
    for bits in present {
        let number = palette.iter().position(|other| other == bits).unwrap_or_else(|| {
            palette.push(*bits);
            palette.len() - 1
        });
        if palette.len() > PALETTE {
            break;
        }
        numbers.push(number as i64);
    }
    raw.push(if palette.len() > PALETTE { 0 } else { palette.len() as u8 });
    if palette.len() > PALETTE {
        numbers.clear();
        numbers.extend(present.iter().map(|bits| i64::from(*bits)));
        planes::put(raw, numbers, planes);
        return;
    }
    for bits in palette {
        raw.extend_from_slice(&bits.to_le_bytes());
    }
    raw.extend(numbers.iter().map(|number| *number as u8));
}

fn get_bits(reader: &mut Reader<'_>, n: usize) -> Result<Vec<u32>, CodecError> {
    let colours = usize::from(reader.byte()?);
    if colours == 0 {
        return Ok(planes::get(reader, n)?.into_iter().map(|bits| bits as u32).collect());
    }
    let palette = (0..colours).map(|_| reader.array().map(u32::from_le_bytes)).collect::<Result<Vec<_>, _>>()?;
    let colour = |number: &u8| palette.get(usize::from(*number)).copied();
    reader.take(n)?.iter().map(|number| colour(number).ok_or(CodecError::Corrupt("a colour off the palette"))).collect()
}

/// The optional columns that have values, in the order of their bits, and the texts.
fn put_optional(raw: &mut Vec<u8>, columns: &Columns, numbers: &mut Vec<i64>, planes: &mut Vec<u64>) {
    let mut put = |raw: &mut Vec<u8>, values: &mut dyn Iterator<Item = i64>| {
        numbers.clear();
        numbers.extend(values);
        planes::put(raw, numbers, planes);
    };
    put(raw, &mut columns.speed.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.course.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.alt.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.sat.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.fuel_liter.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.fuel_percent.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.batt_percent.iter().map(|v| i64::from(*v)));
    put(raw, &mut columns.gsm_signal.iter().map(|v| i64::from(*v)));
    let mut table = StringTable::default();
    put(raw, &mut columns.alarm.iter().map(|text| table.add(text)));
    put(raw, &mut columns.attrs.iter().map(|text| table.add(text)));
    table.write(raw);
}

/// Reads the rows: for each the number of its device, and the columns. With `wanted`, only the rows of that device
/// have times, places and derived values.
pub(crate) fn decode(
    body: &[u8],
    n: usize,
    devices: usize,
    wanted: Option<u32>,
) -> Result<(Vec<u32>, Columns), CodecError> {
    let mut raw = Vec::new();
    zip::get(body, &mut raw)?;
    // The bits of a row take a byte at least, so memory stays in proportion to the data.
    if n > raw.len() || devices > n {
        return Err(CodecError::Corrupt("more rows than data"));
    }
    let mut reader = Reader::new(&raw);
    let of_row = numbers(planes::get(&mut reader, n)?, devices)?;
    let present = get_bits(&mut reader, n)?;
    let first = TermColumns::read(&mut reader, devices)?;
    let next = TermColumns::read(&mut reader, n - devices)?;
    let mut columns = Columns { present, ..Columns::default() };
    read_rows(&mut columns, &of_row, devices, [&first, &next], wanted);
    get_optional(&mut reader, &mut columns)?;
    Ok((of_row, columns))
}

/// Turns the distances to the number of devices seen before into numbers, each of which appears first in its order.
fn numbers(distances: Vec<i64>, devices: usize) -> Result<Vec<u32>, CodecError> {
    let mut seen = 0_u32;
    let number = |distance: i64| {
        let number = u32::try_from(i64::from(seen).wrapping_sub(distance)).ok().filter(|number| *number <= seen)?;
        seen += u32::from(number == seen);
        Some(number)
    };
    let numbers = distances.into_iter().map(number).collect::<Option<Vec<_>>>();
    numbers.filter(|_| seen as usize == devices).ok_or(CodecError::Corrupt("the devices of the rows"))
}

/// The terms of some rows, ready to be read row by row.
struct TermColumns {
    /// Of the columns that have the same value in all rows.
    constant: Terms,
    /// The others, by their place in [`Terms`].
    varying: Vec<(usize, Vec<i64>)>,
}

impl TermColumns {
    fn read(reader: &mut Reader<'_>, n: usize) -> Result<Self, CodecError> {
        let mut columns = Self { constant: [0; TERMS], varying: Vec::new() };
        for term in 0..TERMS {
            match planes::get_column(reader, n)? {
                Column::Constant(value) => columns.constant[term] = value,
                Column::Varying(values) => columns.varying.push((term, values)),
            }
        }
        Ok(columns)
    }

    #[inline(always)]
    fn row(&self, row: usize) -> Terms {
        let mut terms = self.constant;
        for (term, values) in &self.varying {
            terms[*term] = values[row];
        }
        terms
    }
}

fn read_rows(columns: &mut Columns, of_row: &[u32], devices: usize, terms: [&TermColumns; 2], wanted: Option<u32>) {
    let n = of_row.len();
    columns.recorded_at.reserve_exact(n);
    columns.lat.reserve_exact(n);
    columns.lng.reserve_exact(n);
    columns.derived.reserve_exact(n);
    let mut predictors = vec![Predictor::default(); devices];
    let mut seen = 0;
    for (row, (&number, &bits)) in of_row.iter().zip(&columns.present).enumerate() {
        let is_first = number == seen;
        let (columns_of, at) = if is_first { (terms[0], seen as usize) } else { (terms[1], row - seen as usize) };
        seen += u32::from(is_first);
        let read = if wanted.is_none_or(|wanted| wanted == number) {
            predictors[number as usize].row(bits, &columns_of.row(at))
        } else {
            Row::default()
        };
        columns.recorded_at.push(read.recorded_at);
        columns.lat.push(read.place.lat);
        columns.lng.push(read.place.lng);
        columns.derived.push(read.derived);
        if bits & ODOMETER != 0 {
            columns.odometer.push(read.odometer);
        }
    }
}

fn get_optional(reader: &mut Reader<'_>, columns: &mut Columns) -> Result<(), CodecError> {
    let counts = columns.counts();
    let mut get = |bit: u32| planes::get(reader, counts[bit.trailing_zeros() as usize]);
    columns.speed = get(SPEED)?.into_iter().map(|v| v as u32).collect();
    columns.course = get(COURSE)?.into_iter().map(|v| v as u32).collect();
    columns.alt = get(ALT)?.into_iter().map(|v| v as i32).collect();
    columns.sat = get(SAT)?.into_iter().map(|v| v as u32).collect();
    columns.fuel_liter = get(FUEL_LITER)?.into_iter().map(|v| v as u32).collect();
    columns.fuel_percent = get(FUEL_PERCENT)?.into_iter().map(|v| v as u8).collect();
    columns.batt_percent = get(BATT_PERCENT)?.into_iter().map(|v| v as u8).collect();
    columns.gsm_signal = get(GSM_SIGNAL)?.into_iter().map(|v| v as u8).collect();
    let (alarm, attrs) = (get(ALARM)?, get(ATTRS)?);
    let table = strings::read(reader)?;
    columns.alarm = strings::pick(&table, &alarm)?;
    columns.attrs = strings::pick(&table, &attrs)?;
    Ok(())
}
