//! What becomes of the keys that are written.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// What became of a key.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The bucket holds its state.
    Arrived,
    /// Its state could not be read, or was refused.
    Failed(Error),
    /// The bucket did not answer.
    Unanswered(Error),
    /// It was left alone because the bucket did not answer others.
    Untried,
}

/// The bucket did not answer; the other keys are left alone.
pub(super) fn unanswered(away: &AtomicBool) -> Outcome {
    away.store(true, Ordering::Relaxed);
    Outcome::Unanswered(Error::unavailable("the bucket does not answer"))
}
