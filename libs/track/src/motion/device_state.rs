//! From a sequence of fixes to what the vehicle does. Time is the time of the fixes: the same sequence gives the same
//! result whenever it is read.
//!
//! **Moving** is a speed of [`Thresholds::moving_speed`] or more that can be believed ([`Claim`]). A receiver that stands says
//! up to [`SLOW_SPEED`], and with the ignition off anything: then places have to say the same. It begins to move once it is
//! [`Thresholds::jitter_dm`] away from its anchor; [`Thresholds::parked_jitter_dm`] where the ignition is off; twice the jitter
//! where the ignition is not told and the anchor is older than [`SETTLED_MS`], since the longer a receiver stands, the further
//! it wanders. It goes on as long as it comes as far as the jitter in every [`MADE_WAY_MS`]. A tracker that does not tell its
//! speed moves once it is that far away, having come there at that speed, and goes on moving as long as the distance from the
//! anchor, divided by the time since, keeps it up; of one that is settled it is [`Thresholds::parked_jitter_dm`]. Else, with the
//! ignition on (as last reported) the vehicle **idles**, and otherwise it is **parked**. A fix that is invalid or has a mark
//! ([`crate::motion::quality`]) keeps the motion, except that ignition off ends it and ignition on ends a park, and that one with
//! few satellites may say that the vehicle stands.
//!
//! **Distance** is measured from the *anchor*, the last fix up to which it was measured. A step counts, and makes the
//! fix the new anchor, when the vehicle moves at a speed that needs no places to confirm it, or when the step is longer than
//! jitter: [`Thresholds::jitter_dm`], or [`Thresholds::parked_jitter_dm`] when the vehicle was parked and still does not move (a
//! ferry, a tow truck). Where it comes to stand, [`STOP_DM`] are enough. A standing receiver therefore wanders around its anchor
//! without adding up, and no real way is lost, since the anchor waits. A fix with a mark counts nothing and moves no anchor. When a jump is confirmed, the anchor goes there and the
//! way to it counts nothing. Nor does the way of a tracker to where it is put to use: a step of [`KEPT_DM`] or more over [`KEPT_MS`] or
//! more before anything counted, since its first fix or since it replaced another one.
//!
//! **Ignition** is what was last reported, unless the tracker is not connected to it ([`crate::motion::ignition`]): then it is not
//! known, and the engine runs while the vehicle moves.
//!
//! **Time** between two fixes belongs to the motion at the earlier one, unless it is longer than
//! [`Thresholds::gap_ms`]: then it counts only for a vehicle that was parked and is found within
//! [`Thresholds::parked_jitter_dm`], whether it still stands or moves off there. Who moved, was silent for longer than
//! [`SILENT_MS`] and has not come as far as at [`Thresholds::moving_speed`], did not drive meanwhile, and nobody knows what it
//! did.

use crate::{
    meters::{
        own::{Expected, OwnEngine, OwnMeter, OwnMeters},
        replacement::{Replacement, Replacements},
        rules::MetersRead,
    },
    motion::{
        ignition::IgnitionEvidence,
        quality::{Fixed, Trust, clock_is_wrong, reaches},
    },
    position::{
        enriched::{Derived, FixMark, Motion, Position},
        geodesy::{Place, step_dm},
        present::content_hash,
        report::{Reject, Report},
        unite::unite,
    },
};

/// Who tells neither speed nor ignition and has been near its anchor for so many milliseconds is taken to stand there.
const SETTLED_MS: u64 = 5 * 60_000;
/// Slower than this, 0.1 km/h, a receiver may say that it goes while it stands.
const SLOW_SPEED: u32 = 100;
/// Who goes, as far as only its places can tell, comes as far as the jitter in so many milliseconds.
const MADE_WAY_MS: u64 = 2 * 60_000;
/// Nobody who drove was silent for longer, in milliseconds, unless it is found as far away as it would have come.
pub(crate) const SILENT_MS: u64 = 5 * 60_000;
/// A tracker that was silent for so long, milliseconds, and is so far away then, decimetres, has not driven yet: it was sent there.
const KEPT_MS: i64 = 24 * 3_600_000;
const KEPT_DM: u64 = 500_000;
/// The last decimetres to where a vehicle comes to stand count from so many on.
const STOP_DM: u64 = 100;

