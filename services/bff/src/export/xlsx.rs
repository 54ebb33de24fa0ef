//! Excel. One row is in memory at a time; what was written waits in a temporary file, since the parts of a workbook can
//! only be put together when all of them are known.

use std::io::{self, BufWriter, Write};

use axum::body::Bytes;
use chrono::NaiveDateTime;
use futures::{Stream, TryStream, TryStreamExt};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::{Cell, Export, cut};

/// Rows that a sheet can hold, its head included.
const ROWS_MAX: u32 = 1_048_576;
/// Files written at a time. Each has a thread of its own, which waits for its reader: the runtime's threads for what
/// blocks are for passwords and files, and slow readers must not use them up.
static WRITERS: Semaphore = Semaphore::const_new(16);
/// Bytes in one piece of the body.
const PIECE: usize = 64 << 10;

/// The file. It is written by a thread that may block: it waits for entries, and for the reader of the body.
pub(super) fn write<T, S>(export: Export<T>, entries: S) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    T: Send + 'static,
    S: TryStream<Ok = Vec<T>, Error = tonic::Status> + Send + 'static,
{
    let (to_writer, mut from_service) = mpsc::channel(2);
    let (to_body, body) = mpsc::channel(2);
    tokio::spawn(async move {
        let mut entries = std::pin::pin!(entries.into_stream());
        // The receiver is gone when the file is no longer wanted.
        while let Some(piece) = entries.try_next().await.transpose() {
            if to_writer.send(piece).await.is_err() {
                break;
            }
        }
    });
    let mut write = move |_turn: SemaphorePermit<'static>| {
        let mut out = BufWriter::with_capacity(PIECE, Pieces(to_body.clone()));
        let pieces = std::iter::from_fn(|| from_service.blocking_recv()).take_while(|_| !to_body.is_closed());
        let pieces = pieces.map(|piece| piece.map_err(|status| cut(status.message())));
        let written = workbook(&export, pieces, ROWS_MAX).and_then(|mut book| {
            book.save_to_writer(&mut out).map_err(failed)?;
            out.flush()
        });
        if let Err(error) = written {
            // Nobody hears it when the reader is gone.
            let _ = to_body.blocking_send(Err(error));
        }
    };
    tokio::spawn(async move {
        // A semaphore that nobody closes.
        let Ok(turn) = WRITERS.acquire().await else { return };
        if let Err(error) = std::thread::Builder::new().name("xlsx".to_owned()).spawn(move || write(turn)) {
            tracing::error!(%error, "no thread for an export");
        }
    });
    ReceiverStream::new(body)
}

/// What is written goes to the body as soon as somebody reads it.
struct Pieces(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pieces {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.0.blocking_send(Ok(Bytes::copy_from_slice(piece))).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn workbook<T: Send + 'static>(
    export: &Export<T>,
    pieces: impl Iterator<Item = io::Result<Vec<T>>>,
    rows_max: u32,
) -> io::Result<Workbook> {
    let mut book = Workbook::new();
    let date = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    let (mut sheets, mut row) = (0, rows_max);
    for entry in pieces.map(|piece| piece.map(Some)).chain([Ok(None)]) {
        // A list without entries is a sheet with a head.
        let Some(entries) = entry? else {
            if sheets == 0 {
                sheet(&mut book, export, 1, rows_max).map_err(failed)?;
            }
            break;
        };
        for entry in entries {
            if row == rows_max {
                sheets += 1;
                sheet(&mut book, export, sheets, rows_max).map_err(failed)?;
                row = 1;
            }
            let sheet = book.worksheet_from_index(sheets - 1).map_err(failed)?;
            cells(sheet, export, row, &entry, &date).map_err(failed)?;
            row += 1;
        }
    }
    Ok(book)
}

/// A new sheet with its head. The second and further ones hold what the ones before them could not.
fn sheet<T: Send + 'static>(
    book: &mut Workbook,
    export: &Export<T>,
    number: usize,
    rows_max: u32,
) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold();
    let title = if number == 1 { export.title() } else { format!("{} {number}", export.title()) };
    let sheet = book.add_worksheet_with_constant_memory()?.set_name(title)?;
    sheet.set_freeze_panes(1, 0)?;
    for (index, column) in (0..).zip(&export.columns) {
        sheet.set_column_width(index, column.width)?;
        sheet.write_string_with_format(0, index, export.heading(column), &bold)?;
    }
    let last = u16::try_from(export.columns.len()).unwrap_or(u16::MAX).saturating_sub(1);
    sheet.autofilter(0, 0, rows_max - 1, last)?;
    Ok(())
}

