//! Names in cells that stand in the places of ids.

use armada_tables::read::Row;
use uuid::Uuid;

use super::{
    cells,
    columns::{CLEAR_MARK, Field, Kind, Meaning},
    lookup::Names,
};

/// What stands between several names in a cell.
const SEPARATORS: [char; 3] = [',', ';', '\n'];

/// A name in a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention<'a> {
    pub(super) field: &'static Field,
    /// The service that lists what has it, and of which kind it is there.
    pub(super) listed_by: &'static str,
    pub(super) name: &'a str,
    /// Of a model, the brand that stands in the same row.
    pub(super) brand: Option<&'a str>,
}

impl<'a> Mention<'a> {
    /// The names in a cell of a row; none in one that empties its field.
    pub(super) fn all(field: &'static Field, row: &'a Row, meanings: &[Option<Meaning>], cell: &'a str) -> Vec<Self> {
        let Kind::Named { listed_by, is_list, .. } = field.kind else { return Vec::new() };
        let brand = brand_in(field, row, meanings);
        let names = if is_list { cell.split(SEPARATORS).collect() } else { vec![cell] };
        let names = names.into_iter().map(str::trim).filter(|name| !name.is_empty() && *name != CLEAR_MARK);
        names.map(|name| Self { field, listed_by, name, brand }).collect()
    }

    /// Whether it is the id itself.
    pub(super) fn is_id(&self) -> bool {
        Uuid::try_parse(self.name).is_ok()
    }

    /// How it may be listed: a model is with its brand before it.
    pub(super) fn spellings(&self) -> Vec<String> {
        let Some(brand) = self.brand else { return vec![self.name.to_owned()] };
        let is_whole = self.name.to_lowercase().starts_with(&format!("{} ", brand.to_lowercase()));
        let whole = is_whole.then(|| self.name.to_owned());
        [format!("{brand} {}", self.name)].into_iter().chain(whole).collect()
    }

    /// Its id, or the code of why there is none.
    pub(super) fn id(&self, names: &Names) -> Result<String, &'static str> {
        if self.is_id() {
            return Ok(self.name.to_owned());
        }
        let found = self.spellings().into_iter().map(|spelling| names.id_of(self.listed_by, &spelling));
        found.reduce(|best, next| if best == Err("unknown") { next } else { best }).unwrap_or(Err("unknown"))
    }
}

/// The name of the brand that a row has for a model.
fn brand_in<'a>(model: &Field, row: &'a Row, meanings: &[Option<Meaning>]) -> Option<&'a str> {
    let brand = format!("{}_brand_id", model.name.strip_suffix("_model_id")?);
    let at = meanings.iter().position(|meaning| meaning.is_some_and(|meaning| meaning.name() == brand))?;
    let brand = cells::text(row.cells.get(at)?);
    Some(brand).filter(|brand| !brand.is_empty() && *brand != CLEAR_MARK && Uuid::try_parse(brand).is_err())
}

/// All names in a table, those of a column one after the other.
pub(super) fn in_rows<'a>(meanings: &[Option<Meaning>], rows: &'a [Row]) -> Vec<Mention<'a>> {
    let fields = meanings.iter().enumerate().filter_map(|(at, meaning)| match meaning {
        Some(Meaning::Field(field)) => Some((at, *field)),
        _ => None,
    });
    let of_row = |at: usize, field, row: &'a Row| Mention::all(field, row, meanings, cells::text(&row.cells[at]));
    fields.flat_map(|(at, field)| rows.iter().flat_map(move |row| of_row(at, field, row)).collect::<Vec<_>>()).collect()
}
