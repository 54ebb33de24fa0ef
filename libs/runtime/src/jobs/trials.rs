//! What tries the rows of files.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use crate::{auth::Caller, error::Result, resource::Tried};

/// What became of items that were tried, from the first on.
pub(super) type Outcomes = Result<Vec<Result<()>>>;

/// A request of a method, as it is kept.
pub(super) struct Kept {
    pub(super) method: String,
    pub(super) body: Vec<u8>,
    /// Something is wrong with it, whatever comes of it: it will not be done.
    pub(super) is_wrong: bool,
}

/// Requests of methods.
pub(super) type Requests = Vec<Kept>;
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
