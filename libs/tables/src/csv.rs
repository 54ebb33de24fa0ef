//! CSV as RFC 4180 has it, with the mark that tells Excel that it is UTF-8.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use crate::{Cell, TIME, Table};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Writes rows as they come. A file may be written by several, one after the other.
pub struct Writer<W: Write>(csv::Writer<W>);

impl<W: Write> Writer<W> {
    /// A writer to `out`.
    pub fn new(out: W) -> Self {
        Self(csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out))
    }

    /// A writer of a file with its head.
    pub fn with_head(mut out: W, table: &Table) -> io::Result<Self> {
        out.write_all(BYTE_ORDER_MARK.as_bytes())?;
        let mut writer = Self::new(out);
        writer.row(table.columns.iter().map(|column| Cell::Text(Cow::Borrowed(&column.heading))))?;
        Ok(writer)
    }

    /// The next row.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> io::Result<()> {
        for cell in cells {
            match cell {
                Cell::Empty => self.0.write_field("")?,
                Cell::Text(text) => self.0.write_field(&*guarded(text))?,
                Cell::Number(number) => self.0.write_field(number.to_string())?,
                Cell::Date(date) => self.0.write_field(date.to_string())?,
                Cell::Time(time) => self.0.write_field(time.format(TIME).to_string())?,
            }
        }
        // Ends the record.
        self.0.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Gives back what was written to.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}

/// What spreadsheets take for the beginning of a formula, in the width of Chinese characters, too.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Where a spreadsheet may begin a new cell within a text: many read `;` where we write `,`, as their country does.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// What may not begin a cell, either.
const CONTROLS: [char; 4] = ['\t', '\r', '\n', '\0'];

/// Wherever a spreadsheet would find a formula in a text, it gets an apostrophe before it and stays text. Where apostrophes
/// stand there already it is one more, so that a reader knows which one is ours.
fn guarded(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut guarded = String::new();
    let mut begins = true;
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        if begins && (is_formula(rest.trim_start_matches('\'')) || at == 0 && is_quoted(rest)) {
            if guarded.is_empty() {
                guarded.push_str(&text[..at]);
            }
            guarded.push('\'');
        }
        if !guarded.is_empty() {
            guarded.push(c);
        }
        begins = SEPARATORS.contains(&c);
    }
    if guarded.is_empty() { text } else { Cow::Owned(guarded) }
}

/// A text as somebody wrote it down: [`guarded`] undone, and Excel's mark of a text taken away; and whether the whole cell had
/// one. From the end, since what follows an apostrophe was what it is without its own.
pub(crate) fn unguarded(text: &str) -> (Cow<'_, str>, bool) {
    let mut taken = Vec::new();
    // Of what is behind: whether it begins a formula, the same without the apostrophes before it, and with what it begins.
    let (mut passed, mut is_guarded, mut next) = (false, false, None);
    for (at, c) in text.char_indices().rev() {
        let begins = text[..at].chars().next_back().is_none_or(|before| SEPARATORS.contains(&before));
        let is_mark = at == 0 && !next.is_some_and(char::is_lowercase);
        if c == '\'' && begins && (is_guarded || is_mark) {
            taken.push(at);
            continue;
        }
        passed = if is_passed_over(c) { passed } else { FORMULA.contains(&c) };
        is_guarded = if c == '\'' { is_guarded } else { passed || CONTROLS.contains(&c) };
        next = Some(c);
    }
    let is_quoted = taken.last() == Some(&0);
    if taken.is_empty() {
        return (Cow::Borrowed(text), false);
    }
    (Cow::Owned(text.char_indices().filter(|(at, _)| !taken.contains(at)).map(|(_, c)| c).collect()), is_quoted)
}

/// Whether a reader takes the apostrophe before a text for Excel's mark of a text. Before a small letter it is part of a name,
/// as in `'s-Hertogenbosch`.
fn is_quoted(text: &str) -> bool {
    text.strip_prefix('\'').is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// Programs differ in what they pass over before a formula.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches(is_passed_over).starts_with(FORMULA) || cell.starts_with(CONTROLS)
}

/// Where a cell of ours is not alone in its line, whoever reads `;` as the separator takes quotes after it for those around a
/// cell.
fn is_passed_over(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}' || c == '"'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn escapes_formulas_in_cells(cells in proptest::collection::vec("[=+@＝－\t\r\n\0\",;' a-z\\-]{0,6}|.{0,5}", 1..5)) {
            for cell in &cells {
                let written = guarded(Cow::Borrowed(cell));
                prop_assert_eq!(unguarded(&written).0, cell.as_str());
            }
            let mut writer = Writer::new(Vec::new());
            writer.row(cells.iter().map(|cell| Cell::Text(Cow::Borrowed(cell)))).expect("a row");
            let text = [BYTE_ORDER_MARK.as_bytes(), &writer.finish().expect("a file")].concat();
            prop_assert!(text.ends_with(b"\r\n"));
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_slice());
            let read = reader.records().next().expect("a record").expect("a record");
            prop_assert_eq!(read.len(), cells.len());
            for (read, cell) in read.iter().zip(&cells) {
                for part in read.split([';', '\t', '\r', '\n']) {
                    let passed_over = |c: char| c.is_whitespace() || c == '"';
                    let begins = part.trim_start_matches(passed_over).starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
                    prop_assert!(!begins, "{read:?}");
                }
                prop_assert!(!read.starts_with(['\t', '\r', '\n', '\0']), "{read:?}");
                prop_assert_eq!(read.replace('\'', ""), cell.replace('\'', ""));
            }
        }
    }

    #[test]
    fn guards_formulas_behind_semicolons() {
        for (text, wanted) in [
            ("Truck 1; a-b", "Truck 1; a-b"),
            ("x;=1+1", "x;'=1+1"),
            ("x; \t@SUM(A1)", "x;' \t'@SUM(A1)"),
            (";;-2", ";;'-2"),
            ("＝1+1", "'＝1+1"),
            ("\u{a0}=1", "'\u{a0}=1"),
            ("a;\"=1+2;\"b", "a;'\"=1+2;\"b"),
            ("a=b", "a=b"),
            ("'Aisyah", "''Aisyah"),
            ("'=1", "''=1"),
            ("x;'=1", "x;''=1"),
            ("'s-Hertogenbosch", "'s-Hertogenbosch"),
            ("-", "'-"),
            ("", ""),
        ] {
            assert_eq!(guarded(Cow::Borrowed(text)), wanted, "{text:?}");
            assert_eq!(
                unguarded(wanted),
                (Cow::Borrowed(text), wanted.starts_with('\'') && text != wanted),
                "{text:?}"
            );
        }
    }
}
