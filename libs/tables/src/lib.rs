//! Tables as files: CSV, Excel and PDF, row by row. What the rows are about, and who reads the file, is for the caller
//! to know.

pub mod csv;
pub mod pdf;
pub mod read;
pub mod xlsx;

use std::borrow::Cow;

use chrono::{NaiveDate, NaiveDateTime};

/// A table without its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it is called.
    pub title: String,
    /// Its columns, from the left.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What stands above it.
    pub heading: String,
    /// How wide it is in Excel, in characters. PDF looks at what it has to show.
    pub width: f64,
    /// Whether it holds numbers, which stand at its right edge.
    pub numeric: bool,
}

/// What stands where a row meets a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// Text, never a formula.
    Text(Cow<'a, str>),
    /// A number.
    Number(f64),
    /// A date and a time of day, in the time zone of the reader.
    Time(NaiveDateTime),
    /// A day.
    Date(NaiveDate),
}

/// How files show a time where they have no form of their own for it.
const TIME: &str = "%Y-%m-%d %H:%M:%S";
