//! Reads tables that somebody made: CSV as it comes out of whatever program, and Excel. The first row that is not empty
//! has the headings unless somebody says that another one has ([`Sheet::headed_by`]); every cell is text, as people see it,
//! and says how it was written ([`CellKind`]).

use std::panic;

mod delimited;
mod encoding;
mod kinds;
mod sheet;
mod workbook;

pub use sheet::{CellKind, Error, Limits, OtherKind, Row, Sheet};

/// Reads a file: Excel if it is a workbook, else CSV. Of a workbook the sheet of this name, or the first one.
pub fn read(file: &[u8], sheet: Option<&str>, limits: &Limits) -> Result<Sheet, Error> {
    if file.len() > limits.bytes {
        return Err(Error::TooLarge { max: limits.bytes });
    }
    if let Some(kind) = kinds::of_beginning(file) {
        return Err(Error::Other(kind));
    }
    match file {
        // A file that no program writes may come upon a sum in the reader that overflows: that is one file's end.
        [b'P', b'K', 3, 4, ..] => panic::catch_unwind(|| workbook::read(file, sheet, limits))
            .unwrap_or_else(|_| Err(Error::Broken("no program writes such a workbook".to_owned()))),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Err(Error::OldOrEncrypted),
        _ => delimited::read(file, limits),
    }
}
