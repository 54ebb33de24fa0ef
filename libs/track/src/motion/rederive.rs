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
/// which something was. Whether a fix was late or invalid, and that its clock was wrong, stays as it was stored; the mark of a
/// live fix as well, unless all before it is known ([`Rederivation::resume`]). By the thresholds by which positions were made from their
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
    /// All that was before is known, so that every fix can be judged anew.
    knows_all: bool,
}

impl Rederivation {
    /// By these thresholds, from the next run on.
    pub fn new(thresholds: Thresholds) -> Self {
        Self { thresholds, state: DeviceState::default(), knows_all: false }
    }

    /// By these thresholds, from how a device was left when a day ended.
    pub fn resume(thresholds: Thresholds, left: DeviceState) -> Self {
        Self { thresholds, state: left, knows_all: true }
    }

    /// What the next position goes on from.
    pub fn state(&self) -> &DeviceState {
        &self.state
    }

    /// Derives the next run anew.
    pub fn run(&mut self, positions: &mut [Position]) {
        // The first live one had been through what was before all of them, and through nothing that came late.
        let live = positions.iter().filter(|position| !position.late).chain(&*positions);
        let known = live.map(|position| position.derived).find(Derived::is_present);
        for position in positions {
            self.push(position, known);
        }
    }

    /// Derives the next position anew. `known` are the counters with which the first one of all begins.
    pub(crate) fn push(&mut self, position: &mut Position, known: Option<Derived>) {
        if self.state.newest.is_some() { self.go_on(position) } else { self.begin(position, known) }
    }

    fn go_on(&mut self, position: &mut Position) {
        if position.late || self.knows_all {
            self.judge(position);
        }
        position.derived = self.state.derive(&position.report, position.mark, &self.thresholds);
        let recorded_at = position.recorded_at();
        self.state.go_to(position, Seen { recorded_at, content: 0 }, &self.thresholds);
    }

    /// The first one keeps its counters; one that came late takes those that are `known`, if any are: what it got from those
    /// around it when it was sealed says nothing.
    fn begin(&mut self, position: &mut Position, known: Option<Derived>) {
        if position.derived.is_present() && !position.late {
            reconsider(position, &self.thresholds);
        } else {
            position.derived = starting(position, &known.unwrap_or_default(), &self.thresholds);
        }
        let recorded_at = position.recorded_at();
        self.state.go_to(position, Seen { recorded_at, content: 0 }, &self.thresholds);
        self.state.in_use |= has_gone(&position.derived);
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

    /// Places and marks it by those before it, as if all had come in the order of time.
    fn judge(&self, position: &mut Position) {
        let trust = &self.state.trust;
        trust.place_invalid(&mut position.report);
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
