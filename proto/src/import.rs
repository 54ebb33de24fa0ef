//! Requests of imports, whatever is imported: a row is what a method of the same service does to one thing.

use prost::Message;

use crate::{ResourceInput, v1, v1::ImportMode};

/// What a method `Import` takes. Generated from its fields.
pub trait ImportRequest: Send + 'static {
    /// What a row is.
    type Input: ResourceInput + Message;
    /// The path of the method that makes what a row is.
    const CREATE: &'static str;
    /// The path of the one that changes it.
    const UPDATE: &'static str;
    /// The path of the one that removes it.
    const DELETE: &'static str;
    /// The path of the one that brings it back, if there is one.
    const RESTORE: Option<&'static str>;
    /// Flags that everything has which a row makes.
    const PRESETS: &'static [&'static str];

    /// A request.
    fn new(rows: Rows<Self::Input>, mode: ImportMode) -> Self;

    /// A request, taken apart.
    fn into_parts(self) -> (Rows<Self::Input>, ImportMode);
}

/// The rows of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows<I> {
    /// What is made, or changed where there is an id.
    pub rows: Vec<I>,
    /// What is removed.
    pub deleted_ids: Vec<String>,
    /// The numbers in the file, first of `rows`, then of `deleted_ids`.
    pub numbers: Vec<u32>,
    /// What cannot even be tried.
    pub wrong_rows: Vec<v1::ImportRowError>,
}

include!(concat!(env!("OUT_DIR"), "/imports.rs"));
