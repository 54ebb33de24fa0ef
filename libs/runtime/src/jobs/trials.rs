//! What tries the rows of files, by what they are about.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use futures::future::BoxFuture;

use crate::{auth::Caller, error::Result, resource::Tried};

/// What became of items that were tried, from the first on.
pub(super) type Outcomes = Result<Vec<Result<()>>>;
/// Requests of methods, as they are kept.
pub(super) type Requests = Vec<(String, Vec<u8>)>;
/// Tries requests after what was tried.
pub(super) type TryItems = Arc<dyn Fn(Caller, Requests, Tried) -> BoxFuture<'static, (Outcomes, Tried)> + Send + Sync>;
/// Adds what requests would have done that were tried.
pub(super) type Recall = Arc<dyn Fn(Caller, Requests, Tried) -> BoxFuture<'static, Result<Tried>> + Send + Sync>;

/// What is done with requests of one kind.
#[derive(Clone)]
pub(super) struct TrialOf {
    pub(super) try_items: TryItems,
    pub(super) recall: Recall,
}

/// By what their job is about.
#[derive(Clone, Default)]
pub(super) struct Trials(Arc<Mutex<HashMap<&'static str, TrialOf>>>);

impl Trials {
    pub(super) fn add(&self, resource: &'static str, trial: TrialOf) {
        self.0.lock().expect("no panic while held").insert(resource, trial);
    }

    pub(super) fn of(&self, resource: &str) -> Option<TrialOf> {
        self.0.lock().expect("no panic while held").get(resource).cloned()
    }
}