fn cells<T: Send + 'static>(
    sheet: &mut Worksheet,
    export: &Export<T>,
    row: u32,
    entry: &T,
    date: &Format,
) -> Result<(), XlsxError> {
    for (index, column) in (0..).zip(&export.columns) {
        match export.cell(column, entry) {
            None => continue,
            // As a string, whatever it begins with: it is never a formula.
            Some(Cell::Text(text)) => sheet.write_string(row, index, text)?,
            Some(Cell::Number(number)) => sheet.write_number(row, index, number)?,
            Some(Cell::Time(time)) => sheet.write_datetime_with_format(row, index, excel_time(time)?, date)?,
        };
    }
    Ok(())
}

/// Excel knows no time zones: a date and a time of day, nothing else.
fn excel_time(time: NaiveDateTime) -> Result<ExcelDateTime, XlsxError> {
    ExcelDateTime::from_timestamp(time.and_utc().timestamp())
}

fn failed(error: XlsxError) -> io::Error {
    cut(error)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use armada_proto::Timestamp;
    use calamine::{Data, Reader, Xlsx};
    use proptest::prelude::*;

    use super::*;
    use crate::{export::Column, language::Language};

    struct Entry {
        text: String,
        number: f64,
    }

    const COLUMNS: &[Column<Entry>] = &[
        Column::text("name", 10.0, |entry| &entry.text),
        Column::number("max_parking_time", 10.0, |entry| entry.number),
        Column::time("created_at", |entry| Some(Timestamp::from_millis(entry.number as i64 * 1000))),
        Column::time("updated_at", |_| None),
    ];

    fn read(entries: Vec<Entry>, rows_max: u32) -> Xlsx<Cursor<Vec<u8>>> {
        let export = Export::whole("devices", COLUMNS, chrono_tz::Asia::Jakarta, Language::default());
        let mut book = workbook(&export, [Ok(entries)].into_iter(), rows_max).expect("a workbook");
        Xlsx::new(Cursor::new(book.save_to_buffer().expect("a file"))).expect("a workbook")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn text_is_text_and_never_a_formula(text in "[=+@\\-]{0,2}[ -~é车]{0,12}", number in 0u32..2_000_000_000) {
            let mut book = read(vec![Entry { text: text.clone(), number: number.into() }], 10);
            let rows = book.worksheet_range("Perangkat").expect("a sheet");
            match rows.get_value((1, 0)) {
                Some(Data::String(read)) => prop_assert_eq!(read, &text),
                other => prop_assert!(text.is_empty(), "{other:?}"),
            }
            prop_assert_eq!(rows.get_value((1, 1)), Some(&Data::Float(number.into())));
            let Some(Data::DateTime(time)) = rows.get_value((1, 2)) else { panic!("a date") };
            let local = (f64::from(number) + 7.0 * 3600.0) / 86_400.0 + 25_569.0;
            prop_assert!((time.as_f64() - local).abs() < 1e-6, "{time:?}");
            let formulas = book.worksheet_formula("Perangkat").expect("a sheet");
            prop_assert!(formulas.used_cells().next().is_none());
        }
    }

    #[test]
    fn what_a_sheet_cannot_hold_goes_to_the_next() {
        let entries = (0..7).map(|number| Entry { text: format!("{number}"), number: number.into() });
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

    #[tokio::test]
    async fn nobody_reads_on_for_a_file_that_is_not_wanted() {
        let (given_up, mut reading) = mpsc::channel::<()>(1);
        let entries = futures::stream::repeat_with(move || {
            let _held_while_reading = &given_up;
            Ok::<_, tonic::Status>(vec![Entry { text: "x".to_owned(), number: 1.0 }])
        });
        let export = Export::whole("devices", COLUMNS, chrono_tz::UTC, Language::default());
        drop(write(export, entries));
        assert_eq!(reading.recv().await, None);
    }

    #[test]
    fn a_list_that_breaks_off_makes_no_file() {
        let export = Export::whole("devices", COLUMNS, chrono_tz::UTC, Language::default());
        let pieces = [Ok(vec![Entry { text: "x".to_owned(), number: 1.0 }]), Err(io::Error::other("away"))];
        assert!(workbook(&export, pieces.into_iter(), 10).is_err());
    }
}
