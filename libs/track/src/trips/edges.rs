//! Where a window cuts a track between two fixes: the step over its edge belongs to both sides by its parts.

use crate::{
    meters::counters::Counters,
    position::{
        enriched::{Derived, Position},
        geodesy::Place,
    },
};

/// The vehicle at an instant between two fixes that follow each other, milliseconds since 1970: on the straight way from one to the
/// other, with its counters divided by time, and doing what it did at the earlier one. It is no fix.
pub(crate) fn between(before: &Position, next: &Position, at: i64) -> Position {
    let (from, to) = (before.recorded_at(), next.recorded_at());
    let whole = i128::from(to.saturating_sub(from).max(1));
    let elapsed = i128::from(at.saturating_sub(from)).clamp(0, whole);
    let share = |from: i64, to: i64| from + (i128::from(to - from) * elapsed / whole) as i64;
    let (here, there) = (before.report.place(), next.report.place());
    // Over the antimeridian it would be the long way round: it stays where it was.
    let is_near = (i64::from(there.lng) - i64::from(here.lng)).abs() < 1_800_000_000;
    let place = if is_near { there } else { here };
    let place = Place {
        lat: share(here.lat.into(), place.lat.into()) as i32,
        lng: share(here.lng.into(), place.lng.into()) as i32,
    };
    let counters = Counters::between((from, &before.derived), (to, &next.derived), at);
    let Counters { distance_dm, engine_ms, moving_ms, idle_ms, parked_ms } = counters;
    let mut edge = before.clone();
    (edge.report.recorded_at, edge.report.lat, edge.report.lng) = (at, place.lat, place.lng);
    (edge.report.speed, edge.late) = (None, false);
    edge.derived = Derived { distance_dm, engine_ms, moving_ms, idle_ms, parked_ms, ..before.derived };
    edge
}
