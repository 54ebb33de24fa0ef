//! A column of integers as byte planes: quick to write and to read, and what is left repeats in a way that zstd finds.
//!
//! ```text
//! head: width 0 to 8 | 16 if in thousands | 32 if there is a base
//! base: signed varint, the smallest value
//! planes: the lowest bytes of all differences to the base, then the next bytes …
//! ```

use crate::wire::{
    bytes::{Reader, put_signed},
    error::CodecError,
};

const WIDTH: u8 = 15;
const THOUSANDS: u8 = 16;
const BASE: u8 = 32;

/// Appends a column. `scratch` is memory to work in.
pub(crate) fn put(out: &mut Vec<u8>, values: &[i64], scratch: &mut Vec<u64>) {
    let (min, max) = values.iter().fold((i64::MAX, i64::MIN), |(min, max), &v| (min.min(v), max.max(v)));
    let Some(span) = (min <= max).then(|| max.wrapping_sub(min) as u64) else { return };
    let thousands = span >= 1_000 && values.iter().all(|v| (v.wrapping_sub(min) as u64).is_multiple_of(1_000));
    let span = if thousands { span / 1_000 } else { span };
    let width = (64 - span.leading_zeros()).div_ceil(8) as u8;
    out.push(width | if thousands { THOUSANDS } else { 0 } | if min != 0 { BASE } else { 0 });
    if min != 0 {
        put_signed(out, min);
    }
    if width == 0 {
        return;
    }
    scratch.clear();
    let unit = if thousands { 1_000 } else { 1 };
    if thousands {
        scratch.extend(values.iter().map(|v| v.wrapping_sub(min) as u64 / unit));
    } else {
        scratch.extend(values.iter().map(|v| v.wrapping_sub(min) as u64));
    }
    for plane in 0..width {
        out.extend(scratch.iter().map(|v| (v >> (8 * plane)) as u8));
    }
}

/// A column as it was read.
pub(crate) enum Column {
    /// The same value in every row.
    Constant(i64),
    /// A value for each row.
    Varying(Vec<i64>),
}

/// Reads a column of `n` values.
pub(crate) fn get(reader: &mut Reader<'_>, n: usize) -> Result<Vec<i64>, CodecError> {
    match get_column(reader, n)? {
        Column::Constant(value) => Ok(vec![value; n]),
        Column::Varying(values) => Ok(values),
    }
}

/// Reads a column of `n` values and tells whether they are all the same.
pub(crate) fn get_column(reader: &mut Reader<'_>, n: usize) -> Result<Column, CodecError> {
    if n == 0 {
        return Ok(Column::Constant(0));
    }
    let head = reader.byte()?;
    let width = usize::from(head & WIDTH);
    if width > 8 {
        return Err(CodecError::Corrupt("an integer of more than eight bytes"));
    }
    let base = if head & BASE != 0 { reader.signed()? } else { 0 };
    let planes = reader.take(n * width)?;
    let mut values: Vec<i64> = match width {
        0 => return Ok(Column::Constant(base)),
        1 => planes.iter().map(|low| i64::from(*low)).collect(),
        _ => {
            let (low, high) = planes.split_at(n);
            let pairs = low.iter().zip(high);
            pairs.map(|(low, high)| i64::from(*low) | i64::from(*high) << 8).collect()
        }
    };
    for (plane, bytes) in planes.chunks_exact(n).enumerate().skip(2) {
        for (value, byte) in values.iter_mut().zip(bytes) {
            *value |= i64::from(*byte) << (8 * plane);
        }
    }
    if head & THOUSANDS != 0 {
        values.iter_mut().for_each(|value| *value = value.wrapping_mul(1_000));
    }
    if base != 0 {
        values.iter_mut().for_each(|value| *value = value.wrapping_add(base));
    }
    Ok(Column::Varying(values))
}
