//! Excel. A workbook is a zip of XML, so a small file may become anything: what it becomes is counted first.

use std::{
    borrow::Cow,
    io::{self, Cursor, Read},
};

use calamine::{Cell, DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::{
    kinds,
    sheet::{Builder, CellKind, Error, Limits, Sheet},
};
use crate::TIME;

/// Characters of the code by which a number is shown: one with more zeros than this shows no number of anybody.
const CODE_MAX: usize = 64;
/// Bytes of a part that is read as a whole: styles, names of sheets, what leads to them.
const WHOLE_PART_MAX: u64 = 2 << 20;
/// Tags of such a part times the bytes of the longest: some 60,000 styles of 250 bytes, as many as Excel takes.
const STYLES_MAX: usize = 16 << 20;

pub(super) fn read(file: &[u8], sheet: Option<&str>, limits: &Limits) -> Result<Sheet, Error> {
    check_size(file, limits)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file)).map_err(broken)?;
    let all = || book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let seen = all().filter(|sheet| sheet.visible == SheetVisible::Visible);
    let sheets: Vec<_> = seen.map(|sheet| sheet.name.clone()).collect();
    let name = match sheet {
        Some(wanted) => {
            all().find(|sheet| sheet.name == wanted).ok_or_else(|| Error::NoSuchSheet(wanted.to_owned()))?
        }
        None => all().find(|sheet| sheets.first().is_none_or(|first| *first == sheet.name)).ok_or(Error::Empty)?,
    };
    let name = name.name.clone();
    let mut reader = book.worksheet_cells_reader(&name).map_err(broken)?;
    let codes: Vec<_> = reader
        .styles()
        .iter()
        .map(|style| style.number_format.as_ref().map(|format| short(&format.format_code)).unwrap_or_default())
        .collect();
    let mut builder = Builder::new(limits);
    let (mut number, mut cells) = (0, Vec::new());
    while let Some((cell, style)) = reader.next_cell_with_style_id().map_err(broken)? {
        builder.looked_at(1)?;
        let (row, column) = place(&cell);
        let code = codes.get(style).map(String::as_str).unwrap_or_default();
        let text = text(cell.get_value(), code);
        if text.is_empty() {
            continue;
        }
        if row != number {
            builder.row(number + 1, std::mem::take(&mut cells))?;
            number = row;
        }
        if column >= limits.columns {
            return Err(Error::TooManyColumns { max: limits.columns });
        }
        cells.resize(cells.len().max(column + 1), Default::default());
        let is_number = matches!(cell.get_value(), DataRef::Int(_) | DataRef::Float(_));
        cells[column] = (builder.copy(&text)?, if is_number { CellKind::Number } else { CellKind::Plain });
    }
    builder.row(number + 1, cells)?;
    Ok(Sheet { sheets, name, ..builder.finish()? })
}

/// How Excel shows a number, as far as anybody writes such a code. A file may have a million styles.
fn short(code: &str) -> String {
    code.chars().take(CODE_MAX).collect()
}

/// Row and column, from 0.
fn place(cell: &Cell<DataRef<'_>>) -> (usize, usize) {
    let (row, column) = cell.get_position();
    (row as usize, column as usize)
}

/// Unpacks all parts without keeping them: what a file says of its own sizes may be wrong. What is read as a whole, and not
/// cell by cell, is little, and of texts that cells share there are no more than there may be cells.
fn check_size(file: &[u8], limits: &Limits) -> Result<(), Error> {
    let broken = |error: &dyn std::fmt::Display| Error::Broken(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).map_err(|error| broken(&error))?;
    let mut left = limits.unpacked as u64;
    let mut names = Vec::new();
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| broken(&error))?;
        let name = part.name().map_err(|error| broken(&error))?.to_ascii_lowercase();
        let is_shared_texts = name.ends_with("sharedstrings.xml");
        let is_whole = ["styles.xml", "workbook.xml", ".rels"].iter().any(|end| name.ends_with(end));
        let max = match (is_shared_texts, is_whole) {
            (true, _) => limits.text as u64,
            (_, true) => WHOLE_PART_MAX,
            _ => left,
        };
        let mut counted = Counted::default();
        let size = io::copy(&mut part.take(max.min(left) + 1), &mut counted).map_err(|error| broken(&error))?;
        if size > max {
            return Err(Error::TooLarge { max: max as usize });
        }
        left = left.checked_sub(size).ok_or(Error::TooLarge { max: limits.unpacked })?;
        if is_shared_texts && counted.tags / 2 > limits.cells {
            return Err(Error::TooManyCells { max: limits.cells });
        }
        // What one style says, the reader copies for each that refers to it.
        if is_whole && counted.tags.saturating_mul(counted.longest) > STYLES_MAX {
            return Err(Error::TooLarge { max: STYLES_MAX });
        }
        names.push(name);
    }
    kinds::check_parts(&names)
}

/// Counts tags in what is written, and the bytes from the beginning of one to that of the next, which no attribute is longer
/// than. A text has one tag at least that begins it, and nearly always one that ends it.
#[derive(Default)]
struct Counted {
    tags: usize,
    longest: usize,
    present: usize,
}

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.present = if *byte == b'<' { 0 } else { self.present + 1 };
            self.tags += usize::from(*byte == b'<');
            self.longest = self.longest.max(self.present);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn broken(error: XlsxError) -> Error {
    match error {
        XlsxError::Password => Error::OldOrEncrypted,
        error => Error::Broken(error.to_string()),
    }
}

/// A cell as people see it, more or less: `code` is how Excel shows it.
fn text<'a>(value: &'a DataRef<'_>, code: &str) -> Cow<'a, str> {
    match value {
        DataRef::Empty => Cow::Borrowed(""),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => Cow::Borrowed(text),
        DataRef::SharedString(text) => Cow::Borrowed(text),
        DataRef::Int(number) => number.to_string().into(),
        DataRef::Float(number) => shown(*number, code).into(),
        DataRef::Bool(value) => value.to_string().to_uppercase().into(),
        DataRef::DateTime(time) => time_shown(time, code).into(),
        DataRef::Error(error) => error.to_string().into(),
    }
}

/// A number without exponent, to as many digits as Excel has.
fn shown(number: f64, code: &str) -> String {
    let digits = |number: f64| format!("{number:.14e}").parse().unwrap_or(number).to_string();
    // Leading zeros of telephone and other numbers.
    if code.len() > 1 && code.bytes().all(|c| c == b'0') && number.fract() == 0.0 && number >= 0.0 {
        return format!("{number:0>width$}", width = code.len());
    }
    if code.ends_with('%') { format!("{}%", digits(number * 100.0)) } else { digits(number) }
}

fn time_shown(time: &ExcelDateTime, code: &str) -> String {
    if time.is_duration() {
        let seconds = (time.as_f64() * 86_400.0).round() as i64;
        return format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    let Some(moment) = moment(time) else { return shown(time.as_f64(), "") };
    let has_time = code.to_ascii_lowercase().contains('h') || moment.time() != chrono::NaiveTime::MIN;
    match (time.as_f64() < 1.0, has_time) {
        (true, _) => moment.format("%H:%M:%S").to_string(),
        (false, true) => moment.format(TIME).to_string(),
        (false, false) => moment.format("%Y-%m-%d").to_string(),
    }
}

/// To the second: a fraction of a day is never exact.
fn moment(time: &ExcelDateTime) -> Option<NaiveDateTime> {
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into())?;
    let time = date.and_hms_opt(hour.into(), minute.into(), second.into())?;
    time.checked_add_signed(TimeDelta::seconds(i64::from(milli >= 500)))
}
