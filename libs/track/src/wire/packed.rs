//! A column of a block in the smallest of a few forms.
//!
//! ```text
//! head: form | 16 if it is the differences that follow, behind the first value as a signed varint
//! form 0: all are zero
//! form 1: all are the same: base
//! others: base, the smallest value, as signed varint · unit: varint; a value is base + unit × what is packed:
//!   form 2: width: 1 byte · that many bits for each value, lowest first
//!   form 3: number of runs: varint · of each its length and its value: varints
//!   form 4: bits of a number, 16, 32 or 64: 1 byte · a chunk of pco with one page
//! ```

use pco::{
    ChunkConfig, DeltaSpec, ModeSpec,
    data_types::Number,
    wrapped::{FileCompressor, FileDecompressor},
};

use crate::wire::{
    bytes::{Reader, put_signed, put_varint, zigzag},
    error::CodecError,
};

const DIFFERENCES: u8 = 16;
const ZERO: u8 = 0;
const SAME: u8 = 1;
const BITS: u8 = 2;
const RUNS: u8 = 3;
const PCO: u8 = 4;

/// What pco writes at the head of a file: its format version. It belongs to the codec of the block.
pub const FORMAT: &[u8] = &[4, 1];
/// pco's effort, 0 to 12.
const LEVEL: usize = 8;
/// Below so many bytes in another form pco has nothing to win: it needs about 20 for its own tables.
const WORTH_A_TRY: usize = 32;

const CORRUPT: CodecError = CodecError::Corrupt("a column of a block");

/// Appends a column; of none, nothing.
pub fn put(out: &mut Vec<u8>, values: &[i64]) {
    let Some(&first) = values.first() else { return };
    let differences: Vec<i64> = values.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect();
    if !differences.is_empty() && differing_pays(values, &differences) {
        let head = out.len();
        out.push(0);
        put_signed(out, first);
        let form = put_form(out, &differences);
        out[head] = form | DIFFERENCES;
    } else {
        let head = out.len();
        out.push(0);
        let form = put_form(out, values);
        out[head] = form;
    }
}

/// Whether the differences are fewer bits than the values above their smallest.
fn differing_pays(values: &[i64], differences: &[i64]) -> bool {
    let bits = |value: u64| u64::from(64 - value.leading_zeros());
    let min = values.iter().copied().min().unwrap_or(0);
    let plain: u64 = values.iter().map(|v| bits(v.wrapping_sub(min) as u64)).sum();
    let differing: u64 = differences.iter().map(|v| bits(zigzag(*v as u64))).sum();
    differing < plain
}

/// Appends values in the smallest form, which is returned.
fn put_form(out: &mut Vec<u8>, values: &[i64]) -> u8 {
    let (min, max) = values.iter().fold((i64::MAX, i64::MIN), |(min, max), &v| (min.min(v), max.max(v)));
    if min == max {
        if min == 0 {
            return ZERO;
        }
        put_signed(out, min);
        return SAME;
    }
    let unit = values.iter().fold(0, |unit, v| gcd(unit, v.wrapping_sub(min) as u64));
    put_signed(out, min);
    put_varint(out, unit);
    let packed: Vec<u64> = values.iter().map(|v| v.wrapping_sub(min) as u64 / unit).collect();
    let widest = max.wrapping_sub(min) as u64 / unit;
    put_packed(out, &packed, widest)
}

fn put_packed(out: &mut Vec<u8>, packed: &[u64], widest: u64) -> u8 {
    let width = (64 - widest.leading_zeros()) as usize;
    let bits_length = 1 + (packed.len() * width).div_ceil(8);
    let runs = runs_of(packed, bits_length);
    let best = runs.as_ref().map_or(bits_length, Vec::len);
    if best > WORTH_A_TRY
        && let Some(chunk) = pco_chunk(packed, width, best)
    {
        out.extend_from_slice(&chunk);
        return PCO;
    }
    if let Some(runs) = runs {
        out.extend_from_slice(&runs);
        return RUNS;
    }
    out.push(width as u8);
    put_bits(out, packed, width);
    BITS
}

