//! How long positions were under way, millions of them: counted by the millisecond.

use anyhow::{Context as _, Result};

/// Longer than this counts as this, milliseconds.
const LONGEST: usize = 20_000;

/// Delays in whole milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Delays {
    /// How many there are of each length; none of those beyond its end.
    counts: Vec<u64>,
    total: u64,
}

impl Delays {
    /// Counts one. Clocks that disagree by a millisecond make none negative.
    pub fn add(&mut self, millis: i64) {
        let place = usize::try_from(millis).unwrap_or_default().min(LONGEST);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.total += 1;
    }

    /// Counts those of another one, too.
    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.total += other.total;
    }

    /// How many were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The delay that a share of them does not exceed; an error when there are none.
    pub fn at(&self, share: f64) -> Result<usize> {
        let wanted = ((self.total as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        let place = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        place.context("no position reached a socket")
    }
}
