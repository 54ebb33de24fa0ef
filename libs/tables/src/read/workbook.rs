//! Excel. A workbook is a zip of XML, so a small file may become anything: what it becomes is counted first.

use std::io::{self, Cursor, Read};

use calamine::{Cell, DataRef, ExcelDateTime, Reader, SheetType, Xlsx, XlsxError};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::sheet::{Builder, Error, Limits, Sheet};
use crate::TIME;

pub(super) fn read(file: &[u8], sheet: Option<&str>, limits: &Limits) -> Result<Sheet, Error> {
    check_size(file, limits)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file)).map_err(broken)?;
    let mut names = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let name = match sheet {
        Some(wanted) => {
            names.find(|sheet| sheet.name == wanted).ok_or_else(|| Error::NoSuchSheet(wanted.to_owned()))?
        }
        None => names.next().ok_or(Error::Empty)?,
    };
    let name = name.name.clone();
    let mut reader = book.worksheet_cells_reader(&name).map_err(broken)?;
    let codes: Vec<_> = reader
        .styles()
        .iter()
        .map(|style| style.number_format.as_ref().map(|format| format.format_code.clone()))
        .collect();
    let mut builder = Builder::new(limits);
    let (mut number, mut cells) = (0, Vec::new());
    while let Some((cell, style)) = reader.next_cell_with_style_id().map_err(broken)? {
        let (row, column) = place(&cell);
        let code = codes.get(style).and_then(Option::as_deref).unwrap_or_default();
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
        cells.resize(cells.len().max(column + 1), String::new());
        cells[column] = text;
    }
    builder.row(number + 1, cells)?;
    builder.finish()
}

/// Row and column, from 0.
fn place(cell: &Cell<DataRef<'_>>) -> (usize, usize) {
    let (row, column) = cell.get_position();
    (row as usize, column as usize)
}

/// Unpacks all parts without keeping them: what a file says of its own sizes may be wrong.
fn check_size(file: &[u8], limits: &Limits) -> Result<(), Error> {
    let broken = |error: &dyn std::fmt::Display| Error::Broken(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).map_err(|error| broken(&error))?;
    let mut left = limits.unpacked as u64;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| broken(&error))?;
        let size = io::copy(&mut part.take(left + 1), &mut io::sink()).map_err(|error| broken(&error))?;
        left = left.checked_sub(size).ok_or(Error::TooLarge { max: limits.unpacked })?;
    }
    Ok(())
}

fn broken(error: XlsxError) -> Error {
    match error {
        XlsxError::Password => Error::OldOrEncrypted,
        error => Error::Broken(error.to_string()),
    }
}

/// A cell as people see it, more or less: `code` is how Excel shows it.
fn text(value: &DataRef<'_>, code: &str) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => shown(*number, code),
        DataRef::Bool(value) => value.to_string().to_uppercase(),
        DataRef::DateTime(time) => time_shown(time, code),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error.to_string(),
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