/// What counts as moving, and what as noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Moving from this speed on, 0.1 km/h.
    pub moving_speed: u32,
    /// A step shorter than this, in decimetres, is noise while the vehicle does not move.
    pub jitter_dm: u64,
    /// The same for a vehicle that was parked before.
    pub parked_jitter_dm: u64,
    /// Between fixes further apart than this, in milliseconds, nothing is known and no time is counted.
    pub gap_ms: u64,
    /// Whether the tracker is connected to the ignition; none for what its fixes tell.
    pub wired: Option<bool>,
    /// When its tracker was replaced.
    pub replaced: Replacements,
}

/// What the speed of a fix says of whether the vehicle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It tells no speed.
    Untold,
    Stands,
    /// So places have to say as well: it is slow, or its ignition is off.
    Doubtful,
    Moves,
}

impl Claim {
    pub(crate) fn of(speed: Option<u32>, ignition: Option<bool>, thresholds: &Thresholds) -> Self {
        match speed {
            None => Self::Untold,
            Some(speed) if speed < thresholds.moving_speed => Self::Stands,
            Some(speed) if speed < SLOW_SPEED || ignition == Some(false) => Self::Doubtful,
            Some(_) => Self::Moves,
        }
    }

    /// Whether the vehicle moves where no place is known before it; none when that is not told.
    pub(crate) fn alone(self, ignition: Option<bool>) -> Option<bool> {
        match self {
            Self::Untold => None,
            Self::Stands => Some(false),
            Self::Doubtful => Some(ignition == Some(true)),
            Self::Moves => Some(true),
        }
    }
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The newest fix of its device: to be stored and shown.
    Live(Position),
    /// Older than the newest: to be stored, never shown as live.
    Late(Position),
    /// It says nothing that is not stored: nothing to do.
    Repeat,
    /// Cannot be placed: an invalid fix without coordinates of a device whose place was never known.
    Refused(Reject),
}

/// How many stored fixes are remembered to recognise repeats. What repeats from further back is dropped by
/// [`crate::merge`].
pub(crate) const WINDOW: usize = 8;

/// What must be known of a device to take in its next fix. About 400 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceState {
    pub(crate) newest: Option<Seen>,
    /// Of the newest fix.
    pub(crate) derived: Derived,
    /// By which it is known whether a fix can be believed; the last valid place.
    pub(crate) trust: Trust,
    /// The fix up to which distance was measured.
    pub(crate) anchor: Option<Fixed>,
    /// The last stored fixes, the last stored first.
    pub(crate) seen: [Option<Seen>; WINDOW],
    /// What the device last said of its meters.
    pub(crate) own: OwnMeters,
    /// Way has counted since its first fix, or since its tracker was replaced.
    pub(crate) in_use: bool,
    /// Its ignition is known, and was the same at the fix before it.
    pub(crate) ignition_kept: bool,
    /// Whether it is connected to the ignition.
    pub(crate) wire: IgnitionEvidence,
}

/// A stored fix as it is recognised again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) recorded_at: i64,
    pub(crate) content: u32,
}

impl DeviceState {
    /// Takes in a validated report that was received when it was recorded.
    pub fn advance(&mut self, report: Report, thresholds: &Thresholds) -> Outcome {
        let received_at = report.recorded_at;
        self.receive(report, received_at, None, thresholds)
    }

