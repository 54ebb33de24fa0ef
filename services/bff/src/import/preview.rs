//! What a file seems to be.

use armada_proto::v1::{ImportColumn, ImportField, ImportPreview, ImportTopRow};
use armada_tables::read::Sheet;

use super::{
    cells,
    columns::{Imported, Meaning},
    headings::Understood,
};
use crate::http::language::{self, Language};

/// Samples of a column.
const SAMPLES: usize = 3;
/// Characters of a heading and of a sample that are shown.
const SHOWN_MAX: usize = 200;
/// Rows at the top of the sheet, and cells of each, that are shown.
const TOP_ROWS: usize = 15;
const TOP_CELLS: usize = 6;
/// Sheets that are named.
const SHEETS_MAX: usize = 100;

/// The rows at the top of a sheet, before it is known which one has the headings.
pub(super) fn top(sheet: &Sheet) -> Vec<ImportTopRow> {
    let below = sheet.rows.iter().map(|row| (row.number, &row.cells));
    let rows = [(sheet.heading_row, &sheet.headings)].into_iter().chain(below).take(TOP_ROWS);
    let row = |(number, cells): (usize, &Vec<String>)| {
        let cells = cells.iter().filter(|cell| !cell.trim().is_empty()).take(TOP_CELLS).map(|cell| cut(cell.trim()));
        ImportTopRow { row: number as u32, cells: cells.collect() }
    };
    rows.map(row).collect()
}

/// What a table seems to be whose headings were understood.
pub(super) fn of<I: Imported>(
    language: Language,
    sheet: Sheet,
    understood: Vec<Understood>,
    top_rows: Vec<ImportTopRow>,
) -> ImportPreview {
    let columns = sheet.headings.iter().zip(understood).enumerate().map(|(index, (heading, understood))| {
        let cells = sheet.rows.iter().map(|row| cells::text(&row.cells[index])).filter(|cell| !cell.is_empty());
        let name = |meaning: Meaning| meaning.name().to_owned();
        ImportColumn {
            heading: cut(heading),
            samples: cells.take(SAMPLES).map(cut).collect(),
            field: understood.meaning.map(name).unwrap_or_default(),
            candidates: understood.candidates.into_iter().map(name).collect(),
            is_running_number: understood.is_running_number,
        }
    });
    ImportPreview {
        rows: sheet.rows.len() as u32,
        columns: columns.collect(),
        fields: fields::<I>(language),
        sheet: sheet.name,
        sheets: sheet.sheets.into_iter().take(SHEETS_MAX).collect(),
        heading_row: sheet.heading_row as u32,
        top_rows,
    }
}

/// What columns can be.
fn fields<I: Imported>(language: Language) -> Vec<ImportField> {
    let own = I::FIELDS.iter().map(|field| ImportField {
        name: field.name.to_owned(),
        label: field.heading(language, I::SUBJECT),
        is_required: field.is_required,
        choices: field.choices(language),
    });
    let common = [Meaning::Id, Meaning::Action].map(|meaning| ImportField {
        name: meaning.name().to_owned(),
        label: language::word(language, I::SUBJECT, meaning.name()),
        is_required: false,
        choices: meaning.choices(language),
    });
    own.chain(common).collect()
}

fn cut(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}
