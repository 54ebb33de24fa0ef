//! What all codecs are made of: integers of varying length, and the checksum.

use armada_track::{
    CodecError,
    wire::{Reader, checksum, put_signed, put_varint},
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn integers_round_trip(unsigned: u64, signed: i64) {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, unsigned);
        put_signed(&mut bytes, signed);
        let mut reader = Reader::new(&bytes);
        prop_assert_eq!(reader.varint(), Ok(unsigned));
        prop_assert_eq!(reader.signed(), Ok(signed));
        prop_assert!(reader.is_empty());
    }

    #[test]
    fn a_flipped_bit_is_noticed(mut bytes in prop::collection::vec(any::<u8>(), 1..200), place: prop::sample::Index, bit in 0..8) {
        let before = checksum(&bytes);
        let at = place.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        prop_assert_ne!(checksum(&bytes), before);
    }
}

#[test]
fn rejects_overlong_integers() {
    assert_eq!(Reader::new(&[0xff; 11]).varint(), Err(CodecError::Corrupt("an integer of more than ten bytes")));
    assert_eq!(Reader::new(&[0xff; 3]).varint(), Err(CodecError::Truncated));
}
