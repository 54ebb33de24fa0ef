//! What does items of a method together.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use futures::future::BoxFuture;

use super::current::Place;
use crate::{auth::Caller, error::Result};

/// Does items, which are requests of the same method, in one transaction, or none of them.
pub(super) type Batch = Arc<dyn Fn(Caller, Vec<(Place, Vec<u8>)>) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// By the path of their method.
#[derive(Clone, Default)]
pub(super) struct Batches(Arc<Mutex<HashMap<&'static str, Batch>>>);

impl Batches {
    pub(super) fn add(&self, method: &'static str, batch: Batch) {
        self.0.lock().expect("no panic while held").insert(method, batch);
    }

    pub(super) fn of(&self, method: &str) -> Option<Batch> {
        self.0.lock().expect("no panic while held").get(method).cloned()
    }
}
