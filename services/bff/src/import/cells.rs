//! What a cell says, as a field has it.

use armada_proto::json::Clearable as _;
use armada_runtime::text::fold;
use chrono::NaiveDate;
use serde_json::Value;
use uuid::Uuid;

use super::{
    columns::{CLEAR_MARK, Field, Kind},
    lookup::Names,
};
use crate::http::language::{self, LANGUAGES};

/// Days as people write them. What begins with a day is read as in most of the world, not as in the United States.
const DATES: [&str; 5] = ["%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y/%m/%d"];

/// The value of a field, or the code of what is wrong with the cell.
pub fn value(field: &Field, cell: &str, names: &Names) -> Result<Value, &'static str> {
    match field.kind {
        Kind::Text | Kind::Date | Kind::Named { .. } if cell == CLEAR_MARK => Ok("".into()),
        Kind::Number | Kind::Decimal if cell == CLEAR_MARK => Ok(Value::Null),
        Kind::Text => Ok(cell.into()),
        Kind::Number => number(cell).map(Into::into).ok_or("invalid_number"),
        Kind::Decimal => decimal(cell).map(Into::into).ok_or("invalid_number"),
        Kind::Date => date(cell).map(|date| date.to_string().into()).ok_or("invalid_date"),
        Kind::Flag => flag(cell).map(Into::into).ok_or("invalid"),
        Kind::Choice(choices) => choice(field.name, choices, cell).map(Into::into).ok_or("invalid"),
        Kind::Named { .. } if Uuid::try_parse(cell).is_ok() => Ok(cell.into()),
        Kind::Named { listed_by, .. } => names.id_of(listed_by, cell).map(Into::into),
    }
}

fn number(cell: &str) -> Option<u32> {
    cell.parse().ok().filter(|number: &u32| !number.is_cleared())
}

fn decimal(cell: &str) -> Option<f64> {
    cell.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

fn date(cell: &str) -> Option<NaiveDate> {
    // A workbook may have midnight behind it.
    let day = cell.split([' ', 'T']).next().unwrap_or_default();
    DATES.iter().find_map(|form| NaiveDate::parse_from_str(day, form).ok())
}

fn flag(cell: &str) -> Option<bool> {
    match cell.to_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => choice("", &["yes", "no"], cell).map(|name| name == "yes"),
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
