//! IMEIs, the partitions they lie in, and those of recorded traces.

use armada_track::{Imei, ImeiError, imei_digits, imei_of_name, partition_of};
use proptest::prelude::*;

/// The smallest number that no longer has 15 digits.
const LIMIT: u64 = 1_000_000_000_000_000;

fn imei(text: &str) -> Imei {
    text.parse().expect("an IMEI")
}

#[test]
fn strips_separators() {
    for text in ["865432109876549", "86-543210-987654-9", " 86 543210 987654 9\t", "86.543210/987654\u{a0}9"] {
        assert_eq!(imei_digits(text), "865432109876549", "{text}");
    }
    for text in ["86543210987654a", "+865432109876549", "८6543"] {
        assert_eq!(imei_digits(text), text);
    }
}

#[test]
fn only_fifteen_digits_are_an_imei() {
    assert_eq!("35693803564380".parse::<Imei>(), Err(ImeiError::Length(14)));
    assert_eq!("3569380356438090".parse::<Imei>(), Err(ImeiError::Length(16)));
    assert_eq!("35693803564380x".parse::<Imei>(), Err(ImeiError::NotADigit(14)));
    assert_eq!("+35693803564380".parse::<Imei>(), Err(ImeiError::NotADigit(0)));
    assert_eq!("٣569380356438".parse::<Imei>(), Err(ImeiError::Length(14)));
    assert_eq!(Imei::new(LIMIT), Err(ImeiError::TooLarge));
    assert_eq!(imei("000000000000042").to_string(), "000000000000042");
}

#[test]
fn known_check_digits() {
    for text in ["356938035643809", "490154203237518", "000000000000042"] {
        assert!(imei(text).check_digit_ok(), "{text}");
        assert_eq!(Imei::with_check_digit(imei(text).number() / 10), Ok(imei(text)));
    }
    assert!(!imei("356938035643808").check_digit_ok());
    for digit in '0'..='9' {
        let alike = imei(&digit.to_string().repeat(15));
        assert!(alike.is_of_one_digit() && !alike.check_digit_ok(), "{alike}");
    }
    assert!(!imei("000000000000042").is_of_one_digit());
    assert_eq!(Imei::with_check_digit(LIMIT / 10), Err(ImeiError::TooLarge));
}

#[test]
fn partitions_are_those_of_the_server() {
    // Vectors of the hash itself from its authors (http://www.isthe.com/chongo/src/fnv/test_fnv.c).
    assert_eq!(partition_of(b"", u32::MAX), 0x811c_9dc5);
    assert_eq!(partition_of(b"a", u32::MAX), 0xe40c_292c);
    assert_eq!(partition_of(b"foobar", u32::MAX), 0xbf9c_f968);
    // 0xf0fdbf03 and 0x8786317e.
    let partitions = |text| [1, 3, 8, 16, 64].map(|partitions| imei(text).partition(partitions));
    assert_eq!(partitions("356938035643809"), [0, 0, 3, 3, 3]);
    assert_eq!(partitions("862095052634816"), [0, 0, 6, 14, 62]);
    assert_eq!(imei("356938035643809").partition(0), 0);
}

#[test]
fn names_carry_their_imei() {
    for (name, expected) in [
        ("", "000393466560371"),
        ("bus-8929", "007068020139143"),
        ("truck-A-10", "006189731579087"),
        ("ä", "009102070265629"),
    ] {
        assert_eq!(imei_of_name(name).to_string(), expected, "{name}");
    }
}

proptest! {
    #[test]
    fn imei_parses_from_text_and_number(number in 0..LIMIT) {
        let imei = Imei::new(number).expect("fifteen digits");
        prop_assert_eq!(imei.to_string().into_bytes(), imei.digits().to_vec());
        prop_assert_eq!(imei.to_string().parse(), Ok(imei));
    }

    #[test]
    fn imei_of_any_name_is_valid(name: String) {
        let imei = imei_of_name(&name);
        prop_assert!(imei.check_digit_ok() && imei.to_string().starts_with("00"));
    }

    #[test]
    fn parsing_any_text_does_not_panic(text: String) {
        let _ = text.parse::<Imei>();
    }
}
