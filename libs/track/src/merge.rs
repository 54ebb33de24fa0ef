//! Runs of positions of one device, brought into order.

use crate::{
    geodesy::Place,
    motion::{Thresholds, count_time, motion_of, step_dm, undecided_motion},
    position::{Derived, Position},
    report::Report,
};

const DAY_MS: i64 = 86_400_000;

/// What merging left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Same instant, same content.
    pub repeats: u64,
    /// Same instant, other content: the first in storage order was kept.
    pub conflicts: u64,
}

/// Merges runs of positions of one device, given in storage order, into one that ascends in time. A run need not
/// ascend by itself. Of several positions with the same `recorded_at` the first stored is kept.
pub fn merge(runs: impl IntoIterator<Item = Vec<Position>>) -> (Vec<Position>, MergeCounts) {
    let mut positions: Vec<Position> = Vec::new();
    for mut run in runs {
        if positions.is_empty() { positions = run } else { positions.append(&mut run) }
    }
    let mut counts = MergeCounts::default();
    if !positions.is_sorted_by(|a, b| a.recorded_at() < b.recorded_at()) {
        // Stable: the first stored stays the first of its instant.
        positions.sort_by_key(Position::recorded_at);
        positions.dedup_by(|later, kept| {
            if later.recorded_at() != kept.recorded_at() {
                return false;
            }
            if later.report.same_content(&kept.report) {
                counts.repeats += 1
            } else {
                counts.conflicts += 1
            }
            true
        });
    }
    (positions, counts)
}

/// Cuts ascending positions at midnight UTC: days since 1970-01-01, and the positions of that day.
pub fn split_by_utc_day(positions: &[Position]) -> impl Iterator<Item = (i64, &[Position])> {
    let day = |position: &Position| position.recorded_at().div_euclid(DAY_MS);
    let runs = positions.chunk_by(move |a, b| day(a) == day(b));
    runs.filter_map(move |run| Some((day(run.first()?), run)))
}

/// Derives, for the late fixes among ascending positions of one device, what was left out when they arrived. Called
/// before positions are sealed, and after runs are merged; what is filled already stays as it is.
///
/// A late fix goes on from the position before it: distance by the straight step, if it moves or the step is longer
/// than jitter; time to the motion at the position before; motion from its own speed, else from the ignition and the
/// motion before. No counter passes that of the next position which was not late, so that none ever goes back. Before
/// the first position with derived values a late fix takes the counters of that; where there is none at all, nothing
/// is filled. An invalid late fix is placed where the last valid one before it was.
pub fn fill_late(positions: &mut [Position], thresholds: &Thresholds) {
    fill_after(None, positions, thresholds);
}

/// The same behind a position before them, if one is known; the last one of all.
pub(crate) fn fill_after(
    mut before: Option<Before>,
    positions: &mut [Position],
    thresholds: &Thresholds,
) -> Option<Before> {
    let mut next = 0;
    for row in 0..positions.len() {
        while next <= row || positions.get(next).is_some_and(|position| !position.derived.is_present()) {
            next += 1;
        }
        let known_next = positions.get(next).map(|position| position.derived);
        let position = &mut positions[row];
        if position.late && !position.derived.is_present() {
            if let (false, Some(place)) = (position.report.valid, before.as_ref().and_then(|before| before.place)) {
                (position.report.lat, position.report.lng) = (place.lat, place.lng);
            }
            position.derived = match (&before, known_next) {
                (Some(before), next) => before.lead_to(&position.report, next.as_ref(), thresholds),
                (None, Some(next)) => starting(&position.report, &next, thresholds),
                (None, None) => continue,
            };
        }
        before = Before::of(position, before);
    }
    before
}

/// The last position with derived values, and the last valid place.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    pub(crate) recorded_at: i64,
    pub(crate) derived: Derived,
    pub(crate) place: Option<Place>,
}

impl Before {
    fn of(position: &Position, before: Option<Self>) -> Option<Self> {
        if !position.derived.is_present() {
            return before;
        }
        let place = if position.report.valid { Some(position.report.place()) } else { before.and_then(|it| it.place) };
        Some(Self { recorded_at: position.recorded_at(), derived: position.derived, place })
    }

    fn lead_to(&self, report: &Report, next: Option<&Derived>, thresholds: &Thresholds) -> Derived {
        let before = &self.derived;
        let ignition = report.ignition.or(before.ignition);
        let moving = report.speed.filter(|_| report.valid).map(|speed| speed >= thresholds.moving_speed);
        let motion = match moving {
            Some(moving) => motion_of(moving, ignition),
            None => undecided_motion(before.motion, ignition),
        };
        let step = match self.place {
            Some(place) if report.valid => step_dm(place, report.place()),
            _ => 0,
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
            anchor: counts,
            ..*before
        };
        if elapsed <= thresholds.gap_ms {
            count_time(&mut derived, before, elapsed);
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
            derived.odometer_dm = metres.saturating_mul(10);
        }
        derived
    }
}

/// Of a late fix before all others: the counters do not move between it and the next.
fn starting(report: &Report, next: &Derived, thresholds: &Thresholds) -> Derived {
    let moving = report.speed.filter(|_| report.valid).map(|speed| speed >= thresholds.moving_speed);
    let motion = match moving {
        Some(moving) => motion_of(moving, report.ignition),
        None => undecided_motion(next.motion, report.ignition),
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
