//! The file itself: how it is read from a request, and how one is given to be filled in.

use std::borrow::Cow;

use armada_proto::Timestamp;
use armada_runtime::{Code, Error, Result};
use armada_tables::{
    Cell, Column, Table, csv,
    read::{self, Limits, OtherKind, Sheet},
    xlsx,
};
use axum::{
    body::Bytes,
    extract::{FromRef, FromRequest, Request},
    response::{IntoResponse, Response},
};
use http::{
    StatusCode,
    header::{CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_TYPE},
};

use super::headings::HEADING_ROWS;
use crate::{
    export::Format,
    http::{
        body::{self, BodyReader},
        failure::Failure,
        language::{self, Language},
        query::Query,
    },
};

/// Bytes that a file may have.
pub(crate) const FILE_MAX: usize = 8 << 20;
/// Rows below the headings: as many as a service takes at once.
pub(super) const ROWS_MAX: usize = 10_000;
/// What is read of one, with titles above the headings.
const LIMITS: Limits = Limits {
    bytes: FILE_MAX,
    unpacked: 48 << 20,
    text: 16 << 20,
    cells: 1_000_000,
    rows: ROWS_MAX + HEADING_ROWS,
    columns: 200,
};
/// Characters that are seen of a column of a workbook.
const WIDTH: f64 = 22.0;

/// The body of a request that is a file.
pub(crate) struct File(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for File
where
    BodyReader: FromRef<S>,
{
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        body::bytes(request, state).await.map(Self)
    }
}

/// The table of a file; an error that says why it is none.
pub(super) fn read(file: &[u8], sheet: Option<&str>) -> Result<Sheet, Failure> {
    let code = match read::read(file, sheet, &LIMITS) {
        Ok(sheet) => return Ok(sheet),
        Err(read::Error::TooLarge { .. }) => {
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"));
        }
        Err(read::Error::CellTooLong { .. }) => "import_cell_too_long",
        Err(read::Error::TooManyCells { .. }) => "import_too_many_cells",
        Err(read::Error::TooManyRows { .. }) => "import_too_many_rows",
        Err(read::Error::TooManyColumns { .. }) => "import_too_many_columns",
        Err(read::Error::Empty) => "import_empty",
        Err(read::Error::NoSuchSheet(_)) => return Err(Error::field("sheet", "unknown").into()),
        Err(read::Error::OldOrEncrypted) => "import_old_workbook",
        Err(read::Error::Other(OtherKind::Pdf)) => "import_is_pdf",
        Err(read::Error::Other(OtherKind::Picture)) => "import_is_picture",
        Err(read::Error::Other(OtherKind::WebPage)) => "import_is_web_page",
        Err(read::Error::Other(OtherKind::Document)) => "import_is_document",
        Err(read::Error::Other(OtherKind::Archive)) => "import_is_archive",
        Err(read::Error::UnknownEncoding) => "import_unknown_encoding",
        Err(read::Error::Broken(_)) => "import_broken",
    };
    Err(Error::new(Code::Invalid, code, "the file cannot be read").into())
}

/// A file to be filled in, or to be imported as it is.
pub(super) fn respond(
    query: Query,
    language: Language,
    subject: &str,
    purpose: &str,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
) -> Result<Response> {
    let column = |heading| Column { heading, width: WIDTH, numeric: false };
    let table = Table {
        title: language::word(language, subject, "title"),
        columns: headings.into_iter().map(column).collect(),
    };
    let format = query.text("format").map_or(Some(Format::default()), |name| Format::of(&name));
    let (format, bytes) = match format {
        Some(format @ Format::Csv) => (format, csv_of(&table, &rows)),
        Some(format @ Format::Xlsx) => (format, xlsx_of(table, &rows)),
        Some(Format::Pdf) | None => return Err(Error::field("format", "unknown")),
    };
    let (kind, extension) = format.kind();
    let disposition = format!("attachment; filename=\"{subject}-{purpose}-{}.{extension}\"", timestamp());
    let headers = [(CONTENT_TYPE, kind), (CONTENT_LANGUAGE, language.tag()), (CONTENT_DISPOSITION, &disposition)];
    Ok((headers, bytes.map_err(Error::internal)?).into_response())
}

fn cells(row: &[String]) -> impl Iterator<Item = Cell<'_>> {
    row.iter().map(|cell| Cell::Text(Cow::Borrowed(cell)))
}

fn csv_of(table: &Table, rows: &[Vec<String>]) -> std::io::Result<Vec<u8>> {
    let mut writer = csv::Writer::with_head(Vec::new(), table)?;
    rows.iter().try_for_each(|row| writer.row(cells(row)))?;
    writer.finish()
}

fn xlsx_of(table: Table, rows: &[Vec<String>]) -> std::io::Result<Vec<u8>> {
    let mut writer = xlsx::Writer::new(table)?;
    rows.iter().try_for_each(|row| writer.row(cells(row)))?;
    let mut file = std::io::Cursor::new(Vec::new());
    writer.finish(&mut file)?;
    Ok(file.into_inner())
}

/// When a file was made, for its name.
fn timestamp() -> String {
    let now = chrono::DateTime::from_timestamp_millis(Timestamp::now().millis()).unwrap_or_default();
    now.format("%Y%m%d-%H%M").to_string()
}