    /// Takes in a validated report. `received_at` is when, in milliseconds since 1970. `newest` is the newest position of the
    /// device, if it is known: a report of the same instant is united with it, and is the newest from then on. Without it, and
    /// of an older instant, it is late, and united by whoever reads it.
    pub fn receive(
        &mut self,
        mut report: Report,
        received_at: i64,
        newest: Option<&Position>,
        thresholds: &Thresholds,
    ) -> Outcome {
        let mut seen = Seen::of(&report);
        if self.knows(seen) {
            return Outcome::Repeat;
        }
        let same_instant = self.newest.is_some_and(|newest| newest.recorded_at == seen.recorded_at);
        let newest = newest.filter(|newest| same_instant && newest.recorded_at() == seen.recorded_at);
        if let Some(newest) = newest {
            let mut united = newest.report.clone();
            if !unite(&mut united, &report, self.derived.ignition.filter(|_| self.ignition_kept)) {
                return Outcome::Repeat;
            }
            seen = Seen::of(&united);
            report = united;
        }
        if !report.valid && report.place() == Place::default() && self.trust.fixed.is_none() {
            return Outcome::Refused(Reject::NullIsland);
        }
        let has_wrong_clock = clock_is_wrong(report.recorded_at, received_at);
        let is_late = |at: i64| seen.recorded_at < at || seen.recorded_at == at && newest.is_none();
        if self.newest.is_some_and(|newest| is_late(newest.recorded_at)) {
            self.remember(seen);
            let mark = if has_wrong_clock { FixMark::Clock } else { FixMark::Unspecified };
            return Outcome::Late(Position { mark, ..Position::late(report) });
        }
        self.trust.place_invalid(&mut report);
        let mark = if has_wrong_clock { FixMark::Clock } else { self.trust.judge(&report) };
        let mut derived = self.derive(&report, mark, thresholds);
        derived.anchor |= newest.is_some_and(|newest| newest.derived.anchor);
        let position = Position { report, derived, mark, late: false };
        self.move_to(&position, seen, thresholds);
        Outcome::Live(position)
    }

    /// Takes in a position that was stored before. Applied, in the order of storage, to the state before them, it
    /// gives the very state that [`Self::advance`] left.
    pub fn restore(&mut self, position: &Position, thresholds: &Thresholds) {
        let seen = Seen::of(&position.report);
        if position.late { self.remember(seen) } else { self.move_to(position, seen, thresholds) }
    }

    /// Without what recognises repeats: the same whether fixes came in the order of time or were derived anew.
    #[must_use]
    pub fn without_repeats(&self) -> Self {
        let newest = self.newest.map(|newest| Seen { content: 0, ..newest });
        Self { newest, seen: [None; WINDOW], ..self.clone() }
    }

    /// Goes on as `derived` says, which was derived anew up to the newest fix; the repeats that are known stay.
    pub fn correct(&mut self, derived: &Self) {
        *self = Self { newest: self.newest, seen: self.seen, ..derived.clone() };
    }

    /// When the newest fix was recorded, milliseconds since 1970.
    pub fn recorded_at(&self) -> Option<i64> {
        self.newest.map(|newest| newest.recorded_at)
    }

    /// When the newest fix was recorded, milliseconds since 1970, and what was derived at it.
    pub fn newest(&self) -> Option<(i64, Derived)> {
        self.newest.map(|newest| (newest.recorded_at, self.derived))
    }

    /// Where the device was last known to be.
    pub fn place(&self) -> Option<Place> {
        self.trust.fixed.map(|fixed| fixed.place)
    }

    /// What the device last said of its engine hours.
    pub fn own_engine(&self) -> Option<OwnEngine> {
        self.own.engine
    }

    /// What the device last said of its meters.
    pub fn own_meters(&self) -> OwnMeters {
        self.own
    }

    /// What is read of its meters at its newest position.
    pub fn meters(&self, newest: &Position) -> MetersRead {
        MetersRead::of(newest, self.own.engine)
    }

