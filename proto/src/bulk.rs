//! Requests of bulk acts, taken apart: what is done to many things is what a method of the same service does to one.

use prost::Message;

use crate::{Validate, v1};

/// What a method `Bulk` takes. Generated from its fields.
pub trait BulkRequest: Validate + Send + 'static {
    /// What the list is asked.
    type Filter: Default;
    /// The path of the method.
    const BULK: &'static str;

    /// What it is done to, and every act there is.
    fn into_parts(self) -> Parts<Self::Filter>;
}

/// A request, taken apart.
#[derive(Debug)]
pub struct Parts<F> {
    /// What it is done to; empty when `filter` says it.
    pub ids: Vec<String>,
    /// What the list is asked that shows what it is done to.
    pub filter: Option<F>,
    /// Every act there is.
    pub acts: Vec<Act>,
}

/// What can be done to many things.
#[derive(Debug)]
pub struct Act {
    /// Its name in the request, e.g. `delete`.
    pub name: &'static str,
    /// The path of the method that does it to one thing.
    pub method: &'static str,
    /// What the request says of it, if it wants this.
    pub given: Option<Given>,
}

/// An act that is wanted.
#[derive(Debug)]
pub struct Given {
    /// The request of the method for one thing, encoded, without the thing's id.
    pub request: Vec<u8>,
    /// The secrets that are in it, by name.
    pub secrets: Vec<&'static str>,
}

/// The request of a method for one thing: the id is the first field of each.
pub fn with_id(request: &[u8], id: &str) -> Vec<u8> {
    let mut whole = request.to_vec();
    // Of a field that is there twice the last one counts.
    prost::encoding::string::encode(1, &id.to_owned(), &mut whole);
    whole
}

include!(concat!(env!("OUT_DIR"), "/bulk.rs"));
