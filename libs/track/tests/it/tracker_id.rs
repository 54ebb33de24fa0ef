//! By what trackers are known that may have no IMEI.

use std::{
    collections::BTreeSet,
    hash::{BuildHasher, RandomState},
};

use armada_track::{Imei, TrackerId, TrackerIdError, has_almost_imei_digits, partition_of, tracker_id_text};
use proptest::prelude::*;

use crate::support::any_tracker_id;

fn id(text: &str) -> TrackerId {
    text.parse().expect("an identifier")
}

#[test]
fn four_to_thirty_two_characters_are_an_identifier() {
    // TK103 and H02, JT/T 808 of 2013 and of 2019, a MEID, phones.
    let kinds = [
        "0123456789",
        "12345678901",
        "013812345678",
        "00000000013812345678",
        "A100000009296F",
        "TK103-12345678",
        "Budi_2",
        "Frame",
    ];
    for text in kinds {
        assert_eq!(id(text).to_string(), text);
        assert_eq!(id(text).as_imei(), None, "{text}");
    }
    let wrong = |text: &str| text.parse::<TrackerId>().expect_err("none");
    assert_eq!(wrong("abc"), TrackerIdError::Length(3));
    assert_eq!(wrong(&"a".repeat(33)), TrackerIdError::Length(33));
    assert_eq!(wrong("a.bc"), TrackerIdError::Character(1));
    assert_eq!(wrong("abc*"), TrackerIdError::Character(3));
    assert_eq!(wrong("Büro"), TrackerIdError::Character(1));
    assert_eq!(wrong("frame"), TrackerIdError::Reserved);
    // Registered, these would be the IMEI.
    for text in ["20240115-0000123", "86-543210-987654-9", "-865432109876549", "8-6-5-4-3-2-1-0-9-8-7-6-5-4-9"] {
        assert_eq!(wrong(text), TrackerIdError::Dashes);
    }
    assert_eq!(id("20240115-000012").to_string(), "20240115-000012");
    assert_eq!(id("20240115_0000123").to_string(), "20240115_0000123");
    assert_ne!(id("abcd"), id("abcD"));
}

#[test]
fn fifteen_digits_are_an_imei() {
    let imei: Imei = "000000000000042".parse().expect("an IMEI");
    assert_eq!(id("000000000000042"), imei.into());
    assert_eq!(id("000000000000042").as_imei(), Some(imei));
    assert_eq!(id("000000000000042").to_string(), "000000000000042");
    assert_eq!(id("35693803564380x").as_imei(), None);
}

#[test]
fn separators_are_those_of_imeis_alone() {
    assert_eq!(tracker_id_text(" 86-543210-987654-9\t"), "865432109876549");
    assert_eq!(tracker_id_text(" TK103-12345678 "), "TK103-12345678");
    assert_eq!(tracker_id_text("0812-3456-7890"), "0812-3456-7890");
    assert_eq!(tracker_id_text("12 34"), "12 34");
}

#[test]
fn a_digit_too_few_or_too_many_is_noticed() {
    for text in ["86543210987654", "8654321098765499", "86-543210-987654", " 8654321098765499 "] {
        assert!(has_almost_imei_digits(text), "{text}");
    }
    for text in ["865432109876549", "0123456789", "00000000013812345678", "A100000009296F", "TK1-865432109876"] {
        assert!(!has_almost_imei_digits(text), "{text}");
    }
}

proptest! {
    /// Equality, order of what is no IMEI, hash and partition are those of the text.
    #[test]
    fn an_identifier_is_its_text(one in any_tracker_id(), other in any_tracker_id(), partitions in 1_u32..100) {
        let (text, hasher) = (one.to_string(), RandomState::new());
        prop_assert_eq!(id(&text), one);
        prop_assert_eq!(one == other, text == other.to_string());
        prop_assert_eq!(hasher.hash_one(one), hasher.hash_one(id(&text)));
        prop_assert_eq!(one.partition(partitions), partition_of(text.as_bytes(), partitions));
        if one.as_imei().is_some() == other.as_imei().is_some() {
            prop_assert_eq!(one.cmp(&other), text.cmp(&other.to_string()));
        }
    }

    #[test]
    fn parsing_any_text_does_not_panic(text: String) {
        let read = text.parse::<TrackerId>();
        prop_assert!(read.is_err() || read.is_ok_and(|id| id.to_string() == text));
    }
}

#[test]
fn hashes_differ_by_every_character() {
    let hasher = RandomState::new();
    let text = |place: usize| (0..32).map(|at| if at == place { 'b' } else { 'a' }).collect::<String>();
    let hashes: BTreeSet<_> = (0..32).map(|place| hasher.hash_one(id(&text(place)))).collect();
    assert_eq!(hashes.len(), 32);
}
