//! What a cell says, as a field has it.

use armada_proto::json::Clearable as _;
use armada_runtime::text::fold;
use armada_tables::read::CellKind;
use armada_track::Imei;
use serde_json::Value;

use super::{
    columns::{CLEAR_MARK, Field, Kind},
    dates::{self, Order},
    numbers::{self, Fraction},
};
use crate::http::language::{self, LANGUAGES};

/// Digits of an IMEI, and how many are left of one at least whose zeros Excel dropped.
const IMEI_DIGITS: usize = 15;
const IMEI_DIGITS_LEFT: usize = 12;
/// Texts that are numbers: Excel does to them what it does to numbers.
const NUMBERS: [&str; 8] = [
    "imei",
    "sim_number",
    "phone",
    "license_number",
    "identification",
    "tracker_serial_number",
    "engine_number",
    "chassis_number",
];

/// What is wrong with a cell.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// A code.
    pub code: &'static str,
    /// What would do in its place, if that can be told.
    pub proposal: Option<String>,
}

impl From<&'static str> for Wrong {
    fn from(code: &'static str) -> Self {
        Self { code, proposal: None }
    }
}

/// The text of a cell.
pub fn text(cell: &str) -> &str {
    cell.trim()
}

/// How the cells of a column are written that can be read in several ways.
#[derive(Debug, Clone, Copy, Default)]
pub struct Writing {
    /// Of days.
    pub order: Order,
    /// Of numbers; none where that is not known.
    pub fraction: Option<Fraction>,
}

/// The value of a field that is no name of something else, or what is wrong with the cell.
pub fn value(field: &Field, cell: &str, kind: CellKind, writing: Writing) -> Result<Value, Wrong> {
    let value = match field.kind {
        Kind::Text if field.is_required || kind == CellKind::Quoted => return as_written(field, cell).map(Into::into),
        Kind::Text | Kind::Date | Kind::Named { .. } if cell == CLEAR_MARK => Some("".into()),
        Kind::Number | Kind::Decimal if cell == CLEAR_MARK => Some(Value::Null),
        Kind::Text | Kind::Named { .. } => return as_written(field, cell).map(Into::into),
        Kind::Number => return Ok(number(cell, kind, writing.fraction)?.into()),
        Kind::Decimal => return Ok(decimal(cell, kind, writing.fraction)?.into()),
        Kind::Date => dates::read(cell, writing.order).map(|date| date.to_string().into()),
        Kind::Flag => flag(cell).map(Into::into),
        Kind::Choice(choices) => choice(field.name, choices, cell).map(Into::into),
    };
    value.ok_or_else(|| if field.kind == Kind::Date { "unreadable_date" } else { "invalid" }.into())
}

/// A text as it stands there. Of one that is a number it is told what Excel made of it, and Excel's mark of a text before it,
/// which lists of other programs have, is no part of it.
fn as_written<'a>(field: &Field, cell: &'a str) -> Result<&'a str, Wrong> {
    if !NUMBERS.contains(&field.name) {
        return Ok(cell);
    }
    let cell = cell.strip_prefix('\'').map_or(cell, str::trim_start);
    if is_exponent(cell) {
        return Err("excel_exponent".into());
    }
    let is_short = (IMEI_DIGITS_LEFT..IMEI_DIGITS).contains(&cell.len()) && cell.bytes().all(|c| c.is_ascii_digit());
    let whole = format!("{cell:0>IMEI_DIGITS$}");
    if field.name == "imei" && is_short && whole.parse().is_ok_and(Imei::check_digit_ok) {
        return Err(Wrong { code: "excel_zeros", proposal: Some(whole) });
    }
    Ok(cell)
}

/// `3,56307E+14`, as Excel writes a long number.
fn is_exponent(cell: &str) -> bool {
    let Some((digits, exponent)) = cell.split_once(['E', 'e']) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let (whole, rest) = digits.split_once([',', '.']).unwrap_or((digits, "0"));
    is_number(whole)
        && is_number(rest)
        && exponent.strip_prefix('+').is_some_and(|exponent| exponent.len() == 2 && is_number(exponent))
}

/// A whole number, however it is written; `75.0` is one.
fn number(cell: &str, kind: CellKind, fraction: Option<Fraction>) -> Result<u32, &'static str> {
    let number = match read_number(cell, kind, fraction) {
        Ok(number) if number.fract() != 0.0 => return Err("not_whole"),
        Ok(number) => number,
        Err("not_a_number") => return Err("invalid_number"),
        Err(code) => return Err(code),
    };
    let fits = (0.0..=f64::from(u32::MAX)).contains(&number);
    Some(number as u32).filter(|number| fits && !number.is_cleared()).ok_or("invalid_number")
}

/// Where nothing tells what a point is, it stands before a fraction, as in our own exports.
fn decimal(cell: &str, kind: CellKind, fraction: Option<Fraction>) -> Result<f64, &'static str> {
    let fraction = fraction.or_else(|| cell.contains('.').then_some(Fraction::Point));
    read_number(cell, kind, fraction)
}

/// What is a number in a workbook has neither marks between thousands nor a comma.
fn read_number(cell: &str, kind: CellKind, fraction: Option<Fraction>) -> Result<f64, &'static str> {
    let typed = cell.parse().ok().filter(|number: &f64| kind == CellKind::Number && number.is_finite());
    typed.map_or_else(|| numbers::read(cell, fraction), Ok)
}

fn flag(cell: &str) -> Option<bool> {
    match cell.to_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => {
            let word = choice("", &["yes", "no"], cell).or_else(|| choice("status", &["active", "inactive"], cell));
            word.map(|name| matches!(name, "yes" | "active"))
        }
    }
}

/// Whether an action is to remove; none for an unknown one.
pub(super) fn is_deletion(cell: &str) -> Option<bool> {
    choice("action", &["delete", "update", "create"], cell).map(|name| name == "delete")
}

/// A choice by its name or its word in any language.
fn choice(field: &str, names: &'static [&'static str], cell: &str) -> Option<&'static str> {
    let cell = fold(cell);
    names.iter().copied().find(|name| {
        let key = if field.is_empty() { (*name).to_owned() } else { format!("{field}.{name}") };
        let mut words = LANGUAGES.iter().filter_map(|language| language::known_word(*language, "", &key));
        fold(name) == cell || words.any(|word| fold(word) == cell)
    })
}
