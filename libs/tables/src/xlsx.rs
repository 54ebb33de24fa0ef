//! Excel. One row is in memory at a time; what was written waits in a temporary file, since the parts of a workbook can
//! only be put together when all of them are known.

use std::io::{self, Write};

use chrono::{NaiveDateTime, NaiveTime};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use crate::{Cell, Table};

/// Rows that a sheet can hold, its head included.
const ROWS_MAX: u32 = 1_048_576;

/// How instants and days are shown.
struct Formats {
    time: Format,
    date: Format,
}

/// Writes rows as they come. What one sheet cannot hold goes to further ones.
pub struct Writer {
    table: Table,
    book: Workbook,
    formats: Formats,
    sheets: usize,
    /// The next row of the present sheet.
    row: u32,
    rows_max: u32,
}

impl Writer {
    /// A workbook with the head of its first sheet.
    pub fn new(table: Table) -> io::Result<Self> {
        Self::with_sheets_of(table, ROWS_MAX)
    }

    fn with_sheets_of(table: Table, rows_max: u32) -> io::Result<Self> {
        let formats = Formats {
            time: Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
            date: Format::new().set_num_format("yyyy-mm-dd"),
        };
        let mut writer = Self { table, book: Workbook::new(), formats, sheets: 0, row: 0, rows_max };
        writer.sheet().map_err(failed)?;
        Ok(writer)
    }

    /// The next row.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> io::Result<()> {
        if self.row == self.rows_max {
            self.sheet().map_err(failed)?;
        }
        let sheet = self.book.worksheet_from_index(self.sheets - 1).map_err(failed)?;
        write_cells(sheet, self.row, cells, &self.formats).map_err(failed)?;
        self.row += 1;
        Ok(())
    }

    /// The whole file.
    pub fn finish<W: Write + Send>(mut self, out: W) -> io::Result<()> {
        self.book.save_to_writer(out).map_err(failed)
    }

    /// A new sheet with its head. The second and further ones hold what the ones before them could not.
    fn sheet(&mut self) -> Result<(), XlsxError> {
        self.sheets += 1;
        let bold = Format::new().set_bold();
        let sheet = self.book.add_worksheet_with_constant_memory()?.set_name(name(&self.table.title, self.sheets))?;
        sheet.set_freeze_panes(1, 0)?;
        for (index, column) in (0..).zip(&self.table.columns) {
            sheet.set_column_width(index, column.width)?;
            sheet.write_string_with_format(0, index, &column.heading, &bold)?;
        }
        let last = u16::try_from(self.table.columns.len()).unwrap_or(u16::MAX).saturating_sub(1);
        sheet.autofilter(0, 0, self.rows_max - 1, last)?;
        self.row = 1;
        Ok(())
    }
}

/// The name of a sheet, of what Excel allows in one.
fn name(title: &str, number: usize) -> String {
    let number = if number == 1 { String::new() } else { format!(" {number}") };
    let plain: String = title.chars().map(|c| if "[]:*?/\\".contains(c) { ' ' } else { c }).collect();
    let plain = plain.trim_matches(['\'', ' ']);
    // Excel counts UTF-16.
    let mut room = 31 - number.len();
    let fits = |c: &char| room.checked_sub(c.len_utf16()).map(|left| room = left).is_some();
    let cut: String = plain.chars().take_while(fits).collect();
    format!("{}{number}", if cut.is_empty() { "-" } else { &cut })
}

fn write_cells<'a>(
    sheet: &mut Worksheet,
    row: u32,
    cells: impl IntoIterator<Item = Cell<'a>>,
    formats: &Formats,
) -> Result<(), XlsxError> {
    for (index, cell) in (0..).zip(cells) {
        match cell {
            Cell::Empty => continue,
            // As a string, whatever it begins with: it is never a formula.
            Cell::Text(text) => sheet.write_string(row, index, text)?,
            Cell::Number(number) => sheet.write_number(row, index, number)?,
            Cell::Time(time) => sheet.write_datetime_with_format(row, index, excel_time(time)?, &formats.time)?,
            Cell::Date(date) => {
                let midnight = excel_time(date.and_time(NaiveTime::MIN))?;
                sheet.write_datetime_with_format(row, index, midnight, &formats.date)?
            }
        };
    }
    Ok(())
}

