//! A table as it is read, and how much of it.

/// Characters of a cell, as in Excel.
const CELL_MAX: usize = 32_767;

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Bytes of the parts of a workbook once they are unpacked.
    pub unpacked: usize,
    /// Bytes of the texts of all cells together.
    pub text: usize,
    /// Cells that are looked at, empty ones too, and texts that a workbook keeps for its cells.
    pub cells: usize,
    /// Rows below the headings.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 20 << 20, unpacked: 64 << 20, text: 32 << 20, cells: 2_000_000, rows: 50_000, columns: 200 }
    }
}

/// Why a file cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file has more bytes than [`Limits::bytes`], or becomes more than [`Limits::unpacked`] or [`Limits::text`].
    #[error("the file is, or becomes, larger than {max} bytes")]
    TooLarge {
        /// As many are read.
        max: usize,
    },
    /// More than [`Limits::cells`].
    #[error("more than {max} cells")]
    TooManyCells {
        /// As many are read.
        max: usize,
    },
    /// A cell has more characters than Excel takes.
    #[error("a cell of more than {max} characters")]
    CellTooLong {
        /// As many are read.
        max: usize,
    },
    /// More than [`Limits::rows`].
    #[error("more than {max} rows")]
    TooManyRows {
        /// As many are read.
        max: usize,
    },
    /// More than [`Limits::columns`].
    #[error("more than {max} columns")]
    TooManyColumns {
        /// As many are read.
        max: usize,
    },
    /// There is no row at all.
    #[error("the table is empty")]
    Empty,
    /// The workbook has no sheet of that name.
    #[error("there is no sheet {0:?}")]
    NoSuchSheet(String),
    /// The old Excel format, or a workbook with a password.
    #[error("an old or an encrypted workbook")]
    OldOrEncrypted,
    /// No table at all, by how it begins or by what is packed into it.
    #[error("no table but {0:?}")]
    Other(OtherKind),
    /// Text in letters that cannot be told.
    #[error("neither UTF-8 nor another encoding that can be told")]
    UnknownEncoding,
    /// Neither text nor a workbook, or broken.
    #[error("the file is broken: {0}")]
    Broken(String),
}

/// What is sent in the place of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKind {
    /// PDF.
    Pdf,
    /// A picture, as cameras and scanners make them.
    Picture,
    /// HTML or XML: what programs call `.xls` is often that.
    WebPage,
    /// Of a word processor, or of an office suite that has a format of its own.
    Document,
    /// Packed files.
    Archive,
}

/// A table as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The names of the sheets of a workbook in their order, but for hidden ones; none of CSV.
    pub sheets: Vec<String>,
    /// Which of them it is; empty of CSV.
    pub name: String,
    /// The number of the row with the headings, as spreadsheets count.
    pub heading_row: usize,
    /// What stands above the columns; empty where nothing does.
    pub headings: Vec<String>,
    /// The rows that are not empty.
    pub rows: Vec<Row>,
}

impl Sheet {
    /// The same table where the row of this number has the headings: what stands above it is no part of it. None when there
    /// is no such row.
    pub fn headed_by(mut self, number: usize) -> Option<Self> {
        if number == self.heading_row {
            return Some(self);
        }
        let at = self.rows.iter().position(|row| row.number == number)?;
        let headings = self.rows.drain(..=at).next_back()?.cells;
        let headings = headings.into_iter().map(|heading| heading.trim().to_owned()).collect();
        Some(Self { headings, heading_row: number, ..self })
    }
}

/// A row below the headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number as spreadsheets count, from 1 and with the headings.
    pub number: usize,
    /// As many as there are headings.
    pub cells: Vec<String>,
    /// How each of them was written.
    pub kinds: Vec<CellKind>,
}

/// How a cell was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CellKind {
    /// As it stands there: a text of a workbook, and anything in CSV.
    #[default]
    Plain,
    /// As a number of a workbook: its point stands before a fraction, and nothing stands between thousands.
    Number,
    /// In CSV behind an apostrophe, which is no part of it: a text, whatever it looks like.
    Quoted,
}

/// Puts a table together row by row, within the limits.
pub(super) struct Builder<'a> {
    limits: &'a Limits,
    headings: Option<Row>,
    rows: Vec<Row>,
    /// The most cells of a row.
    columns: usize,
    bytes: usize,
    cells: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, headings: None, rows: Vec::new(), columns: 0, bytes: 0, cells: 0 }
    }

    /// So many cells are looked at.
    pub(super) fn looked_at(&mut self, cells: usize) -> Result<(), Error> {
        self.cells += cells;
        if self.cells > self.limits.cells { Err(Error::TooManyCells { max: self.limits.cells }) } else { Ok(()) }
    }

    /// A copy of the text of a cell that becomes part of the table, if there is room for it.
    pub(super) fn copy(&mut self, text: &str) -> Result<String, Error> {
        if text.len() > CELL_MAX && text.chars().count() > CELL_MAX {
            return Err(Error::CellTooLong { max: CELL_MAX });
        }
        self.bytes += text.len();
        if self.bytes > self.limits.text {
            return Err(Error::TooLarge { max: self.limits.text });
        }
        Ok(text.to_owned())
    }

    /// The next row, unless it is empty; its cells are copies.
    pub(super) fn row(&mut self, number: usize, cells: Vec<(String, CellKind)>) -> Result<(), Error> {
        let filled = cells.iter().rposition(|(cell, _)| !cell.trim().is_empty()).map_or(0, |last| last + 1);
        let (cells, kinds): (Vec<_>, Vec<_>) = cells.into_iter().take(filled).unzip();
        if filled == 0 {
            return Ok(());
        }
        if filled > self.limits.columns {
            return Err(Error::TooManyColumns { max: self.limits.columns });
        }
        self.columns = self.columns.max(filled);
        if self.headings.is_none() {
            let cells = cells.iter().map(|heading| heading.trim().to_owned()).collect();
            self.headings = Some(Row { number, cells, kinds });
        } else if self.rows.len() < self.limits.rows {
            self.rows.push(Row { number, cells, kinds });
        } else {
            return Err(Error::TooManyRows { max: self.limits.rows });
        }
        Ok(())
    }

    /// All of it; what is shorter than the longest row is filled up.
    pub(super) fn finish(self) -> Result<Sheet, Error> {
        let Row { number, cells: mut headings, .. } = self.headings.ok_or(Error::Empty)?;
        let mut rows = self.rows;
        // Empty ones count as well: each of them is a text.
        if self.columns * (rows.len() + 1) > self.limits.cells {
            return Err(Error::TooManyCells { max: self.limits.cells });
        }
        headings.resize(self.columns, String::new());
        for row in &mut rows {
            row.cells.resize(self.columns, String::new());
            row.kinds.resize(self.columns, CellKind::default());
        }
        Ok(Sheet { headings, rows, heading_row: number, ..Sheet::default() })
    }
}
