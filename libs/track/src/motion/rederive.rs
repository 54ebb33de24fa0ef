//! What stored fixes tell by thresholds that may not be those of the time when they came: nobody knows with which ones a
//! block was made.

use crate::{
    motion::{
        device_state::{Claim, DeviceState, Seen, Thresholds, motion_of},
        merge::{mark_late, starting},
        quality::{Fixed, Held},
    },
    position::enriched::{Derived, FixMark, Position},
};

/// Derives anew what ascending positions of one device tell, in one pass and in the order of time, as if none had come late:
/// what a tracker kept while it was out of reach, and sent behind newer fixes, has its trips like everything else. It begins at
/// what was derived at the first of them; where nothing was, as of a day of late ones alone, at the counters of the first of
/// which something was. The odometer stays as it was stored, if it was, and so does whether a fix was late or invalid. The mark
/// of a live fix stays as well, that of a late one is made anew. By the thresholds by which positions were made from their
/// device's first fix on, and if none of them came late, nothing changes.
pub fn rederive(positions: &mut [Position], thresholds: &Thresholds) {
    Rederivation::new(*thresholds).run(positions);
}

/// [`rederive`] of positions that come run after run, e.g. day after day: each goes on where the one before it ended.
#[derive(Clone, Debug)]
pub struct Rederivation {
    thresholds: Thresholds,
    /// After the last fix.
    state: DeviceState,
}

impl Rederivation {
    /// By these thresholds, from the next run on.
    pub fn new(thresholds: Thresholds) -> Self {
        Self { thresholds, state: DeviceState::default() }
    }

    /// Derives the next run anew.
    pub fn run(&mut self, positions: &mut [Position]) {
        let known = positions.iter().map(|position| position.derived).find(Derived::is_present);
        for position in positions {
            if self.state.newest.is_some() { self.go_on(position) } else { self.begin(position, known) }
        }
    }

    fn go_on(&mut self, position: &mut Position) {
        if position.late {
            self.judge(position);
        }
        let stored = position.derived;
        position.derived = self.state.derive(&position.report, position.mark, &self.thresholds);
        if stored.is_present() {
            position.derived.odometer_dm = stored.odometer_dm;
        }
        let recorded_at = position.recorded_at();
        self.state.go_to(position, Seen { recorded_at, content: 0 });
    }

    /// The first one keeps its counters; one that has none takes those of the first that has, if any is `known`.
    fn begin(&mut self, position: &mut Position, known: Option<Derived>) {
        if position.derived.is_present() {
            reconsider(position, &self.thresholds);
        } else {
            position.derived = starting(position, &known.unwrap_or_default(), &self.thresholds);
        }
        let recorded_at = position.recorded_at();
        self.state.go_to(position, Seen { recorded_at, content: 0 });
        if is_unwired(position) {
            self.state.wire.absent_since = Some(recorded_at);
        }
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

    /// Places and marks a late one by those before it.
    fn judge(&self, position: &mut Position) {
        let trust = &self.state.trust;
        if let (false, Some(fixed)) = (position.report.valid, trust.fixed) {
            (position.report.lat, position.report.lng) = (fixed.place.lat, fixed.place.lng);
        }
        mark_late(trust, position);
    }
}

/// Whether what it said of its ignition was passed over when it came.
fn is_unwired(position: &Position) -> bool {
    position.derived.is_present() && position.report.ignition == Some(false) && position.derived.ignition.is_none()
}

/// Whether there was a fix before it.
fn has_gone(derived: &Derived) -> bool {
    [derived.distance_dm, derived.engine_ms, derived.moving_ms, derived.idle_ms, derived.parked_ms] != [0; 5]
}

/// Whether a vehicle moves, of which nothing else is derived anew. What places had to say of it they have said.
fn reconsider(position: &mut Position, thresholds: &Thresholds) {
    if !position.is_good() || !position.derived.is_present() {
        return;
    }
    let is_first = !has_gone(&position.derived);
    let Position { report, derived, .. } = position;
    let claim = Claim::of(report.speed, derived.ignition, thresholds);
    let told = claim.alone(derived.ignition).filter(|_| claim != Claim::Doubtful || is_first);
    let Some(moving) = told else { return };
    let motion = motion_of(moving, derived.ignition);
    if motion != derived.motion {
        (derived.motion, derived.motion_since) = (motion, report.recorded_at);
    }
}