/// Excel knows no time zones: a date and a time of day, nothing else.
fn excel_time(time: NaiveDateTime) -> Result<ExcelDateTime, XlsxError> {
    ExcelDateTime::from_timestamp(time.and_utc().timestamp())
}

fn failed(error: XlsxError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use std::{borrow::Cow, io::Cursor};

    use calamine::{Data, Reader, Xlsx};
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::*;
    use crate::Column;

    fn table() -> Table {
        let columns = ["Nama", "Batas", "Dibuat", "Diubah"];
        let columns = columns.map(|name| Column { heading: name.to_owned(), width: 10.0, numeric: false });
        Table { title: "Perangkat".to_owned(), columns: columns.into() }
    }

    fn read(entries: Vec<(String, u32)>, rows_max: u32) -> Xlsx<Cursor<Vec<u8>>> {
        let mut writer = Writer::with_sheets_of(table(), rows_max).expect("a workbook");
        for (text, number) in entries {
            let time = DateTime::from_timestamp(number.into(), 0).expect("a time").naive_utc();
            let cells = [Cell::Text(Cow::Owned(text)), Cell::Number(number.into()), Cell::Time(time), Cell::Empty];
            writer.row(cells).expect("a row");
        }
        let mut file = Vec::new();
        writer.finish(&mut file).expect("a file");
        Xlsx::new(Cursor::new(file)).expect("a workbook")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn text_is_never_a_formula(text in "[=+@\\-]{0,2}[ -~é车]{0,12}", number in 0u32..2_000_000_000) {
            let mut book = read(vec![(text.clone(), number)], 10);
            let rows = book.worksheet_range("Perangkat").expect("a sheet");
            match rows.get_value((1, 0)) {
                Some(Data::String(read)) => prop_assert_eq!(read, &text),
                other => prop_assert!(text.is_empty(), "{other:?}"),
            }
            prop_assert_eq!(rows.get_value((1, 1)), Some(&Data::Float(number.into())));
            let Some(Data::DateTime(time)) = rows.get_value((1, 2)) else { panic!("a date") };
            let days = f64::from(number) / 86_400.0 + 25_569.0;
            prop_assert!((time.as_f64() - days).abs() < 1e-6, "{time:?}");
            let formulas = book.worksheet_formula("Perangkat").expect("a sheet");
            prop_assert!(formulas.used_cells().next().is_none());
        }
    }

    #[test]
    fn rows_beyond_the_sheet_limit_go_to_the_next_sheet() {
        let entries = (0..7).map(|number| (format!("{number}"), number));
        let mut book = read(entries.collect(), 4);
        assert_eq!(book.sheet_names(), ["Perangkat", "Perangkat 2", "Perangkat 3"]);
        let mut found = Vec::new();
        for name in book.sheet_names() {
            let rows = book.worksheet_range(&name).expect("a sheet");
            assert_eq!(rows.get_value((0, 0)), Some(&Data::String("Nama".to_owned())), "{name}");
            found.extend(rows.rows().skip(1).map(|row| row[0].to_string()));
        }
        assert_eq!(found, ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(read(Vec::new(), 4).sheet_names(), ["Perangkat"]);
    }

    #[test]
    fn sheet_names_are_valid_in_excel() {
        let long = "x".repeat(40);
        for (title, number, wanted) in [
            ("Devices", 1, "Devices"),
            ("Devices", 12, "Devices 12"),
            (" a/b: [c]'", 1, "a b   c"),
            (&long, 2, &*format!("{} 2", "x".repeat(29))),
            ("???", 1, "-"),
        ] {
            assert_eq!(name(title, number), wanted, "{title}");
        }
        assert_eq!(name(&"😀".repeat(20), 1).chars().count(), 15);
    }
}
