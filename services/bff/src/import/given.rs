//! What the columns of a file are, as a request says or as they seem to be.

use super::{
    columns::{Field, Imported, Meaning},
    headings::Understood,
};
use crate::http::query::Query;

/// What stands for a column that is passed over.
const PASSED_OVER: &str = "-";

/// What the columns are that the query names, or else what they seem to be.
pub(super) fn given<I: Imported>(query: &mut Query, understood: &[Understood]) -> Vec<Option<Meaning>> {
    let names = query.all("column");
    if names.is_empty() {
        if understood.iter().any(|column| !column.candidates.is_empty()) {
            query.wrong("column", "ambiguous_headings");
        }
        return understood.iter().map(|column| column.meaning).collect();
    }
    let meanings: Vec<_> = names.iter().map(|name| named(I::FIELDS, name)).collect();
    let is_known = |(name, meaning): (&String, &Option<Meaning>)| name == PASSED_OVER || meaning.is_some();
    let is_there_twice =
        |(at, meaning): (usize, &Option<Meaning>)| meaning.is_some() && meanings[..at].contains(meaning);
    if !names.iter().zip(&meanings).all(is_known) {
        query.wrong("column", "unknown");
    } else if meanings.iter().enumerate().any(is_there_twice) {
        query.wrong("column", "duplicate_column");
    } else if names.len() != understood.len() {
        query.wrong("column", "wrong_columns");
    }
    meanings
}

fn named(fields: &'static [Field], name: &str) -> Option<Meaning> {
    let known = [Meaning::Id, Meaning::Action].into_iter().chain(fields.iter().map(Meaning::Field));
    known.into_iter().find(|meaning| meaning.name() == name)
}
