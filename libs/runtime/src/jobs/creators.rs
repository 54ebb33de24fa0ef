//! What does items of a method together.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use futures::future::BoxFuture;

use super::current::Place;
use crate::{auth::Caller, error::Result};

/// Does items, which are requests of the same method, in one transaction, or none of them.
pub(super) type Create = Arc<dyn Fn(Caller, Vec<(Place, Vec<u8>)>) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// By the path of their method.
#[derive(Clone, Default)]
pub(super) struct Creators(Arc<Mutex<HashMap<&'static str, Create>>>);

impl Creators {
    pub(super) fn add(&self, method: &'static str, create: Create) {
        self.0.lock().expect("no panic while held").insert(method, create);
    }

    pub(super) fn of(&self, method: &str) -> Option<Create> {
        self.0.lock().expect("no panic while held").get(method).cloned()
    }
}
