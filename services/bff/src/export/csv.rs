//! CSV as RFC 4180 has it, with the mark that tells Excel that it is UTF-8.

use std::{borrow::Cow, io};

use axum::body::Bytes;
use futures::{Stream, StreamExt, TryStream, TryStreamExt, stream};

use super::{Cell, Export, cut};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The file, a piece of it for each piece of the list.
pub(super) fn write<T, S>(export: Export<T>, entries: S) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    T: Send + 'static,
    S: TryStream<Ok = Vec<T>, Error = tonic::Status> + Send + 'static,
{
    let headings = export.columns.iter().map(|column| guarded(Cow::Owned(export.heading(column))).into_owned());
    let head = records([headings.collect::<Vec<_>>()]).map(|head| [BYTE_ORDER_MARK.as_bytes(), &head].concat());
    let rows = entries.into_stream().map(move |piece| {
        let piece = piece.map_err(|status| cut(status.message()))?;
        records(piece.iter().map(|entry| row(&export, entry)))
    });
    stream::once(async move { head }).chain(rows).map_ok(Bytes::from)
}

fn row<T: Send + 'static>(export: &Export<T>, entry: &T) -> Vec<String> {
    let cells = export.columns.iter().map(|column| match export.cell(column, entry) {
        None => String::new(),
        Some(Cell::Text(text)) => guarded(text).into_owned(),
        Some(Cell::Number(number)) => number.to_string(),
        Some(Cell::Time(time)) => time.format("%Y-%m-%d %H:%M:%S").to_string(),
    });
    cells.collect()
}

fn records(rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// What spreadsheets take for the beginning of a formula, in the width of Chinese characters, too.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Where a spreadsheet may begin a new cell within a text: many read `;` where we write `,`, as their country does.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// Wherever a spreadsheet would find a formula in a text, it gets an apostrophe before it and stays text.
fn guarded(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut guarded = String::new();
    let mut begins = true;
    for (at, c) in text.char_indices() {
        if begins && is_formula(&text[at..]) {
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

/// Programs differ in what they pass over before a formula.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}').starts_with(FORMULA)
        || cell.starts_with(['\t', '\r', '\n', '\0'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_cell_begins_a_formula(cells in proptest::collection::vec("[=+@＝－\t\r\n\0\",;' a-z\\-]{0,6}|.{0,5}", 1..5)) {
            let rows = [cells.iter().map(|cell| guarded(Cow::Borrowed(cell)).into_owned()).collect::<Vec<_>>()];
            let text = [BYTE_ORDER_MARK.as_bytes(), &records(rows).expect("a file")].concat();
            prop_assert!(text.ends_with(b"\r\n"));
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_slice());
            let read = reader.records().next().expect("a record").expect("a record");
            prop_assert_eq!(read.len(), cells.len());
            for (read, cell) in read.iter().zip(&cells) {
                for part in read.split([';', '\t', '\r', '\n']) {
                    let begins = part.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
                    prop_assert!(!begins, "{read:?}");
                }
                prop_assert!(!read.starts_with(['\t', '\r', '\n', '\0']), "{read:?}");
                prop_assert_eq!(read.replace('\'', ""), cell.replace('\'', ""));
            }
        }
    }

    #[test]
    fn a_semicolon_begins_a_cell_elsewhere() {
        for (text, wanted) in [
            ("Truck 1; a-b", "Truck 1; a-b"),
            ("x;=1+1", "x;'=1+1"),
            ("x; \t@SUM(A1)", "x;' \t'@SUM(A1)"),
            (";;-2", ";;'-2"),
            ("＝1+1", "'＝1+1"),
            ("\u{a0}=1", "'\u{a0}=1"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(guarded(Cow::Borrowed(text)), wanted, "{text:?}");
        }
    }
}
