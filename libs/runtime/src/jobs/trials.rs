//! What tries the rows of files.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use crate::{auth::Caller, error::Result, resource::Tried};

/// What became of items that were tried, from the first on.
pub(super) type Outcomes = Result<Vec<Result<()>>>;
/// Requests of methods, as they are kept.
pub(super) type Requests = Vec<(String, Vec<u8>)>;
/// Tries requests after what was tried.
pub(super) type TryItems = Arc<dyn Fn(Caller, Requests, Tried) -> BoxFuture<'static, (Outcomes, Tried)> + Send + Sync>;
/// Adds what requests would have done that were tried.
pub(super) type Recall = Arc<dyn Fn(Caller, Requests, Tried) -> BoxFuture<'static, Result<Tried>> + Send + Sync>;

/// The fields that a request has, by their names in JSON.
pub(super) type Read = Arc<dyn Fn(&[u8]) -> Map<String, Value> + Send + Sync>;

/// What is done with requests of one kind.
#[derive(Clone)]
pub(super) struct TrialOf {
    pub(super) try_items: TryItems,
    pub(super) recall: Recall,
    pub(super) read: Read,
}
