//! CSV of all kinds: what separates cells is found out.

use std::collections::BTreeMap;

use super::{
    encoding::decoded,
    sheet::{Builder, CellKind, Error, Limits, Sheet},
};
use crate::csv::unguarded;

/// What may stand between cells, the most likely first.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];
/// What stands between cells may be in one line so often, in texts too: before lines are cut, which takes eight bytes for each.
const LINE_DELIMITERS_MAX: usize = 50_000;
/// Rows that are looked at to find it out.
const SAMPLE: usize = 20;

pub(super) fn read(file: &[u8], limits: &Limits) -> Result<Sheet, Error> {
    let text = decoded(file)?;
    if text.contains('\0') {
        return Err(Error::Broken("it is no text".to_owned()));
    }
    let (text, lines_before, delimiter) = match declared_delimiter(&text) {
        Some((delimiter, rest)) => (rest, 1, delimiter),
        None => (&*text, 0, delimiter(&text)),
    };
    if text.lines().any(|line| is_endless(line, delimiter)) {
        return Err(Error::TooManyColumns { max: limits.columns });
    }
    let mut builder = Builder::new(limits);
    // A cell of several lines is one row of a spreadsheet.
    let (mut number, mut lines_within) = (0, 0);
    for record in reader(text, delimiter).records() {
        let record = record.map_err(|error| Error::Broken(error.to_string()))?;
        let start = record.position().map_or((0, 0), |start| (start.line() as usize, start.byte() as usize));
        // Empty lines before it count as part of it for this reader.
        let empty = text.as_bytes()[start.1..].iter().take_while(|c| matches!(c, b'\r' | b'\n'));
        let line = start.0 + empty.filter(|c| **c == b'\n').count();
        number = (line + lines_before).saturating_sub(lines_within).max(number + 1);
        lines_within += record.as_slice().matches('\n').count();
        builder.looked_at(record.len())?;
        let filled = record.iter().collect::<Vec<_>>().iter().rposition(|cell| !cell.trim().is_empty());
        let filled = filled.map_or(0, |last| last + 1);
        if filled > limits.columns {
            return Err(Error::TooManyColumns { max: limits.columns });
        }
        let cells = record.iter().take(filled).map(|cell| {
            let (text, is_quoted) = unguarded(cell);
            let kind = if is_quoted { CellKind::Quoted } else { CellKind::Plain };
            builder.copy(&text).map(|text| (text, kind))
        });
        let cells = cells.collect::<Result<_, _>>()?;
        builder.row(number, cells)?;
    }
    builder.finish()
}

/// Whether a line would be cut more often than any table is.
fn is_endless(line: &str, delimiter: u8) -> bool {
    line.bytes().filter(|c| *c == delimiter).count() > LINE_DELIMITERS_MAX
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes())
}

/// What Excel says in a first line of its own: `sep=;`.
fn declared_delimiter(text: &str) -> Option<(u8, &str)> {
    let (line, rest) = text.split_once('\n')?;
    match line.trim_end_matches('\r').trim_matches('"').strip_prefix("sep=")?.as_bytes() {
        [delimiter] => Some((*delimiter, rest)),
        _ => None,
    }
}

/// The one that cuts the first rows into the same number of cells most often, and into the most cells. Titles above a table are
/// cut by none.
fn delimiter(text: &str) -> u8 {
    let rank = |delimiter: u8| {
        if text.lines().take(SAMPLE).any(|line| is_endless(line, delimiter)) {
            return (0, 0);
        }
        let rows = reader(text, delimiter).into_records().take(SAMPLE).map_while(Result::ok);
        let mut alike = BTreeMap::<usize, usize>::new();
        rows.map(|row| row.len()).filter(|cells| *cells > 1).for_each(|cells| *alike.entry(cells).or_default() += 1);
        alike.into_iter().map(|(cells, rows)| (rows, cells)).max().unwrap_or_default()
    };
    let [first, others @ ..] = DELIMITERS;
    others.into_iter().fold(first, |best, other| if rank(other) > rank(best) { other } else { best })
}
