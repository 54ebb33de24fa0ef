//! What the way shows in which a vehicle goes: from one fix to the next, and over some of them.

use super::event::{EventKind, VehicleEvent};
use crate::position::{
    enriched::{Motion, Position},
    geodesy::{Place, step_dm},
    report::Report,
};

/// Beyond a limit is what exceeds it by 5 km/h and by a tenth, for half a minute.
const EXCESS: u32 = 50;
const EXCESS_PART: u32 = 10;
const OVERSPEED_MS: i64 = 30_000;
/// Between fixes further apart the way shows whether it went on; closer ones need no such proof.
const APART_MS: i64 = 120_000;
/// A road is up to a third longer than the straight line: so much of the limit a straight way shows at least.
const STRAIGHT: (u64, u64) = (3, 4);

/// Fixes further apart say nothing of how harshly speed or course changed, and nearer ones are too near: what a speed is off
/// by would look like a rate.
const HARSH_MS: i64 = 2_000;
const HARSH_LEAST_MS: i64 = 1_000;
/// One manoeuvre is one event: no more is raised of it for so long.
const MANOEUVRE_MS: i64 = 10_000;
/// m/s²: 0.37, 0.38 and 0.38 g, as fleets use them for vehicles of up to 2.7 t.
const ACCELERATION: f64 = 3.63;
const BRAKING: f64 = 3.73;
const CORNERING: f64 = 3.73;
/// 0.1 km/h: slower than this a receiver's noise looks like either.
const HARSH_SPEED: u32 = 100;
const CORNERING_SPEED: u32 = 300;

/// It is towed when it has moved so long with the ignition off.
const TOWED_MS: i64 = 60_000;

/// How a vehicle went at a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Driven {
    pub(super) at: i64,
    pub(super) speed: u32,
    pub(super) course: Option<u32>,
}

impl Driven {
    pub(super) fn of(report: &Report) -> Option<Self> {
        Some(Self { at: report.recorded_at, speed: report.speed?, course: report.course })
    }

    /// Whether it is the fix of an instant, milliseconds since 1970, or one before it that is kept for rates since that is too near.
    pub(super) fn is_of(&self, newest: i64) -> bool {
        (0..HARSH_LEAST_MS).contains(&newest.saturating_sub(self.at))
    }

    /// Whether a later one is too near for a rate between them.
    pub(super) fn is_near(&self, later: &Self) -> bool {
        (0..HARSH_LEAST_MS).contains(&later.at.saturating_sub(self.at))
    }
}

/// When something harsh was raised last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Harsh {
    pub(super) raised_at: i64,
}

impl Harsh {
    /// What the step between two fixes shows, what was measured, and the limit.
    pub(super) fn see(&mut self, before: Driven, now: Driven) -> Option<(EventKind, f64, f64)> {
        let elapsed_ms = now.at.saturating_sub(before.at);
        if !(HARSH_LEAST_MS..=HARSH_MS).contains(&elapsed_ms) || now.at.saturating_sub(self.raised_at) < MANOEUVRE_MS {
            return None;
        }
        let seconds = elapsed_ms as f64 / 1000.0;
        let metres_per_second = |speed: u32| f64::from(speed) / 36.0;
        let gained = (metres_per_second(now.speed) - metres_per_second(before.speed)) / seconds;
        let found = if before.speed.max(now.speed) < HARSH_SPEED {
            None
        } else if gained >= ACCELERATION {
            Some((EventKind::HarshAcceleration, gained, ACCELERATION))
        } else if -gained >= BRAKING {
            Some((EventKind::HarshBraking, -gained, BRAKING))
        } else {
            let sideways = cornering(before, now) / seconds;
            (sideways >= CORNERING).then_some((EventKind::HarshCornering, sideways, CORNERING))
        };
        if found.is_some() {
            self.raised_at = now.at;
        }
        found.map(|(kind, value, limit)| (kind, (value * 100.0).round() / 100.0, limit))
    }
}

/// Speed times the change of the course, m/s; nothing where one of them is too slow for its course to be known.
fn cornering(before: Driven, now: Driven) -> f64 {
    let (Some(from), Some(to)) = (before.course, now.course) else { return 0.0 };
    let slower = before.speed.min(now.speed);
    if slower < CORNERING_SPEED {
        return 0.0;
    }
    let turned = from.abs_diff(to) % 3_600;
    let turned = f64::from(turned.min(3_600 - turned)) / 10.0;
    f64::from(slower) / 36.0 * turned.to_radians()
}

/// A time that a vehicle goes faster than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overspeed {
    pub(super) since: i64,
    /// The highest speed in it, 0.1 km/h.
    pub(super) peak: u32,
    /// How far its fixes lie apart at most, milliseconds.
    pub(super) apart: i64,
    pub(super) is_raised: bool,
}

/// The last fix before one that is judged now.
#[derive(Clone, Copy)]
pub(super) struct Former {
    pub(super) at: i64,
    pub(super) place: Place,
    /// It can be believed, and told its speed.
    pub(super) is_good: bool,
}

impl Former {
    /// Milliseconds from it to this one.
    fn apart(self, report: &Report) -> i64 {
        report.recorded_at.saturating_sub(self.at)
    }

