//! What is known of a block without decoding it.

use armada_track::{Bbox, BlockSummary, Derived, FixMark, Position, Report};
use proptest::{collection::vec, prelude::*};

use crate::support::any_position;

proptest! {
    #[test]
    fn summaries_round_trip(positions in vec(any_position(), 1..9)) {
        let summary = BlockSummary::of(&positions).expect("not empty");
        let bytes = summary.encode();
        prop_assert_eq!(BlockSummary::decode(&bytes), Ok(summary));
        prop_assert!((0..bytes.len()).all(|end| BlockSummary::decode(&bytes[..end]).is_err()));
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(bytes: Vec<u8>) {
        let _ = BlockSummary::decode(&bytes);
    }
}

#[test]
fn summaries_cover_good_fixes_only() {
    let at = |second: i64, lat, speed, valid, distance_dm| Position {
        report: Report { speed: Some(speed), valid, ..Report::new(second * 1_000, lat, 5) },
        derived: Derived { distance_dm, motion_since: 1, ..Derived::default() },
        mark: FixMark::Unspecified,
        late: false,
    };
    let jumped = Position { mark: FixMark::Jump, ..at(3, 90, 999, true, 70) };
    let positions = [at(1, 10, 300, true, 70), at(2, 90, 999, false, 70), jumped, at(4, -20, 200, true, 500)];
    let expected = BlockSummary {
        n: 4,
        t_start: 1_000,
        t_end: 4_000,
        bbox: Bbox { south: -20, west: 5, north: 10, east: 5 },
        distance_dm: 430,
        max_speed: Some(300),
    };
    assert_eq!(BlockSummary::of(&positions), Some(expected));
    assert_eq!(BlockSummary::of(&[]), None);
}
