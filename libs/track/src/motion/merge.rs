//! Runs of positions of one device, brought into order.

use crate::{
    meters::own::{Expected, OwnMeter},
    motion::{
        device_state::{Claim, SILENT_MS, Thresholds, count_time, keeps_up, motion_of, undecided_motion},
        quality::Trust,
    },
    position::{
        enriched::{Derived, FixMark, Motion, Position},
        geodesy::step_dm,
        unite::unite,
    },
};

const DAY_MS: i64 = 86_400_000;

/// What merging made one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Fixes that said what another of their instant says.
    pub repeats: u64,
    /// Fixes that said something else than one of their instant, and were united with it.
    pub united: u64,
}

/// Merges runs of positions of one device, given in storage order, into one that ascends in time. A run need not
/// ascend by itself. Positions with the same `recorded_at` are united, see [`unite`]; what came late behind what was live, the
/// rest in the order of storage.
pub fn merge(runs: impl IntoIterator<Item = Vec<Position>>) -> (Vec<Position>, MergeCounts) {
    let mut positions: Vec<Position> = Vec::new();
    for mut run in runs {
        if positions.is_empty() { positions = run } else { positions.append(&mut run) }
    }
    let mut counts = MergeCounts::default();
    if positions.is_sorted_by(|a, b| a.recorded_at() < b.recorded_at()) {
        return (positions, counts);
    }
    // Stable: the first stored stays the first of its instant.
    positions.sort_by_key(|position| (position.recorded_at(), position.late));
    let mut merged: Vec<Position> = Vec::with_capacity(positions.len());
    // The ignition before the last one of them.
    let mut ignition = None;
    for position in positions {
        match merged.last_mut() {
            Some(last) if last.recorded_at() == position.recorded_at() => absorb(last, position, ignition, &mut counts),
            last => {
                ignition = last.and_then(|last| last.report.ignition.or(last.derived.ignition)).or(ignition);
                merged.push(position);
            }
        }
    }
    (merged, counts)
}

/// Makes one position of two of the same instant; `other` was stored behind `kept`, or is late.
fn absorb(kept: &mut Position, mut other: Position, ignition_before: Option<bool>, counts: &mut MergeCounts) {
    if other.report.same_content(&kept.report) {
        counts.repeats += 1;
        return;
    }
    counts.united += 1;
    let same_place = !kept.report.valid || kept.report.place() == other.report.place();
    if !kept.late && !other.late && same_place {
        // It was united when it came, and is derived by all that was known then.
        std::mem::swap(kept, &mut other);
    }
    let (was_valid, ignition_said) = (kept.report.valid, kept.report.ignition);
    unite(&mut kept.report, &other.report, ignition_before);
    // A place that was not known when it came is judged by what is around it.
    kept.late |= kept.report.valid != was_valid;
    let (derived, ignition) = (kept.derived, kept.report.ignition);
    if derived.is_present() && ignition != ignition_said && ignition != derived.ignition {
        kept.derived.ignition = ignition;
        kept.derived.motion = undecided_motion(&derived, ignition);
        if kept.derived.motion != derived.motion {
            kept.derived.motion_since = kept.report.recorded_at;
        }
    }
}

/// Cuts ascending positions at midnight UTC: days since 1970-01-01, and the positions of that day.
pub fn split_by_utc_day(positions: &[Position]) -> impl Iterator<Item = (i64, &[Position])> {
    let day = |position: &Position| position.recorded_at().div_euclid(DAY_MS);
    let runs = positions.chunk_by(move |a, b| day(a) == day(b));
    runs.filter_map(move |run| Some((day(run.first()?), run)))
}

/// Derives, for the late fixes among ascending positions of one device, what was left out when they arrived. Called
/// before positions are sealed, and after runs are merged; what is derived already stays as it is.
///
/// A late fix goes on from the position before it: distance by the straight step, if it moves or the step is longer
/// than jitter; time to the motion at the position before; motion from its own speed, else from the ignition and the
/// motion before. No counter passes that of the next position which was not late, so that none ever goes back. Before
/// the first position with derived values a late fix takes the counters of that; where there is none at all, nothing
/// is filled. An invalid late fix is placed where the last valid one before it was. What cannot be believed behind those
/// before it counts nothing: late fixes get their marks each time anew, by the fixes that are around them by then.
/// Who reads history derives more of them: [`crate::rederive`].
pub fn fill_late(positions: &mut [Position], thresholds: &Thresholds) {
    // Most runs have none, and are read again and again.
    if !positions.iter().any(|position| position.late) {
        return;
    }
    mark_all_late(positions);
    let mut before: Option<Before> = None;
    let mut next = 0;
    for row in 0..positions.len() {
        while next <= row || positions.get(next).is_some_and(|position| !position.derived.is_present()) {
            next += 1;
        }
        let known_next = positions.get(next).map(|position| position.derived);
        let position = &mut positions[row];
        if position.late && !position.derived.is_present() {
            if let Some(before) = &before {
                before.trust.place_invalid(&mut position.report);
            }
            position.derived = match (&before, known_next) {
                (Some(before), next) => before.lead_to(position, next.as_ref(), thresholds),
                (None, Some(next)) => starting(position, &next, thresholds),
                (None, None) => continue,
            };
        }
        before = Before::of(position, before);
    }
}

