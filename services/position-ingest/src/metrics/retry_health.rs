//! How what is tried again and again goes, for `/readyz`.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use armada_runtime::{
    Error,
    health::{Health, Name, Part},
};

/// A failure after which nothing more was tried for so long says nothing of now.
const FAILURE_EXPIRY: Duration = Duration::from_secs(30);

/// The last failure of something that is tried again and again, until it succeeds. Cheap to clone.
#[derive(Clone, Default)]
pub struct RetryHealth(Arc<Mutex<Option<Failure>>>);

struct Failure {
    why: String,
    at: Instant,
}

impl RetryHealth {
    /// Lists it in `/readyz` as a part, with a sentence for as long as it does not fail. It is not looked at while
    /// something that it `needs` is missing.
    pub fn listed(health: &Health, part: Part, needs: &[Name], in_order: &'static str) -> Self {
        let new = Self::default();
        let attempts = new.clone();
        health.check(part, needs, move || {
            let failure = attempts.failure();
            let recent = failure.as_ref().filter(|failure| failure.at.elapsed() < FAILURE_EXPIRY);
            std::future::ready(match recent {
                Some(failure) => Err(Error::unavailable(&failure.why)),
                None => Ok(Some(in_order.to_owned())),
            })
        });
        new
    }

    /// It has gone well.
    pub fn succeeded(&self) {
        *self.failure() = None;
    }

    /// It has not, and will be tried again.
    pub fn failed(&self, why: impl Into<String>) {
        *self.failure() = Some(Failure { why: why.into(), at: Instant::now() });
    }

    fn failure(&self) -> MutexGuard<'_, Option<Failure>> {
        self.0.lock().expect("no panic while held")
    }
}
