//! What a PDF says beside its rows.

use chrono::{DateTime, FixedOffset};

use crate::Table;

/// What stands around the table.
#[derive(Debug, Clone)]
pub struct Document {
    /// The table.
    pub table: Table,
    /// Lines below the title, each with the name of what it says.
    pub details: Vec<(String, String)>,
    /// The language of all this, e.g. `id`.
    pub language: String,
    /// When it was made.
    pub made_at: DateTime<FixedOffset>,
    /// What is at the foot of a page, with `{page}` and `{pages}`.
    pub page_label: String,
    /// What stands in place of rows when there are none.
    pub empty: String,
    /// What the line says that names the characters of which no font has a glyph, if there are any.
    pub missing: String,
    /// What stands between thousands, and before a fraction.
    pub separators: (char, char),
}
