//! The table of an export: which columns a list has, which of them were asked for, and what is in their cells.

use std::{borrow::Cow, sync::Arc};

use armada_proto::Timestamp;
use armada_tables::{Cell, Table};
use chrono::DateTime;
use chrono_tz::Tz;

use super::names::{Names, NamesOf};
use crate::http::{
    language::{self, Language},
    query::{Given, Query},
};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    #[default]
    Csv,
    Xlsx,
    Pdf,
}

impl Format {
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "xlsx" => Some(Self::Xlsx),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    /// Its media type, and how names of its files end.
    pub(crate) const fn kind(self) -> (&'static str, &'static str) {
        match self {
            Self::Csv => ("text/csv; charset=utf-8", "csv"),
            Self::Xlsx => ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
            Self::Pdf => ("application/pdf", "pdf"),
        }
    }
}

/// An entry of a list that has files. The build makes it of the fields that have a `column` in the contract.
pub trait Exported: Send + Sync + 'static {
    /// What the list is called, e.g. `devices`: the name of the file.
    const SUBJECT: &'static str;
    /// All columns there are.
    const COLUMNS: &'static [Column<Self>];
}

/// A column: its name in the query, which is also the key of its heading, how wide it is in Excel, and its cells.
pub struct Column<T: ?Sized> {
    name: &'static str,
    width: f64,
    cell: Read<T>,
    /// Only when it is asked for.
    on_request: bool,
}

/// How a cell is read from an entry of the list.
pub(crate) enum Read<T: ?Sized> {
    /// Text as somebody entered it.
    Text(fn(&T) -> &str),
    /// Text that is put together from what somebody entered.
    Made(fn(&T) -> String),
    /// A code that stands for itself where it has no word with the key `<column>.<code>`.
    Code(fn(&T) -> &str),
    /// The name of a choice, or a [`flag`]; its word has the key `<column>.<name>`.
    Choice(fn(&T) -> &'static str),
    Number(fn(&T) -> f64),
    /// A number that may be absent.
    NumberIfAny(fn(&T) -> Option<f64>),
    /// An instant, shown in the time zone that was asked for.
    Time(fn(&T) -> Option<Timestamp>),
    /// A day as `YYYY-MM-DD`, or empty.
    Date(fn(&T) -> &str),
    /// An id, for which a name stands.
    Name(NamesOf, fn(&T) -> &str),
}

impl<T: ?Sized> Column<T> {
    pub(crate) const fn new(name: &'static str, width: f64, cell: Read<T>) -> Self {
        Self { name, width, cell, on_request: false }
    }

    /// The same, only when it is asked for.
    pub(crate) const fn on_request(self) -> Self {
        Self { on_request: true, ..self }
    }
}

/// The name of a choice that nobody made.
const UNSPECIFIED: &str = "unspecified";

/// The name of a yes or no, whose words are those of all columns.
pub(crate) fn flag(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// Several names in one cell.
pub(crate) fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// An entry with the names that stand for its ids.
pub struct Entry<T> {
    /// The entry.
    pub row: T,
    /// By the ids in it.
    pub names: Arc<Names>,
}

/// Whose names stand for ids, and how the ids are read from an entry.
pub(super) type Named<T> = (NamesOf, fn(&T) -> &str);

/// An export as it was asked for.
pub struct Export<T: Exported> {
    columns: Vec<&'static Column<T>>,
    pub(super) format: Format,
    pub(super) zone: Tz,
    pub(super) language: Language,
    /// What the list was narrowed by.
    pub(super) given: Vec<Given>,
    pub(super) made_at: DateTime<Tz>,
}

impl<T: Exported> Export<T> {
    /// Reads what is asked; the query remembers what is wrong with it.
    pub fn asked(query: &mut Query, language: Language) -> Self {
        let names = query.all("columns");
        let mut wanted: Vec<_> = names.iter().filter_map(|name| T::COLUMNS.iter().find(|c| c.name == *name)).collect();
        if wanted.len() < names.len() {
            query.wrong("columns", "unknown");
        }
        // Each once: or a short list would be as wide as an address can be long.
        if names.iter().enumerate().any(|(place, name)| names[..place].contains(name)) {
            query.wrong("columns", "named_twice");
        }
        if wanted.is_empty() {
            wanted = T::COLUMNS.iter().filter(|column| !column.on_request).collect();
        }
        let zone = query.time_zone();
        let format = query.text("format").map_or(Some(Format::default()), |name| Format::of(&name));
        if format.is_none() {
            query.wrong("format", "unknown");
        }
        let format = format.unwrap_or_default();
        Self { columns: wanted, format, zone, language, given: query.given(), made_at: now(zone) }
    }

    /// The names that its columns need, and how the ids are read.
    pub(super) fn names_of(&self) -> Vec<Named<T>> {
        let named = self.columns.iter().filter_map(|column| match column.cell {
            Read::Name(names_of, id) => Some((names_of, id)),
            _ => None,
        });
        named.collect()
    }

    /// The table without its rows, in the reader's language.
    pub(super) fn table(&self) -> Table {
        let columns = self.columns.iter().map(|column| armada_tables::Column {
            heading: self.heading(column),
            width: column.width,
            numeric: matches!(column.cell, Read::Number(_) | Read::NumberIfAny(_)),
        });
        Table { title: self.title(), columns: columns.collect() }
    }

    /// An entry as the table shows it.
    pub(super) fn row<'a>(&self, entry: &'a Entry<T>) -> impl Iterator<Item = Cell<'a>> {
        self.columns.iter().map(|column| self.cell(column, entry))
    }

    /// What the list is called, in the reader's language.
    pub(super) fn title(&self) -> String {
        language::word(self.language, T::SUBJECT, "title")
    }

    /// The heading of a column; that of instants says in which time zone they are.
    fn heading(&self, column: &Column<T>) -> String {
        let name = language::word(self.language, T::SUBJECT, column.name);
        if matches!(column.cell, Read::Time(_)) { format!("{name} ({})", self.zone.name()) } else { name }
    }

    fn cell<'a>(&self, column: &Column<T>, entry: &'a Entry<T>) -> Cell<'a> {
        let row = &entry.row;
        match &column.cell {
            Read::Text(read) => Cell::Text(Cow::Borrowed(read(row))),
            Read::Made(read) => Cell::Text(Cow::Owned(read(row))),
            Read::Code(read) => match read(row) {
                "" => Cell::Empty,
                code => Cell::Text(Cow::Owned(language::choice(self.language, T::SUBJECT, column.name, code))),
            },
            Read::Choice(read) => match read(row) {
                UNSPECIFIED => Cell::Empty,
                name => Cell::Text(Cow::Owned(language::choice(self.language, T::SUBJECT, column.name, name))),
            },
            Read::Name(_, read) => Cell::Text(Cow::Borrowed(entry.names.of(read(row)))),
            Read::Number(read) => Cell::Number(read(row)),
            Read::NumberIfAny(read) => read(row).map_or(Cell::Empty, Cell::Number),
            Read::Date(read) => read(row).parse().map_or(Cell::Empty, Cell::Date),
            Read::Time(read) => {
                let instant = read(row).and_then(|time| DateTime::from_timestamp_millis(time.millis()));
                instant.map_or(Cell::Empty, |time| Cell::Time(time.with_timezone(&self.zone).naive_local()))
            }
        }
    }
}

fn now(zone: Tz) -> DateTime<Tz> {
    DateTime::from_timestamp_millis(Timestamp::now().millis()).unwrap_or_default().with_timezone(&zone)
}
