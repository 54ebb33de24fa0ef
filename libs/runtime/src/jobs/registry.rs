//! What a service has said that it does with items, by what they are.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

/// By the path of a method, or by a kind of resource. Cheap to clone.
#[derive(Clone)]
pub(super) struct Registry<T>(Arc<Mutex<HashMap<&'static str, T>>>);

impl<T> Default for Registry<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> Registry<T> {
    pub(super) fn add(&self, of: &'static str, what: T) {
        self.0.lock().expect("no panic while held").insert(of, what);
    }

    pub(super) fn of(&self, of: &str) -> Option<T> {
        self.0.lock().expect("no panic while held").get(of).cloned()
    }
}
