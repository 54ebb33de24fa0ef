//! What came late of a device, and has not been taken into account yet.

use std::time::Duration;

use armada_track::Position;
use tokio::time::Instant;

/// So long nothing more may come late of a device before it is derived.
const QUIET: Duration = Duration::from_secs(1);
/// So long it is put off at most.
const PUT_OFF: Duration = Duration::from_secs(10);
/// So many fixes of a device are kept for a derivation; of more it begins anew.
const SINCE_MOST: usize = 20_000;

/// What came late of a device.
#[derive(Debug)]
pub struct Late {
    /// The earliest of it, milliseconds since 1970.
    pub(super) from: i64,
    /// The last frame that has some of it; none while that is gathered.
    pub(super) frame: Option<i64>,
    pub(super) first: Instant,
    pub(super) last: Instant,
    /// Its newer fixes since, which a derivation may not have read.
    pub(super) since: Vec<Position>,
    /// More came late while it is being derived, or more of the device than is kept.
    pub(super) is_anew: bool,
    /// How often it did not lead to the newest fix.
    pub(super) attempts: u8,
}

impl Late {
    pub(super) fn new(from: i64) -> Self {
        let now = Instant::now();
        Self { from, frame: None, first: now, last: now, since: Vec::new(), is_anew: false, attempts: 0 }
    }

    /// Keeps a newer fix of the device.
    pub fn keep(&mut self, position: &Position) {
        if self.since.len() >= SINCE_MOST {
            self.since.clear();
            self.is_anew = true;
        }
        self.since.push(position.clone());
    }

    pub(super) fn is_due(&self, stored_frame: i64) -> bool {
        let is_stored = self.frame.is_some_and(|frame| frame <= stored_frame);
        is_stored && (self.last.elapsed() >= QUIET || self.first.elapsed() >= PUT_OFF)
    }
}
