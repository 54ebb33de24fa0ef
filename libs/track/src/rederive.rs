//! What stored fixes tell by thresholds that may not be those of the time when they came: nobody knows with which ones a
//! block was made.

use crate::{
    merge::{Before, fill_after, mark_late},
    motion::{DeviceState, Seen, Thresholds, motion_of},
    position::{Derived, FixMark, Position},
    quality::{Fixed, Held},
};

/// Derives anew what ascending positions of one device tell, in one pass. It begins at what was derived at the first of
/// them; the odometer stays as it was stored, and so does whether a fix was late or invalid. The mark of a live fix stays
/// as well, that of a late one is made anew. By the thresholds by which positions were made from their device's first fix
/// on, nothing changes.
pub fn rederive(positions: &mut [Position], thresholds: &Thresholds) {
    Rederivation::new(*thresholds).run(positions);
}

/// [`rederive`] of positions that come run after run, e.g. day after day: each goes on where the one before it ended.
#[derive(Clone, Debug)]
pub struct Rederivation {
    thresholds: Thresholds,
    /// After the last fix that was not late.
    state: DeviceState,
    /// What a late fix goes on from.
    before: Option<Before>,
}

impl Rederivation {
    /// By these thresholds, from the next run on.
    pub fn new(thresholds: Thresholds) -> Self {
        Self { thresholds, state: DeviceState::default(), before: None }
    }

    /// Derives the next run anew.
    pub fn run(&mut self, positions: &mut [Position]) {
        let late = self.run_live(positions);
        if late {
            self.run_late(positions);
        } else if let Some(last) = positions.last() {
            let (recorded_at, derived) = (last.recorded_at(), last.derived);
            self.before = Some(Before { recorded_at, derived, trust: self.state.trust });
        }
    }

    /// Those that were the newest when they came. Whether there are others.
    fn run_live(&mut self, positions: &mut [Position]) -> bool {
        let mut late = false;
        for position in positions {
            if position.late {
                late = true;
                continue;
            }
            let recorded_at = position.recorded_at();
            if self.state.newest.is_none() {
                self.begin(position);
            } else {
                let odometer_dm = position.derived.odometer_dm;
                let derived = self.state.derive(&position.report, position.mark, &self.thresholds);
                position.derived = Derived { odometer_dm, ..derived };
                self.state.go_to(position, Seen { recorded_at, content: 0 });
            }
        }
        late
    }

    /// The first one keeps its counters.
    fn begin(&mut self, position: &mut Position) {
        reconsider(position, &self.thresholds);
        let recorded_at = position.recorded_at();
        self.state.go_to(position, Seen { recorded_at, content: 0 });
        if position.mark == FixMark::Unspecified && (position.report.valid || has_gone(&position.derived)) {
            // Distance was measured from a place before it that is not known any more, and not far.
            let here = Fixed { place: position.report.place(), recorded_at };
            self.state.anchor.get_or_insert(here);
            let trust = &mut self.state.trust;
            if trust.fixed.is_none() {
                (trust.fixed, trust.held) = (Some(here), Held::first(here));
            }
        }
    }

    /// Those that came late, between the others. Before all that is known, they keep their counters.
    fn run_late(&mut self, positions: &mut [Position]) {
        mark_late(self.before.as_ref().map(|before| before.trust).unwrap_or_default(), positions);
        let mut known = self.before.is_some();
        let mut stored = Vec::new();
        for (row, position) in positions.iter_mut().enumerate() {
            match (position.late, known) {
                (false, _) => known |= position.derived.is_present(),
                (true, true) => stored.push((row, std::mem::take(&mut position.derived))),
                (true, false) => reconsider(position, &self.thresholds),
            }
        }
        self.before = fill_after(self.before.take(), positions, &self.thresholds);
        for (row, stored) in stored.into_iter().filter(|(_, stored)| stored.is_present()) {
            positions[row].derived.odometer_dm = stored.odometer_dm;
        }
    }
}

/// Whether there was a fix before it.
fn has_gone(derived: &Derived) -> bool {
    [derived.distance_dm, derived.engine_ms, derived.moving_ms, derived.idle_ms, derived.parked_ms] != [0; 5]
}

/// Whether a vehicle moves, of which nothing else is derived anew.
fn reconsider(position: &mut Position, thresholds: &Thresholds) {
    if !position.is_good() {
        return;
    }
    let Position { report, derived, .. } = position;
    let Some(speed) = report.speed.filter(|_| derived.is_present()) else { return };
    let motion = motion_of(speed >= thresholds.moving_speed, derived.ignition);
    if motion != derived.motion {
        (derived.motion, derived.motion_since) = (motion, report.recorded_at);
    }
}
