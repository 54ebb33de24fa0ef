//! Files of whole lists: CSV and Excel, with headings and words in the reader's language. What a resource adds is its
//! columns and one handler; see `devices.rs`.

mod csv;
mod xlsx;

use std::borrow::Cow;

use armada_proto::Timestamp;
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, NaiveDateTime};
use chrono_tz::Tz;
use futures::TryStream;
use http::header::{CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_TYPE};
use serde::Serialize;

use crate::{
    language::{self, Language},
    query::Query,
};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    #[default]
    Csv,
    Xlsx,
}

impl Format {
    fn of(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "xlsx" => Some(Self::Xlsx),
            _ => None,
        }
    }
}

/// A column: its name in the query, which is also the key of its heading, how wide it is in Excel, and its cells.
pub(crate) struct Column<T> {
    name: &'static str,
    width: f64,
    cell: Read<T>,
    /// Whether it is there without being asked for.
    usual: bool,
}

/// How a cell is read from an entry of the list.
enum Read<T> {
    Text(fn(&T) -> &str),
    Made(fn(&T) -> String),
    Choice(fn(&T) -> String),
    Number(fn(&T) -> f64),
    Time(fn(&T) -> Option<Timestamp>),
}

impl<T> Column<T> {
    const fn new(name: &'static str, width: f64, cell: Read<T>) -> Self {
        Self { name, width, cell, usual: true }
    }

    /// Text as somebody entered it.
    pub(crate) const fn text(name: &'static str, width: f64, read: fn(&T) -> &str) -> Self {
        Self::new(name, width, Read::Text(read))
    }

    /// Text that is put together from what somebody entered.
    pub(crate) const fn made(name: &'static str, width: f64, read: fn(&T) -> String) -> Self {
        Self::new(name, width, Read::Made(read))
    }

    /// A value of an enum, see [`choice`], or a [`flag`]; its word has the key `<column>.<value>`.
    pub(crate) const fn choice(name: &'static str, width: f64, read: fn(&T) -> String) -> Self {
        Self::new(name, width, Read::Choice(read))
    }

    /// A number.
    pub(crate) const fn number(name: &'static str, width: f64, read: fn(&T) -> f64) -> Self {
        Self::new(name, width, Read::Number(read))
    }

    /// An instant, shown in the time zone that was asked for.
    pub(crate) const fn time(name: &'static str, read: fn(&T) -> Option<Timestamp>) -> Self {
        Self::new(name, 20.0, Read::Time(read))
    }

    /// Only when asked for.
    pub(crate) const fn unusual(mut column: Self) -> Self {
        column.usual = false;
        column
    }
}

/// The name that a value of an enum has in JSON.
pub(crate) fn choice(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The name of a yes or no, whose words are those of all columns.
pub(crate) fn flag(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

/// A cell as a file shows it.
#[derive(Debug, PartialEq)]
enum Cell<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Time(NaiveDateTime),
}

/// An export as it was asked for.
pub(crate) struct Export<T: 'static> {
    /// The resource, e.g. `devices`: the name of the file.
    subject: &'static str,
    columns: Vec<&'static Column<T>>,
    format: Format,
    zone: Tz,
    language: Language,
}