fn gcd(a: u64, b: u64) -> u64 {
    if a == 1 || b == 0 {
        return a;
    }
    let (mut a, mut b) = (b, a);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The runs, if they take fewer bytes than `limit`.
fn runs_of(values: &[u64], limit: usize) -> Option<Vec<u8>> {
    let count = values.chunk_by(|a, b| a == b).take(limit / 2 + 1).count();
    if count * 2 >= limit {
        return None;
    }
    let mut out = Vec::with_capacity(limit);
    put_varint(&mut out, count as u64);
    for run in values.chunk_by(|a, b| a == b) {
        put_varint(&mut out, run.len() as u64);
        put_varint(&mut out, run[0]);
        if out.len() >= limit {
            return None;
        }
    }
    Some(out)
}

fn put_bits(out: &mut Vec<u8>, values: &[u64], width: usize) {
    let (mut pending, mut filled) = (0_u128, 0);
    for value in values {
        pending |= u128::from(*value) << filled;
        filled += width;
        while filled >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(pending as u8);
    }
}

fn get_bits(reader: &mut Reader<'_>, n: usize) -> Result<Vec<u64>, CodecError> {
    let width = usize::from(reader.byte()?);
    if width > 64 {
        return Err(CORRUPT);
    }
    let mut bytes = reader.take((n * width).div_ceil(8))?.iter();
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let (mut pending, mut filled) = (0_u128, 0);
    let mut values = Vec::with_capacity(n);
    for _ in 0..n {
        while filled < width {
            pending |= u128::from(bytes.next().copied().unwrap_or(0)) << filled;
            filled += 8;
        }
        values.push(pending as u64 & mask);
        pending >>= width;
        filled -= width;
    }
    Ok(values)
}

/// A chunk of pco behind the width of its numbers, if that is shorter than `limit`.
fn pco_chunk(values: &[u64], width: usize, limit: usize) -> Option<Vec<u8>> {
    match width {
        0..=16 => pco_write(16, values.iter().map(|v| *v as u16).collect::<Vec<_>>(), limit),
        17..=32 => pco_write(32, values.iter().map(|v| *v as u32).collect::<Vec<_>>(), limit),
        _ => pco_write(64, values.to_vec(), limit),
    }
}

fn pco_write<T: Number>(bits: u8, values: Vec<T>, limit: usize) -> Option<Vec<u8>> {
    let config = ChunkConfig::default()
        .with_compression_level(LEVEL)
        .with_mode_spec(ModeSpec::Classic)
        .with_delta_spec(DeltaSpec::NoOp);
    let mut chunk = FileCompressor::default().chunk_compressor(&values, &config).ok()?;
    let mut out = vec![bits];
    chunk.write_meta(&mut out).ok()?;
    if chunk.n_per_page().len() != 1 || out.len() >= limit {
        return None;
    }
    chunk.write_page(0, &mut out).ok()?;
    (out.len() < limit).then_some(out)
}

fn pco_read<T: Number + Default>(reader: &mut Reader<'_>, n: usize) -> Result<Vec<T>, CodecError> {
    let corrupt = |_| CORRUPT;
    let (file, _) = FileDecompressor::new(FORMAT).map_err(corrupt)?;
    let (mut chunk, rest) = file.chunk_decompressor::<T, _>(reader.rest()).map_err(corrupt)?;
    let mut page = chunk.page_decompressor(rest, n).map_err(corrupt)?;
    let mut values = vec![T::default(); n];
    let progress = page.read(&mut values).map_err(corrupt)?;
    if progress.n_processed != n {
        return Err(CORRUPT);
    }
    *reader = Reader::new(page.into_src());
    Ok(values)
}

/// Reads a column of `n` values, as many as [`put`] was given.
pub fn get(reader: &mut Reader<'_>, n: usize) -> Result<Vec<i64>, CodecError> {
    if n == 0 {
        return Ok(Vec::new());
    }
    let head = reader.byte()?;
    if head & DIFFERENCES == 0 {
        return get_form(reader, head, n);
    }
    let mut value = reader.signed()?;
    let mut values = get_form(reader, head & !DIFFERENCES, n - 1)?;
    // Each difference gives way to the value before it, and the last value follows.
    for slot in &mut values {
        let difference = std::mem::replace(slot, value);
        value = value.wrapping_add(difference);
    }
    values.push(value);
    Ok(values)
}

fn get_form(reader: &mut Reader<'_>, form: u8, n: usize) -> Result<Vec<i64>, CodecError> {
    if form == ZERO {
        return Ok(vec![0; n]);
    }
    let base = reader.signed()?;
    if form == SAME {
        return Ok(vec![base; n]);
    }
    let unit = reader.varint()?;
    let value = |packed: u64| base.wrapping_add(packed.wrapping_mul(unit) as i64);
    match form {
        BITS => Ok(get_bits(reader, n)?.into_iter().map(value).collect()),
        RUNS => get_runs(reader, n, value),
        PCO => match reader.byte()? {
            16 => Ok(pco_read::<u16>(reader, n)?.into_iter().map(|v| value(v.into())).collect()),
            32 => Ok(pco_read::<u32>(reader, n)?.into_iter().map(|v| value(v.into())).collect()),
            64 => Ok(pco_read::<u64>(reader, n)?.into_iter().map(value).collect()),
            _ => Err(CORRUPT),
        },
        _ => Err(CORRUPT),
    }
}

fn get_runs(reader: &mut Reader<'_>, n: usize, value: impl Fn(u64) -> i64) -> Result<Vec<i64>, CodecError> {
    let mut values = Vec::with_capacity(n);
    for _ in 0..reader.count(n)? {
        let length = reader.count(n - values.len())?;
        let value = value(reader.varint()?);
        values.resize(values.len() + length, value);
    }
    if values.len() == n { Ok(values) } else { Err(CORRUPT) }
}