    /// What was derived at the newest fix.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// Whether a fix of this instant, older than the newest, is one of the last that were stored. Milliseconds since 1970.
    pub fn remembers(&self, recorded_at: i64) -> bool {
        self.newest.is_some_and(|newest| recorded_at < newest.recorded_at)
            && self.seen.iter().flatten().any(|seen| seen.recorded_at == recorded_at)
    }

    /// Whether the same was stored before.
    fn knows(&self, seen: Seen) -> bool {
        self.newest.is_some_and(|newest| seen.recorded_at <= newest.recorded_at)
            && self.newest.into_iter().chain(self.seen.into_iter().flatten()).any(|known| known == seen)
    }

    fn remember(&mut self, seen: Seen) {
        self.seen.copy_within(..WINDOW - 1, 1);
        self.seen[0] = Some(seen);
    }

    fn move_to(&mut self, position: &Position, seen: Seen, thresholds: &Thresholds) {
        self.remember(seen);
        self.go_to(position, seen, thresholds);
    }

    /// The replacement of its tracker since the newest fix, if there was one by an instant, in milliseconds since 1970.
    fn replaced_by(&self, recorded_at: i64, thresholds: &Thresholds) -> Option<Replacement> {
        thresholds.replaced.between(self.newest?.recorded_at, recorded_at)
    }

    /// Whether a fix is the first one where the vehicle is put to use: its tracker comes from where it was made, or kept.
    fn is_put_to_use(&self, report: &Report) -> bool {
        let is_afar = |fixed: Fixed| {
            report.recorded_at.saturating_sub(fixed.recorded_at) >= KEPT_MS
                && step_dm(fixed.place, report.place()) >= KEPT_DM
        };
        self.trust.fixed.is_some_and(is_afar)
    }

    /// What the next fix goes on from, apart from what recognises repeats.
    pub(crate) fn go_to(&mut self, position: &Position, seen: Seen, thresholds: &Thresholds) {
        let replaced = self.replaced_by(seen.recorded_at, thresholds);
        if position.report.attrs.is_some() {
            self.own.engine = OwnEngine::next(self.own.engine, position, replaced);
        }
        if let Some(metres) = position.report.odometer {
            self.own.odometer = Some(OwnMeter::of(metres, position.derived.odometer_dm));
        }
        if !self.in_use || replaced.is_some() {
            let has_gone = position.derived.distance_dm > self.derived.distance_dm;
            // The first fix of another tracker may be where that was kept.
            let is_there = || replaced.is_none() && position.is_good() && self.is_put_to_use(&position.report);
            self.in_use = has_gone || is_there();
        }
        let same_instant = self.newest.is_some_and(|newest| newest.recorded_at == seen.recorded_at);
        let ignition = position.derived.ignition;
        self.ignition_kept =
            ignition.is_some() && ignition == self.derived.ignition && (self.ignition_kept || !same_instant);
        self.wire.follow(position, &self.derived);
        self.newest = Some(seen);
        self.derived = position.derived;
        self.trust.follow(&position.report, position.mark);
        if position.report.valid && position.derived.anchor {
            self.anchor = Some(Fixed { place: position.report.place(), recorded_at: seen.recorded_at });
        }
    }

