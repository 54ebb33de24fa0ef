//! Names in cells that stand in the places of ids.

use std::{collections::HashSet, iter};

use armada_runtime::text::look_alike;
use armada_tables::read::Row;
use uuid::Uuid;

use super::{
    cells,
    columns::{CLEAR_MARK, Field, Kind, Meaning},
    lookup::Names,
};

/// What stands between several names in a cell.
const SEPARATORS: [char; 3] = [',', ';', '\n'];
/// Names in one cell: a device is in no more groups.
const NAMES_MAX: usize = 50;

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
    /// The names in a cell of a row, none in one that empties its field; or the code of why they are not read. What is
    /// called as a whole cell is one name, whatever stands in it.
    pub(super) fn all(
        field: &'static Field,
        row: &'a Row,
        meanings: &[Option<Meaning>],
        cell: &'a str,
        names: &Names,
    ) -> Result<Vec<Self>, &'static str> {
        let Kind::Named { listed_by, is_list, .. } = field.kind else { return Ok(Vec::new()) };
        let brand = brand_in(field, row, meanings);
        let mention = |name| Self { field, listed_by, name, brand };
        let is_one = !is_list || mention(cell).id(names) != Err("unknown");
        let separators = if is_one { &[] } else { SEPARATORS.as_slice() };
        let named = cell.split(separators).map(str::trim).filter(|name| !name.is_empty() && *name != CLEAR_MARK);
        let named: Vec<_> = named.map(mention).take(NAMES_MAX + 1).collect();
        if named.len() > NAMES_MAX { Err("too_many") } else { Ok(named) }
    }

    /// Whether it is the id itself.
    pub(super) fn is_id(&self) -> bool {
        Uuid::try_parse(self.name).is_ok()
    }

    /// Its name without that of its brand before it, with which models are shown.
    pub(super) fn own_name(&self) -> &'a str {
        let Some(brand) = self.brand else { return self.name };
        let end = self.name.char_indices().nth(brand.chars().count()).map_or(self.name.len(), |(at, _)| at);
        let (before, rest) = self.name.split_at(end);
        let own = rest.trim_start();
        let has_brand = look_alike(before) == look_alike(brand) && own.len() < rest.len() && !own.is_empty();
        if has_brand { own } else { self.name }
    }

    /// How it may be listed: a model is with its brand before it, which may be the beginning of its own name as well.
    pub(super) fn spellings(&self) -> Vec<String> {
        let Some(brand) = self.brand else { return vec![self.name.to_owned()] };
        let own = self.own_name();
        let twice = (own != self.name).then(|| format!("{brand} {}", self.name));
        iter::once(format!("{brand} {own}")).chain(twice).collect()
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

/// All names in rows, those of a column one after the other, each once. Of a cell with too many there are none.
pub(super) fn in_rows<'a>(
    meanings: &[Option<Meaning>],
    rows: impl Iterator<Item = &'a Row> + Clone,
    names: &Names,
) -> Vec<Mention<'a>> {
    let mut seen = HashSet::new();
    let mut mentions = Vec::new();
    for (at, meaning) in meanings.iter().enumerate() {
        let Some(Meaning::Field(field)) = meaning else { continue };
        for row in rows.clone() {
            let in_cell = Mention::all(field, row, meanings, cells::text(&row.cells[at]), names).unwrap_or_default();
            mentions.extend(in_cell.into_iter().filter(|it| seen.insert((field.name, it.brand, it.name))));
        }
    }
    mentions
}

/// Whole cells in which several names may stand.
pub(super) fn wholes<'a>(meanings: &[Option<Meaning>], rows: &'a [Row]) -> Vec<Mention<'a>> {
    let lists = meanings.iter().enumerate().filter_map(|(at, meaning)| match meaning {
        Some(Meaning::Field(field)) => Some((at, *field)),
        _ => None,
    });
    let mut wholes = Vec::new();
    for (at, field) in lists {
        let Kind::Named { listed_by, is_list: true, .. } = field.kind else { continue };
        let cells = rows.iter().map(|row| cells::text(&row.cells[at])).filter(|cell| cell.contains(SEPARATORS));
        wholes.extend(cells.map(|name| Mention { field, listed_by, name, brand: None }));
    }
    wholes
}

/// What is looked up for these: not what is an id.
pub(super) fn asked<'m>(mentions: impl Iterator<Item = &'m Mention<'m>>) -> Vec<(&'static str, String)> {
    let names = mentions.filter(|mention| !mention.is_id());
    names.flat_map(|mention| mention.spellings().into_iter().map(|name| (mention.listed_by, name))).collect()
}
