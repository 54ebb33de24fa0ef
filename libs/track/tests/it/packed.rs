//! A column of a block, in each of its forms.

use armada_track::{
    packed::{FORMAT, get, put},
    wire::Reader,
};
use pco::wrapped::FileCompressor;
use proptest::prelude::*;

#[test]
fn pco_writes_the_format_that_is_read() {
    let mut header = Vec::new();
    FileCompressor::default().write_header(&mut header).expect("a vector takes it");
    assert_eq!(header, FORMAT, "pco has a new format: give blocks a new codec byte and keep this one readable");
}

fn column() -> impl Strategy<Value = Vec<i64>> {
    let values = |range| prop::collection::vec(range, 1..400);
    prop_oneof![
        prop::collection::vec(any::<i64>(), 1..50),
        values(-3..3_i64),
        values(0..100_000),
        values(-20..20).prop_map(|steps| steps.iter().map(|step| step * 1_000).collect()),
        values(-20..20).prop_map(|steps| steps
            .iter()
            .scan(1 << 40, |sum, step| {
                *sum += step;
                Some(*sum)
            })
            .collect()),
        (any::<i64>(), 1..300_usize).prop_map(|(value, n)| vec![value; n]),
        prop::collection::vec((0..5_i64, 1..90_usize), 1..9)
            .prop_map(|runs| runs.into_iter().flat_map(|(value, n)| vec![value; n]).collect()),
    ]
}

proptest! {
    #[test]
    fn columns_round_trip(values in column()) {
        let mut bytes = Vec::new();
        put(&mut bytes, &values);
        let mut reader = Reader::new(&bytes);
        prop_assert_eq!(get(&mut reader, values.len()), Ok(values));
        prop_assert!(reader.is_empty());
    }

    #[test]
    fn corrupt_columns_do_not_panic(values in column(), at: prop::sample::Index, byte: u8, n in 0..500_usize) {
        let mut bytes = Vec::new();
        put(&mut bytes, &values);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = get(&mut Reader::new(&bytes), values.len());
        let _ = get(&mut Reader::new(&bytes), n);
        let _ = get(&mut Reader::new(&bytes[..at]), n);
    }
}