    pub(crate) fn derive(&self, report: &Report, mark: FixMark, thresholds: &Thresholds) -> Derived {
        let before = &self.derived;
        let is_unwired = match thresholds.wired {
            Some(wired) => !wired,
            None => self.wire.is_absent() && report.ignition != Some(true),
        };
        let told = report.ignition.filter(|_| !is_unwired);
        let ignition = told.or(before.ignition.filter(|_| !is_unwired));
        let replaced = self.replaced_by(report.recorded_at, thresholds);
        let in_use = self.in_use && replaced.is_none();
        let step = match mark {
            FixMark::Unspecified if report.valid && !in_use && self.is_put_to_use(report) => Step {
                moving: Claim::of(report.speed, ignition, thresholds).alone(ignition),
                anchor: true,
                ..Step::NONE
            },
            FixMark::Unspecified if report.valid => self.step(report, ignition, thresholds),
            FixMark::FewSatellites if report.valid => self.step(report, ignition, thresholds).doubted(),
            _ => Step::NONE,
        };
        let motion = match step.moving {
            Some(moving) => motion_of(moving, ignition),
            None => undecided_motion(before, told),
        };
        let distance_dm = before.distance_dm.saturating_add(step.distance_dm);
        let elapsed =
            self.newest.map_or(0, |newest| report.recorded_at.saturating_sub(newest.recorded_at).unsigned_abs());
        let gone_on_dm = before.odometer_dm.saturating_add(step.distance_dm);
        let odometer_dm = report.odometer.map_or(gone_on_dm, |metres| {
            let expected = Expected::odometer(gone_on_dm, elapsed, replaced);
            OwnMeter::next(self.own.odometer, metres.saturating_mul(10), expected).shown()
        });
        let mut derived = Derived {
            motion,
            motion_since: before.motion_since,
            distance_dm,
            odometer_dm,
            ignition,
            anchor: step.anchor,
            ..*before
        };
        match self.newest {
            Some(_) => {
                let is_known = match before.motion {
                    Motion::Parked => step.stayed || elapsed <= thresholds.gap_ms,
                    Motion::Moving if elapsed > SILENT_MS => elapsed <= thresholds.gap_ms && step.kept_up,
                    _ => elapsed <= thresholds.gap_ms,
                };
                if is_known {
                    count_time(&mut derived, before, elapsed, is_unwired);
                }
                if motion != before.motion {
                    derived.motion_since = report.recorded_at;
                }
            }
            None => derived.motion_since = report.recorded_at,
        }
        derived
    }

    /// The step from the anchor to a valid fix.
    fn step(&self, report: &Report, ignition: Option<bool>, thresholds: &Thresholds) -> Step {
        let claim = Claim::of(report.speed, ignition, thresholds);
        let jumped = self.trust.confirmed_jump(report);
        let (Some(fixed), Some(anchor)) = (jumped.or(self.trust.fixed), jumped.or(self.anchor)) else {
            return Step { moving: claim.alone(ignition), anchor: true, ..Step::NONE };
        };
        let distance_dm = step_dm(anchor.place, report.place());
        let since = |before: Fixed| report.recorded_at.saturating_sub(before.recorded_at).unsigned_abs();

        let moved_before = self.derived.motion == Motion::Moving;
        let moving = match claim {
            Claim::Stands => false,
            Claim::Moves => true,
            Claim::Doubtful => self.makes_way(distance_dm, since(anchor), ignition, thresholds),
            Claim::Untold => {
                let settled = ignition.is_none() && !moved_before && since(anchor) >= SETTLED_MS;
                let wanders = settled || ignition == Some(false);
                let radius = if wanders { thresholds.parked_jitter_dm } else { thresholds.jitter_dm };
                let keeps_on = moved_before && ignition != Some(false);
                let elapsed = since(if moved_before { anchor } else { fixed });
                (distance_dm >= radius || keeps_on) && reaches(distance_dm, elapsed, thresholds.moving_speed)
            }
        };
        // Nothing is known of what it did before the second fix of who does not tell its speed.
        let was_parked = matches!(self.derived.motion, Motion::Parked | Motion::Unspecified);
        let enough = match (moving, claim) {
            (true, Claim::Moves) => 1,
            (false, _) if was_parked => thresholds.parked_jitter_dm,
            (false, Claim::Stands | Claim::Doubtful) if moved_before => thresholds.jitter_dm.min(STOP_DM),
            _ => thresholds.jitter_dm,
        };
        let counts = distance_dm >= enough.max(1);
        Step {
            moving: Some(moving),
            anchor: counts || jumped.is_some(),
            distance_dm: if counts { distance_dm } else { 0 },
            stayed: distance_dm < thresholds.parked_jitter_dm && jumped.is_none(),
            kept_up: since(fixed) > SILENT_MS && keeps_up(fixed, report, thresholds),
        }
    }

