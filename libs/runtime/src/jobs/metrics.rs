//! What is counted of jobs.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// What becomes of items, as it is counted.
pub(super) const RESULTS: [&str; 2] = ["done", "failed"];

/// Numbers of one service's jobs.
#[derive(Default)]
pub(super) struct Metrics {
    /// Waiting for their turn.
    pub(super) queued: AtomicI64,
    /// Running in this process.
    pub(super) running: AtomicI64,
    pub(super) items: [AtomicU64; RESULTS.len()],
}

impl Metrics {
    pub(super) fn queued(&self, jobs: u64) {
        self.queued.store(jobs as i64, Ordering::Relaxed);
    }

    pub(super) fn running(&self, jobs: usize) {
        self.running.store(jobs as i64, Ordering::Relaxed);
    }

    pub(super) fn item(&self, is_done: bool) {
        self.items[usize::from(!is_done)].fetch_add(1, Ordering::Relaxed);
    }
}
