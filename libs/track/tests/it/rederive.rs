//! What stored fixes tell by thresholds of another time.

use armada_track::{
    DeviceState, Motion, Outcome, Position, Rederivation, Report, Thresholds, fill_late, merge, rederive,
};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_position, arrivals};

const START: i64 = 1_790_000_000_000;

/// What was stored of a device, as history gives it back.
fn stored(reports: Vec<Report>, thresholds: &Thresholds) -> Vec<Position> {
    let mut state = DeviceState::default();
    let stored = reports.into_iter().filter_map(|report| match state.advance(report, thresholds) {
        Outcome::Live(position) | Outcome::Late(position) => Some(position),
        _ => None,
    });
    let (mut positions, _) = merge([stored.collect()]);
    fill_late(&mut positions, thresholds);
    positions
}

fn any_thresholds() -> impl Strategy<Value = Thresholds> {
    (1..30_u32, prop_oneof![Just(600_000_u64), Just(3_600_000), Just(86_400_000)])
        .prop_map(|(kmh, gap_ms)| Thresholds { moving_speed: kmh * 10, gap_ms, ..Thresholds::default() })
}

proptest! {
    #[test]
    fn rederiving_with_the_same_thresholds_changes_nothing(reports in arrivals(), thresholds in any_thresholds()) {
        let positions = stored(reports, &thresholds);
        let mut derived = positions.clone();
        rederive(&mut derived, &thresholds);
        prop_assert_eq!(derived, positions);
    }

    #[test]
    fn rederiving_is_idempotent(
        reports in arrivals(),
        wild in vec(any_position(), 0..12),
        [before, now] in [any_thresholds(), any_thresholds()],
    ) {
        for mut positions in [stored(reports, &before), wild] {
            rederive(&mut positions, &now);
            let once = positions.clone();
            rederive(&mut positions, &now);
            prop_assert_eq!(positions, once);
        }
    }

    /// From the first fix on, it is as if it had come by the present thresholds, apart from what late ones got.
    #[test]
    fn a_changed_threshold_holds_for_the_past(
        reports in arrivals(),
        [before, now] in [any_thresholds(), any_thresholds()],
    ) {
        let mut positions = stored(reports.clone(), &before);
        rederive(&mut positions, &now);
        let live = |positions: Vec<Position>| -> Vec<Position> {
            positions.into_iter().filter(|position| !position.late).collect()
        };
        let strip = |mut positions: Vec<Position>| {
            // The odometer stays as it was read.
            positions.iter_mut().for_each(|position| position.derived.odometer_dm = 0);
            positions
        };
        prop_assert_eq!(strip(live(positions)), strip(live(stored(reports, &now))));
    }

    #[test]
    fn days_go_on_where_the_ones_before_ended(
        reports in arrivals(),
        [before, now] in [any_thresholds(), any_thresholds()],
        cut: prop::sample::Index,
    ) {
        let mut whole = stored(reports, &before);
        whole.retain(|position| !position.late);
        let mut parts = whole.clone();
        rederive(&mut whole, &now);
        let cut = cut.index(parts.len().max(1)).min(parts.len());
        let mut rederivation = Rederivation::new(now);
        let (first, second) = parts.split_at_mut(cut);
        rederivation.run(first);
        rederivation.run(second);
        prop_assert_eq!(parts, whole);
    }

    #[test]
    fn the_odometer_and_the_marks_stay(reports in arrivals(), now in any_thresholds()) {
        let before = stored(reports, &Thresholds::default());
        let mut positions = before.clone();
        rederive(&mut positions, &now);
        for (position, before) in positions.iter().zip(&before) {
            prop_assert_eq!(&position.report, &before.report);
            prop_assert_eq!((position.late, position.mark), (before.late, before.mark));
            prop_assert_eq!(position.derived.odometer_dm, before.derived.odometer_dm);
        }
    }
}

/// Six minutes at 4 km/h with the engine on, a fix each minute.
fn creeping() -> Vec<Report> {
    let fix = |minute: i64| Report {
        speed: Some(40),
        ignition: Some(true),
        ..Report::new(START + minute * 60_000, 0, 1_000_000 + minute as i32 * 6_000)
    };
    (0..=6).map(fix).collect()
}

#[test]
fn creeping_is_idling_with_a_higher_moving_threshold() {
    let mut positions = stored(creeping(), &Thresholds::default());
    let last = positions[6].derived;
    assert_eq!((last.motion, last.moving_ms, last.idle_ms), (Motion::Moving, 360_000, 0));
    rederive(&mut positions, &Thresholds { moving_speed: 50, ..Thresholds::default() });
    let last = positions[6].derived;
    assert_eq!((last.motion, last.motion_since), (Motion::Idle, START));
    assert_eq!((last.moving_ms, last.idle_ms, last.engine_ms), (0, 360_000, 360_000));
}

#[test]
fn a_part_begins_at_what_was_stored() {
    let whole = stored(creeping(), &Thresholds::default());
    let mut part = whole[3..].to_vec();
    rederive(&mut part, &Thresholds { moving_speed: 50, ..Thresholds::default() });
    let (first, last) = (part[0].derived, part[3].derived);
    assert_eq!(first.moving_ms, whole[3].derived.moving_ms);
    assert_eq!((first.motion, first.motion_since), (Motion::Idle, part[0].recorded_at()));
    assert_eq!((last.moving_ms, last.idle_ms), (first.moving_ms, 180_000));
}