    /// Whether a vehicle that was faster than `limit` then went on so until this fix, as far as can be known: minutes apart the way
    /// between them shows it, and of more than `silent_ms` nobody knows.
    pub(super) fn leads_to(self, report: &Report, limit: u32, silent_ms: i64) -> bool {
        let apart = self.apart(report);
        if apart <= APART_MS {
            return true;
        }
        if apart > silent_ms || !self.is_good {
            return false;
        }
        // A decimetre in a millisecond is 360 km/h, 3,600 of the units of speeds.
        let (part, whole) = STRAIGHT;
        let way = step_dm(self.place, report.place()).saturating_mul(3_600);
        way.saturating_mul(whole) >= u64::from(limit).saturating_mul(apart.unsigned_abs()).saturating_mul(part)
    }
}

impl Overspeed {
    /// What was under way at the fix before, if it goes on to this one.
    pub(super) fn until(self, report: &Report, former: Former, limit: u32, silent_ms: i64) -> Option<Self> {
        let apart = self.apart.max(former.apart(report));
        former.leads_to(report, limit, silent_ms).then_some(Self { apart, ..self })
    }

    /// Takes in a good fix, to which `before` goes on.
    pub(super) fn see(
        under_way: &mut Option<Self>,
        before: Option<Self>,
        report: &Report,
        limit: u32,
    ) -> Option<VehicleEvent> {
        let excessive = limit + EXCESS.max(limit / EXCESS_PART);
        // It is one time until it keeps to its limit, or a drive at the edge would be told many times.
        let slowest = if before.is_some() { limit + 1 } else { excessive };
        let Some(speed) = report.speed.filter(|speed| limit > 0 && *speed >= slowest) else {
            *under_way = None;
            return None;
        };
        let mut now = before.unwrap_or_else(|| Self::begun(report));
        now.peak = now.peak.max(speed);
        let is_due =
            !now.is_raised && speed >= excessive && report.recorded_at.saturating_sub(now.since) >= OVERSPEED_MS;
        now.is_raised |= is_due;
        *under_way = Some(now);
        is_due.then(|| now.measure(VehicleEvent::at(EventKind::Overspeed, report), limit))
    }

    /// The tracker says itself that it goes too fast, and what it raised of that is among `raised`, if it is new. Of one time one
    /// event is told, by whichever notices it first; `before` goes on to this fix. It is under way as long as the tracker says so.
    pub(super) fn join(before: Option<Self>, report: &Report, limit: u32, raised: &mut Vec<VehicleEvent>) -> Self {
        let own = raised.iter().position(|event| event.kind == EventKind::Overspeed);
        if let (Some(before), Some(own)) = (before, own) {
            let event = raised.remove(own);
            if !before.is_raised {
                raised.insert(own, before.measure(event, limit));
            }
        }
        let now = before.unwrap_or_else(|| Self::begun(report));
        Self { is_raised: true, peak: now.peak.max(report.speed.unwrap_or_default()), ..now }
    }

    /// Whether something of a fix so late was told with it: of a time under way that was told.
    pub(super) fn has_told(self, recorded_at: i64, newest: i64) -> bool {
        self.is_raised && (self.since..=newest).contains(&recorded_at)
    }

    fn begun(report: &Report) -> Self {
        let peak = report.speed.unwrap_or_default();
        Self { since: report.recorded_at, peak, apart: 0, is_raised: false }
    }

    /// An event of it, with how coarse it is where its fixes lie further apart than it must last.
    fn measure(self, event: VehicleEvent, limit: u32) -> VehicleEvent {
        let kmh = |speed: u32| f64::from(speed) / 10.0;
        let apart = (self.apart > OVERSPEED_MS).then(|| u32::try_from(self.apart / 1_000).unwrap_or(u32::MAX));
        let event = event.lasting(self.since).measured(kmh(self.peak), Some(kmh(limit)));
        VehicleEvent { fixes_apart_seconds: apart, ..event }
    }
}

/// A time that a vehicle moves with its ignition off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tow {
    pub(super) since: i64,
    /// Where it was by then.
    pub(super) from: Place,
    pub(super) is_raised: bool,
}

impl Tow {
    /// Takes in a good fix. A vehicle whose ignition was never on may have no wire that would say so, and is towed nowhere unless
    /// somebody said that it `is_wired`; and it has to be so many metres from where it began, whatever its speeds say.
    pub(super) fn see(
        under_way: &mut Option<Self>,
        position: &Position,
        is_wired: bool,
        metres: u32,
    ) -> Option<VehicleEvent> {
        let (report, derived) = (&position.report, &position.derived);
        let is_off = derived.ignition == Some(false) && (is_wired || derived.engine_ms > 0);
        if derived.motion != Motion::Moving || !is_off {
            *under_way = None;
            return None;
        }
        let begins = Self { since: report.recorded_at, from: report.place(), is_raised: false };
        let tow = under_way.get_or_insert(begins);
        if tow.is_raised || report.recorded_at.saturating_sub(tow.since) < TOWED_MS {
            return None;
        }
        tow.is_raised = step_dm(tow.from, report.place()) >= u64::from(metres) * 10;
        tow.is_raised.then(|| VehicleEvent::at(EventKind::Towing, report).lasting(tow.since))
    }
}
