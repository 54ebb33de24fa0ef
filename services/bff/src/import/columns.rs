//! What the columns of a file are.

use armada_proto::ResourceInput;
use serde::de::DeserializeOwned;

use crate::http::language::{self, Language};

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
        /// There may be several, with commas between.
        is_list: bool,
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
