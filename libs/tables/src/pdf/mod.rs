//! PDF, for paper and for people: A4 or A3 as wide as the table needs, the head on every page, page numbers, fonts that
//! the file carries itself, and tags that read it aloud (PDF/UA-1).
//!
//! How wide a column is depends on all rows, and how many pages there are on every page, so a PDF is made when all rows
//! are known: there is a limit to them.

mod document;
mod draw;
mod fonts;
mod layout;
mod text;

pub use document::Document;

use std::collections::BTreeSet;

use crate::{Cell, TIME};

/// Rows that a PDF may have: some hundred pages, which nobody reads. Spreadsheets have no limit.
pub const ROWS_MAX: usize = 10_000;
/// Cells that it may have: each takes some 25 µs of a processor, whoever waits for it.
const CELLS_MAX: usize = 40 * ROWS_MAX;
/// Letters of a cell that are looked at; a cell shows less than that.
const LETTERS_MAX: usize = 4_000;
/// Characters without a glyph that are named.
const MISSING_MAX: usize = 12;

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It would have more than [`ROWS_MAX`] rows, or fewer of many columns.
    #[error("more than {ROWS_MAX} rows")]
    TooManyRows,
    /// The file could not be put together.
    #[error("{0}")]
    Failed(krilla::error::KrillaError),
}

/// Takes rows until all are there.
pub struct Writer {
    document: Document,
    /// Row after row.
    cells: Vec<Box<str>>,
}

impl Writer {
    /// A PDF without rows.
    pub fn new(document: Document) -> Self {
        Self { document, cells: Vec::new() }
    }

    /// The next row. It has a cell for each column.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> Result<(), Error> {
        let columns = self.document.table.columns.len();
        if self.cells.len() >= CELLS_MAX.min(ROWS_MAX * columns) {
            return Err(Error::TooManyRows);
        }
        let end = self.cells.len() + columns;
        let separators = self.document.separators;
        self.cells.extend(cells.into_iter().map(|cell| shown(cell, separators).into_boxed_str()));
        self.cells.resize(end, Box::default());
        Ok(())
    }

    /// The whole file. This takes a while of computing.
    pub fn finish(mut self) -> Result<Vec<u8>, Error> {
        self.name_missing();
        let mut typesetter = text::Typesetter::new();
        let layout = layout::Layout::of(&mut typesetter, &self.document, self.cells);
        draw::draw(&mut typesetter, &self.document, &layout).map_err(Error::Failed)
    }
}

impl Writer {
    /// Says which characters show as boxes: nobody reads them off one. They have no glyph, so they go by their numbers.
    fn name_missing(&mut self) {
        let details = self.document.details.iter().map(|(_, text)| text.as_str());
        let texts = self.cells.iter().map(AsRef::as_ref).chain(details);
        let missing: BTreeSet<char> = texts.flat_map(text::missing).collect();
        if missing.is_empty() {
            return;
        }
        let named = missing.iter().take(MISSING_MAX).map(|c| format!("U+{:04X}", u32::from(*c)));
        let more = (missing.len() > MISSING_MAX).then(|| "…".to_owned());
        let named: Vec<_> = named.chain(more).collect();
        self.document.details.push((self.document.missing.clone(), named.join(", ")));
    }
}

/// A cell as text.
fn shown(cell: Cell<'_>, separators: (char, char)) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => match text.char_indices().nth(LETTERS_MAX) {
            Some((end, _)) => text::plain(&text[..end]) + "…",
            None => text::plain(&text),
        },
        Cell::Number(number) => grouped(number, separators),
        Cell::Time(time) => time.format(TIME).to_string(),
        Cell::Date(date) => date.to_string(),
    }
}

/// A number as people write it, with what stands between thousands and before a fraction.
pub fn grouped(number: f64, (thousands, fraction): (char, char)) -> String {
    let text = number.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::with_capacity(text.len() * 2);
    for (at, c) in whole.char_indices() {
        let left = whole.len() - at;
        if at > 0 && left % 3 == 0 && grouped.ends_with(|c: char| c.is_ascii_digit()) {
            grouped.push(thousands);
        }
        grouped.push(c);
    }
    if !rest.is_empty() {
        grouped.push(fraction);
        grouped.push_str(rest);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_numbers_for_the_locale() {
        for (number, wanted) in [
            (0.0, "0"),
            (999.0, "999"),
            (1000.0, "1.000"),
            (-1000.0, "-1.000"),
            (-100.0, "-100"),
            (1_234_567.5, "1.234.567,5"),
            (0.25, "0,25"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(grouped(number, ('.', ',')), wanted);
        }
    }
}
