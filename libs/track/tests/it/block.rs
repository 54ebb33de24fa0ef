//! The sealed block: it comes back as it was, and whatever became of its bytes is survived.

use armada_track::{
    CodecError, DeviceState, Outcome, Position, Report, Thresholds, decode_block, decode_columns, encode_block,
    wire::Reader,
};
use proptest::{collection::vec, prelude::*};

use crate::support::{CHECKED, any_position, arrivals, damaged};

/// As many positions are at most in one segment: the layout says so, and readers take no more.
const SEGMENT: u64 = 65_536;

proptest! {
    #[test]
    fn blocks_round_trip(positions in vec(any_position(), 0..60)) {
        let bytes = encode_block(&positions);
        prop_assert_eq!(decode_block(&bytes).expect("decodes"), positions.clone());
        let columns = decode_columns(&bytes).expect("decodes");
        prop_assert_eq!(columns.rows().collect::<Vec<_>>(), positions);
    }

    #[test]
    fn drive_round_trips(reports in arrivals()) {
        let mut state = DeviceState::default();
        let positions: Vec<_> = reports.into_iter().filter_map(|report| {
            match state.advance(report, &Thresholds::default()) {
                Outcome::Live(position) | Outcome::Late(position) => Some(position),
                _ => None,
            }
        }).collect();
        prop_assert_eq!(decode_block(&encode_block(&positions)), Ok(positions));
    }

    #[test]
    fn detects_corruption(positions in vec(any_position(), 1..30), at: prop::sample::Index, byte: u8) {
        let mut bytes = encode_block(&positions);
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        prop_assert!(decode_block(&bytes[..at]).is_err());
        bytes[at] = byte;
        prop_assert!(decode_block(&bytes).is_err());
    }

    #[test]
    fn bytes_with_valid_checksum_do_not_panic(
        positions in vec(any_position(), 1..60),
        hits in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let _ = decode_block(&damaged(encode_block(&positions), hits));
    }
}

#[test]
fn long_block_has_several_segments() {
    let positions: Vec<_> = (0..SEGMENT as i64 * 2 + 5)
        .map(|second| Position::late(Report { speed: Some(7), ..Report::new(second * 1_000, 1, 2) }))
        .collect();
    let bytes = encode_block(&positions);
    assert_eq!(Reader::new(&bytes[CHECKED..]).varint(), Ok(SEGMENT), "the first segment is full");
    assert!(bytes.len() < 500, "{} bytes", bytes.len());
    assert_eq!(decode_columns(&bytes).expect("decodes").speed.len(), positions.len());
    assert_eq!(decode_block(&bytes), Ok(positions));
}

#[test]
fn empty_block_is_valid() {
    assert_eq!(decode_block(&encode_block(&[])), Ok(Vec::new()));
    assert_eq!(decode_block(&[]), Err(CodecError::Truncated));
    assert_eq!(decode_block(&[9, 0, 0, 0, 0]), Err(CodecError::UnknownCodec(9)));
}
