//! Clocks that have lost weeks.

use armada_track::{
    DeviceState, FixMark, FrameBuilder, FrameRows, Imei, Outcome, Position, ROLLOVER_MS, Report, Thresholds,
    decode_block, encode_block, validate,
};
use prost::Message;

/// 2026-09-01T00:00:00Z.
const NOW: i64 = 1_788_220_800_000;
const DAY_MS: i64 = 86_400_000;

fn fix(recorded_at: i64) -> Report {
    Report { speed: Some(360), ..Report::new(recorded_at, -62_000_000, 1_068_000_000) }
}

#[test]
fn weeks_are_added_to_a_fix_of_the_day_of_its_reception() {
    let corrected = |recorded_at: i64| {
        let mut report = fix(recorded_at);
        let lost = report.correct_clock(NOW);
        assert_eq!(report.clock_corrected, lost.is_some());
        assert_eq!(report.recorded_at, recorded_at + lost.unwrap_or_default());
        lost
    };
    for off in [-DAY_MS, -1, 0, 1, DAY_MS] {
        assert_eq!(corrected(NOW + off - ROLLOVER_MS), Some(ROLLOVER_MS), "{off}");
        // 1987, which would be too old to be believed.
        assert_eq!(corrected(NOW + off - 2 * ROLLOVER_MS), Some(2 * ROLLOVER_MS), "{off}");
        assert_eq!(corrected(NOW + off), None, "{off}");
    }
    for off in [-ROLLOVER_MS / 2, -DAY_MS - 1, DAY_MS + 1] {
        assert_eq!(corrected(NOW + off - ROLLOVER_MS), None, "{off}");
    }
    for never in [NOW - 3 * ROLLOVER_MS, NOW + ROLLOVER_MS, i64::MIN, i64::MAX, 0] {
        assert_eq!(corrected(never), None, "{never}");
    }
}

#[test]
fn fix_whose_clock_was_corrected_counts_and_is_marked_as_such() {
    let mut state = DeviceState::default();
    let mut positions = Vec::new();
    for n in 0..3 {
        let mut report = fix(NOW + n * 10_000 - ROLLOVER_MS);
        report.lng += (n * 9_000) as i32;
        report.correct_clock(NOW + n * 10_000);
        // As the receiver writes it, and whoever reads RAW finds it.
        let mut frame = FrameBuilder::default();
        frame.push(Imei::with_check_digit(35_693_803_000_001).unwrap(), &report);
        let body = frame.take().encode_to_vec();
        let rows = FrameRows::new(Message::decode(body.as_slice()).unwrap()).unwrap();
        let (_, read) = rows.last().unwrap().unwrap();
        assert_eq!((&read, validate(&read, NOW + n * 10_000)), (&report, Ok(())));
        match state.receive(read, NOW + n * 10_000, None, &Thresholds::default()) {
            Outcome::Live(position) => positions.push(position),
            other => panic!("{other:?}"),
        }
    }
    let kept: Vec<Position> = decode_block(&encode_block(&positions)).unwrap();
    assert_eq!(kept, positions);
    for position in &kept {
        assert_eq!((position.mark, position.shown_mark()), (FixMark::Unspecified, FixMark::ClockCorrected));
        assert_eq!(position.to_track_point().mark(), FixMark::ClockCorrected);
    }
    assert!(kept[2].derived.distance_dm > 1_900, "{:?}", kept[2].derived);
    let jumped = Position { mark: FixMark::Jump, ..kept[2].clone() };
    assert_eq!(jumped.shown_mark(), FixMark::Jump, "what cannot be believed is said first");
}