/// Marks the late fixes among ascending positions, by what was trusted before them.
fn mark_all_late(positions: &mut [Position]) {
    let mut trust = Trust::default();
    for position in positions {
        if position.late {
            mark_late(&trust, position);
        }
        trust.follow(&position.report, position.mark);
    }
}

/// Marks a late fix by what was trusted before it. A wrong clock was seen when it came, and one before all that is known keeps
/// the mark that it has.
pub(crate) fn mark_late(trust: &Trust, position: &mut Position) {
    if position.mark != FixMark::Clock && trust.fixed.is_some() {
        position.mark = trust.judge(&position.report);
    }
}

/// The last position with derived values, and what was trusted by then.
#[derive(Clone, Debug)]
struct Before {
    recorded_at: i64,
    derived: Derived,
    trust: Trust,
    odometer: Option<OwnMeter>,
}

impl Before {
    fn of(position: &Position, before: Option<Self>) -> Option<Self> {
        if !position.derived.is_present() {
            return before;
        }
        let (mut trust, known) = before.map(|before| (before.trust, before.odometer)).unwrap_or_default();
        trust.follow(&position.report, position.mark);
        let told = position.report.odometer.map(|metres| OwnMeter::of(metres, position.derived.odometer_dm));
        Some(Self { recorded_at: position.recorded_at(), derived: position.derived, trust, odometer: told.or(known) })
    }

    fn lead_to(&self, position: &Position, next: Option<&Derived>, thresholds: &Thresholds) -> Derived {
        let (before, report) = (&self.derived, &position.report);
        let ignition = report.ignition.or(before.ignition);
        let jumped = self.trust.confirmed_jump(report).filter(|_| position.is_good());
        let step = match jumped.or(self.trust.fixed) {
            Some(fixed) if position.is_good() => step_dm(fixed.place, report.place()),
            _ => 0,
        };
        let moving = reported_moving(position, ignition, step >= thresholds.jitter_dm, thresholds);
        let motion = match moving {
            Some(moving) => motion_of(moving, ignition),
            None => undecided_motion(before, report.ignition),
        };
        let counts = moving == Some(true) || step >= thresholds.jitter_dm;
        let travelled = if counts { step } else { 0 };
        let elapsed = report.recorded_at.saturating_sub(self.recorded_at).unsigned_abs();
        let mut derived = Derived {
            motion,
            motion_since: if motion == before.motion { before.motion_since } else { report.recorded_at },
            distance_dm: before.distance_dm.saturating_add(travelled),
            odometer_dm: before.odometer_dm.saturating_add(travelled),
            ignition,
            anchor: counts || jumped.is_some(),
            ..*before
        };
        let kept_up = |fixed| position.is_good() && keeps_up(fixed, report, thresholds);
        let drove_on = || self.trust.fixed.is_some_and(kept_up);
        if elapsed <= thresholds.gap_ms && (before.motion != Motion::Moving || elapsed <= SILENT_MS || drove_on()) {
            count_time(&mut derived, before, elapsed, false);
        }
        if let Some(next) = next {
            derived.distance_dm = derived.distance_dm.min(next.distance_dm);
            derived.odometer_dm = derived.odometer_dm.min(next.odometer_dm);
            derived.engine_ms = derived.engine_ms.min(next.engine_ms);
            derived.moving_ms = derived.moving_ms.min(next.moving_ms);
            derived.idle_ms = derived.idle_ms.min(next.idle_ms);
            derived.parked_ms = derived.parked_ms.min(next.parked_ms);
        }
        if let Some(metres) = report.odometer {
            let expected = Expected::odometer(derived.odometer_dm, elapsed, None);
            derived.odometer_dm = OwnMeter::next(self.odometer, metres.saturating_mul(10), expected).shown();
        }
        derived
    }
}

/// Of a late fix before all others: the counters do not move between it and the next.
pub(crate) fn starting(position: &Position, next: &Derived, thresholds: &Thresholds) -> Derived {
    let report = &position.report;
    let motion = match reported_moving(position, report.ignition, report.ignition == Some(true), thresholds) {
        Some(moving) => motion_of(moving, report.ignition),
        None => undecided_motion(next, report.ignition),
    };
    Derived {
        motion,
        motion_since: report.recorded_at,
        odometer_dm: report.odometer.map_or(next.odometer_dm, |metres| metres.saturating_mul(10)),
        ignition: report.ignition,
        anchor: false,
        ..*next
    }
}

/// What the speed of a fix says, as far as it is believed: of one with few satellites only that the vehicle stands, and where
/// it is doubtful that it moves if it `makes_way`.
fn reported_moving(
    position: &Position,
    ignition: Option<bool>,
    makes_way: bool,
    thresholds: &Thresholds,
) -> Option<bool> {
    let speed = position.report.speed.filter(|_| position.report.valid);
    let moving = match Claim::of(speed, ignition, thresholds) {
        Claim::Untold => return None,
        Claim::Stands => false,
        Claim::Doubtful => makes_way,
        Claim::Moves => true,
    };
    let is_believed = position.is_good() || position.mark == FixMark::FewSatellites && !moving;
    is_believed.then_some(moving)
}
