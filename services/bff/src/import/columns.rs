//! What the columns of a file are.

use armada_proto::ResourceInput;
use armada_runtime::text::fold;
use serde::de::DeserializeOwned;

use crate::http::{
    language::{self, LANGUAGES, Language},
    query::Query,
};

/// What stands for a column that is passed over.
const PASSED_OVER: &str = "-";

/// What can be imported. The build makes it of what is made and changed of a resource.
pub(crate) trait Imported: ResourceInput + DeserializeOwned {
    /// What the list is called, e.g. `devices`.
    const SUBJECT: &'static str;
    /// What columns can be.
    const FIELDS: &'static [Field];
}

/// Empties a field; an empty cell keeps what is there.
pub(super) const CLEAR_MARK: &str = "-";

/// Something that a column can be.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the contract.
    pub name: &'static str,
    /// How its cells are read.
    pub kind: Kind,
    /// Whether something new must have it.
    pub is_required: bool,
}

/// How its cells are read.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// As it stands there.
    Text,
    /// A whole number from zero on.
    Number,
    /// With a point or a comma before what is less than one.
    Decimal,
    /// Yes or no.
    Flag,
    /// A day.
    Date,
    /// One of these names, or of their words.
    Choice(&'static [&'static str]),
    /// An id, or the name of what a service lists; exports have the name in a column of its own.
    Named {
        /// The service that lists it, and of which kind it is there.
        listed_by: &'static str,
        /// The column of exports with the name.
        column: &'static str,
    },
}

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The id of what is changed or removed.
    Id,
    /// `delete`, or nothing.
    Action,
    /// A field.
    Field(&'static Field),
}

impl Meaning {
    /// As the query calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Action => "action",
            Self::Field(field) => field.name,
        }
    }

    /// The words that its cells can be.
    pub(super) fn choices(self, language: Language) -> Vec<String> {
        match self {
            Self::Id => Vec::new(),
            Self::Action => vec![language::word(language, "", "action.delete")],
            Self::Field(field) => field.choices(language),
        }
    }
}

impl Field {
    /// What stands above its column.
    pub(super) fn heading(&self, language: Language, subject: &str) -> String {
        language::word(language, subject, self.column())
    }

    /// The name of its column in exports.
    pub fn column(&self) -> &'static str {
        match self.kind {
            Kind::Named { column, .. } => column,
            _ => self.name,
        }
    }

    pub(super) fn choices(&self, language: Language) -> Vec<String> {
        match self.kind {
            Kind::Choice(names) => names.iter().map(|name| language::word(language, self.name, name)).collect(),
            Kind::Flag => ["yes", "no"].map(|name| language::word(language, self.name, name)).into(),
            _ => Vec::new(),
        }
    }
}

/// What the columns are that the query names, or else what they seem to be.
pub(super) fn given<I: Imported>(query: &mut Query, headings: &[String]) -> Vec<Option<Meaning>> {
    let names = query.all("column");
    if names.is_empty() {
        return guessed(I::SUBJECT, I::FIELDS, headings);
    }
    let meanings: Vec<_> = names.iter().map(|name| named(I::FIELDS, name)).collect();
    let is_known = |(name, meaning): (&String, &Option<Meaning>)| name == PASSED_OVER || meaning.is_some();
    let is_there_twice =
        |(at, meaning): (usize, &Option<Meaning>)| meaning.is_some() && meanings[..at].contains(meaning);
    if !names.iter().zip(&meanings).all(is_known) {
        query.wrong("column", "unknown");
    } else if meanings.iter().enumerate().any(is_there_twice) {
        query.wrong("column", "duplicate_column");
    } else if names.len() != headings.len() {
        query.wrong("column", "wrong_columns");
    }
    meanings
}

fn named(fields: &'static [Field], name: &str) -> Option<Meaning> {
    let known = [Meaning::Id, Meaning::Action].into_iter().chain(fields.iter().map(Meaning::Field));
    known.into_iter().find(|meaning| meaning.name() == name)
}

/// What columns seem to be by what stands above them: a name of the contract, or a heading of templates and exports in
/// any language. Of two that seem to be the same, the first one is.
pub fn guessed(subject: &str, fields: &'static [Field], headings: &[String]) -> Vec<Option<Meaning>> {
    let mut free: Vec<Meaning> = [Meaning::Id, Meaning::Action].into();
    free.extend(fields.iter().map(Meaning::Field));
    let guess = |heading: &String| {
        let heading = fold(heading.trim_end_matches(['*', ' ']));
        let found = free.iter().position(|meaning| is_called(subject, *meaning, &heading))?;
        Some(free.remove(found))
    };
    headings.iter().map(guess).collect()
}

/// Whether something has this heading, which is folded, in any language.
fn is_called(subject: &str, meaning: Meaning, heading: &str) -> bool {
    let mut columns = vec![meaning.name()];
    if let Meaning::Field(field) = meaning {
        columns.push(field.column());
    }
    columns.into_iter().any(|column| {
        let mut words = LANGUAGES.iter().filter_map(|language| language::known_word(*language, subject, column));
        fold(column) == heading || words.any(|word| fold(word) == heading)
    })
}
