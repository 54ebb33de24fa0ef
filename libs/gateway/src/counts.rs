//! What was sent, and what the receiver has said about it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use armada_proto::gateway::Answer;

/// Positions sent so far. Cheap to clone.
#[derive(Clone, Default)]
pub struct Counts(Arc<Cells>);

#[derive(Default)]
struct Cells {
    published: AtomicU64,
    acknowledged: AtomicU64,
    held: AtomicU64,
    rejected: AtomicU64,
    repeated: AtomicU64,
}

/// A reading of [`Counts`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// Positions published, each counted once.
    pub published: u64,
    /// Positions about which the receiver has said what became of them.
    pub acknowledged: u64,
    /// Of them those of devices that nobody has.
    pub held: u64,
    /// Of them those that were not taken in.
    pub rejected: u64,
    /// Messages that had to be published again.
    pub repeated: u64,
}

impl Counts {
    /// The counts now.
    pub fn read(&self) -> Reading {
        let of = |cell: &AtomicU64| cell.load(Ordering::Relaxed);
        Reading {
            published: of(&self.0.published),
            acknowledged: of(&self.0.acknowledged),
            held: of(&self.0.held),
            rejected: of(&self.0.rejected),
            repeated: of(&self.0.repeated),
        }
    }

    pub(crate) fn published(&self, positions: u64) {
        self.0.published.fetch_add(positions, Ordering::Relaxed);
    }

    pub(crate) fn answered(&self, positions: u64, answer: &Answer) {
        self.0.acknowledged.fetch_add(positions, Ordering::Relaxed);
        self.0.held.fetch_add(u64::from(answer.held), Ordering::Relaxed);
        self.0.rejected.fetch_add(answer.rejected.len() as u64, Ordering::Relaxed);
    }

    pub(crate) fn repeated(&self, messages: usize) {
        self.0.repeated.fetch_add(messages as u64, Ordering::Relaxed);
    }
}
