//! What the messages of all resources have in common. The implementations are made of the `.proto` files, by the fields
//! that a message has.

use serde::Serialize;

use crate::{Validate, v1};

/// A request for something that is in an order.
pub trait Sorted {
    /// What it can be sorted by, by the options of the contract. The first is the usual order, `-` before it when that is
    /// descending.
    const SORTABLE: &'static [&'static str];
}

/// A request for a list.
pub trait ListRequest: Sorted + Validate + Send + Sync + 'static {
    /// From 1; 0 is the first one too.
    fn page(&self) -> u32;
    /// 1 to 500; 25 when 0.
    fn page_size(&self) -> u32;
    /// A name, `-` before it for descending; empty for the usual order.
    fn sort(&self) -> &str;
    /// Where the page before ended; empty for a page by its number.
    fn after(&self) -> &str;
    /// What must be a part of the searched text; empty for everything.
    fn q(&self) -> &str;
    /// The tenant that a platform owner narrows to.
    fn tenant_id(&self) -> Option<&str>;
}

/// What is made or changed of a resource. Absent fields of a change keep what is there.
pub trait ResourceInput: Validate + Clone + Default + Send + Sync + 'static {
    /// What is changed; empty for something new.
    fn id(&self) -> &str;
    /// Says what is changed.
    fn set_id(&mut self, id: String);
    /// What it shall be called; empty when that is not said.
    fn name(&self) -> &str;
    /// The version that was seen, if the caller wants to hear of changes since.
    fn row_version(&self) -> Option<i32>;
    /// To whom something new shall belong.
    fn tenant_id(&self) -> Option<&str>;
}

/// A resource as it is read.
pub trait ResourceMessage: Serialize + Clone + Send + Sync + 'static {
    /// Its id.
    fn id(&self) -> &str;
    /// What people call it.
    fn name(&self) -> &str;
}

/// What a list says besides its entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paging {
    /// How many it would have without pages, as far as they were counted.
    pub total: u32,
    /// There are more than that.
    pub more_than_total: bool,
    /// Where the next page begins; none at the end.
    pub next: Option<String>,
}

/// A page of a list, or a piece of an export.
pub trait ResourceList: Send + 'static {
    /// What it lists.
    type Item: Send + 'static;
    /// These, and what there is besides.
    fn new(items: Vec<Self::Item>, paging: Paging) -> Self;
    /// How many it would have without pages, as far as they were counted.
    fn total(&self) -> u32;
    /// What is in it.
    fn into_items(self) -> Vec<Self::Item>;
}

include!(concat!(env!("OUT_DIR"), "/resources.rs"));