impl<T: Send + 'static> Export<T> {
    /// Reads what is asked; the query remembers what is wrong with it.
    pub(crate) fn asked(
        query: &mut Query,
        subject: &'static str,
        columns: &'static [Column<T>],
        language: Language,
    ) -> Self {
        let names = query.all("columns");
        let mut wanted: Vec<_> = names.iter().filter_map(|name| columns.iter().find(|c| c.name == *name)).collect();
        if wanted.len() < names.len() {
            query.wrong("columns", "unknown");
        }
        if wanted.is_empty() {
            wanted = columns.iter().filter(|column| column.usual).collect();
        }
        let zone = query.text("tz").map_or(Some(Tz::UTC), |name| name.parse().ok());
        if zone.is_none() {
            query.wrong("tz", "invalid_time_zone");
        }
        let format = query.text("format").map_or(Some(Format::default()), |name| Format::of(&name));
        if format.is_none() {
            query.wrong("format", "unknown");
        }
        Self { subject, columns: wanted, format: format.unwrap_or_default(), zone: zone.unwrap_or(Tz::UTC), language }
    }

    /// Whether a column is asked for.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The file, written while the entries come in. When they end with an error the connection is cut, so that nobody
    /// takes a part for the whole.
    pub(crate) fn respond<S>(self, entries: S) -> Response
    where
        S: TryStream<Ok = Vec<T>, Error = tonic::Status> + Send + 'static,
    {
        let now = DateTime::from_timestamp_millis(Timestamp::now().millis()).unwrap_or_default();
        let now = now.with_timezone(&self.zone).format("%Y%m%d-%H%M");
        let (kind, extension) = match self.format {
            Format::Csv => ("text/csv; charset=utf-8", "csv"),
            Format::Xlsx => ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        };
        // RFC 6266: a name that every client reads, and the one in the reader's language.
        let local: String = form_urlencoded::byte_serialize(self.title().as_bytes()).collect();
        let disposition = format!(
            "attachment; filename=\"{}-{now}.{extension}\"; filename*=UTF-8''{}-{now}.{extension}",
            self.subject,
            local.replace('+', "%20"),
        );
        let language = self.language.tag();
        let body = match self.format {
            Format::Csv => Body::from_stream(csv::write(self, entries)),
            Format::Xlsx => Body::from_stream(xlsx::write(self, entries)),
        };
        ([(CONTENT_TYPE, kind), (CONTENT_LANGUAGE, language), (CONTENT_DISPOSITION, &disposition)], body)
            .into_response()
    }

    /// What the list is called, in the reader's language.
    fn title(&self) -> String {
        language::word(self.language, self.subject, "title")
    }

    /// The heading of a column; that of instants says in which time zone they are.
    fn heading(&self, column: &Column<T>) -> String {
        let name = language::word(self.language, self.subject, column.name);
        if matches!(column.cell, Read::Time(_)) { format!("{name} ({})", self.zone.name()) } else { name }
    }

    /// The cell of a column; none when there is nothing to show.
    fn cell<'a>(&self, column: &Column<T>, entry: &'a T) -> Option<Cell<'a>> {
        match &column.cell {
            Read::Text(read) => Some(Cell::Text(Cow::Borrowed(read(entry)))),
            Read::Made(read) => Some(Cell::Text(Cow::Owned(read(entry)))),
            Read::Choice(read) => {
                let word = language::word(self.language, column.name, &read(entry));
                Some(Cell::Text(Cow::Owned(word)))
            }
            Read::Number(read) => Some(Cell::Number(read(entry))),
            Read::Time(read) => {
                let instant = DateTime::from_timestamp_millis(read(entry)?.millis())?;
                Some(Cell::Time(instant.with_timezone(&self.zone).naive_local()))
            }
        }
    }
}

/// Says that the file ended early; the reader of the body hears it as a broken connection.
fn cut(error: impl std::fmt::Display) -> std::io::Error {
    tracing::warn!(%error, "an export ended early");
    std::io::Error::other(error.to_string())
}

/// For tests of resources: that every heading and every word of these entries is there in every language. A key without a
/// word would stand for itself.
#[cfg(test)]
pub(crate) fn assert_words<T: Send + 'static>(subject: &'static str, columns: &'static [Column<T>], entries: &[T]) {
    for language in language::LANGUAGES {
        let known = |subject: &str, name: &str| language::known_word(language, subject, name).is_some();
        assert!(known(subject, "title"), "{language:?} {subject}");
        for column in columns {
            assert!(known(subject, column.name), "{language:?} {subject}.{}", column.name);
            let Read::Choice(read) = column.cell else { continue };
            for value in entries.iter().map(read) {
                assert!(known(column.name, &value), "{language:?} {}.{value}", column.name);
            }
        }
    }
}

#[cfg(test)]
impl<T: Send + 'static> Export<T> {
    /// All of a resource's columns, for tests.
    pub(crate) fn whole(subject: &'static str, columns: &'static [Column<T>], zone: Tz, language: Language) -> Self {
        Self { subject, columns: columns.iter().collect(), format: Format::Csv, zone, language }
    }
}