    /// Whether places say that the vehicle moves, so far from its anchor and so many milliseconds after it, when its speed
    /// alone does not prove it. An ignition that was just switched off has ended the way before it.
    fn makes_way(&self, distance_dm: u64, elapsed_ms: u64, ignition: Option<bool>, thresholds: &Thresholds) -> bool {
        let is_off = ignition == Some(false);
        let goes_on = self.derived.motion == Motion::Moving && (!is_off || self.derived.ignition == Some(false));
        let radius_dm = if is_off && !goes_on {
            thresholds.parked_jitter_dm
        } else if ignition.is_none() && !goes_on && elapsed_ms >= SETTLED_MS {
            2 * thresholds.jitter_dm
        } else {
            thresholds.jitter_dm
        };
        distance_dm >= radius_dm || goes_on && elapsed_ms < MADE_WAY_MS
    }
}

impl Seen {
    fn of(report: &Report) -> Self {
        Self { recorded_at: report.recorded_at, content: content_hash(report) }
    }
}

struct Step {
    /// `None` when the fix does not tell.
    moving: Option<bool>,
    /// The fix becomes the anchor.
    anchor: bool,
    /// What counts.
    distance_dm: u64,
    /// Found where it was.
    stayed: bool,
    /// Behind a long silence it is as far from the last place as if it had driven meanwhile.
    kept_up: bool,
}

impl Step {
    const NONE: Self = Self { moving: None, anchor: false, distance_dm: 0, stayed: false, kept_up: false };

    /// That of a fix whose place is not trusted: it counts nothing, and tells at most that the vehicle stands.
    fn doubted(self) -> Self {
        Self { moving: self.moving.filter(|moving| !moving), anchor: false, distance_dm: 0, ..self }
    }
}

/// Whether the way from the last trusted place to a fix is that of a vehicle that moved all the time between them.
pub(crate) fn keeps_up(fixed: Fixed, report: &Report, thresholds: &Thresholds) -> bool {
    let elapsed_ms = report.recorded_at.saturating_sub(fixed.recorded_at).unsigned_abs();
    reaches(step_dm(fixed.place, report.place()), elapsed_ms, thresholds.moving_speed)
}

/// What a vehicle does of which it is known whether it moves.
pub(crate) fn motion_of(moving: bool, ignition: Option<bool>) -> Motion {
    match (moving, ignition) {
        (true, _) => Motion::Moving,
        (false, Some(true)) => Motion::Idle,
        (false, _) => Motion::Parked,
    }
}

/// What a vehicle does of which nothing is told but maybe the ignition: what it did, unless that has changed.
pub(crate) fn undecided_motion(before: &Derived, ignition: Option<bool>) -> Motion {
    match (before.motion, ignition.filter(|_| ignition != before.ignition)) {
        (_, Some(false)) => Motion::Parked,
        (Motion::Moving, _) => Motion::Moving,
        (_, Some(true)) => Motion::Idle,
        (motion, None) => motion,
    }
}

/// Adds the time since the fix before to what the vehicle did then. Of one that `is_unwired` the engine runs while it moves.
pub(crate) fn count_time(derived: &mut Derived, before: &Derived, elapsed_ms: u64, is_unwired: bool) {
    let counter = match before.motion {
        Motion::Moving => Some(&mut derived.moving_ms),
        Motion::Idle => Some(&mut derived.idle_ms),
        Motion::Parked => Some(&mut derived.parked_ms),
        Motion::Unspecified => None,
    };
    if let Some(counter) = counter {
        *counter = counter.saturating_add(elapsed_ms);
    }
    if before.ignition == Some(true) || is_unwired && before.motion == Motion::Moving {
        derived.engine_ms = derived.engine_ms.saturating_add(elapsed_ms);
    }
}
