//! What the build makes of the contract for files that are taken in: for each method `Import` what the columns of a file
//! can be, its handlers and its routes.

use armada_proto::{ResourceList, v1};
use armada_runtime::Caller;
use axum::{Json, Router, extract::State, response::Response, routing};
use serde::Serialize;
use serde_json::Value;

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{failure::Answer, language::Language, query::Query},
    import::{self, Field, File, FileReaders, Imported, Kind},
    resources::jobs::Accepted,
    state::AppState,
};

include!(concat!(env!("OUT_DIR"), "/imports.rs"));

/// Entries of a page; the most that a list gives.
const PAGE_MAX: u32 = 500;

/// The entries of a list as JSON, and how many it would have without pages.
fn listed<L: ResourceList<Item: Serialize>>(list: L) -> (Vec<Value>, u32) {
    let total = list.total();
    (list.into_items().into_iter().filter_map(|item| serde_json::to_value(item).ok()).collect(), total)
}
