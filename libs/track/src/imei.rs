//! The identity of a tracker.

use std::{fmt, str::FromStr};

/// The smallest number that no longer has 15 digits.
const LIMIT: u64 = 1_000_000_000_000_000;
/// Digits of an IMEI, the check digit included.
const DIGITS: usize = 15;

/// An International Mobile Equipment Identity: 15 decimal digits, 3GPP TS 23.003 §6.2.1. Many trackers are born with
/// a wrong check digit, so the last digit is not verified on parsing; see [`Imei::check_digit_ok`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Imei(u64);

/// Why a text or number is no IMEI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImeiError {
    /// The text has this many bytes instead of 15.
    #[error("an IMEI has 15 digits, not {0}")]
    Length(usize),
    /// A character other than 0 to 9 at this place, counted from 0.
    #[error("not a digit at place {0}")]
    NotADigit(usize),
    /// The number needs more than 15 digits.
    #[error("the number has more than 15 digits")]
    TooLarge,
}

impl Imei {
    /// From the 15 digits read as a number; leading zeros belong to it.
    pub const fn new(number: u64) -> Result<Self, ImeiError> {
        if number < LIMIT { Ok(Self(number)) } else { Err(ImeiError::TooLarge) }
    }

    /// From the first 14 digits as a number (type allocation code and serial number); the check digit is computed.
    pub const fn with_check_digit(first14: u64) -> Result<Self, ImeiError> {
        if first14 >= LIMIT / 10 {
            return Err(ImeiError::TooLarge);
        }
        Ok(Self(first14 * 10 + luhn_digit(first14)))
    }

    /// The 15 digits as a number.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Whether the last digit is the Luhn check digit of the others (3GPP TS 23.003 Annex B).
    pub const fn check_digit_ok(self) -> bool {
        luhn_digit(self.0 / 10) == self.0 % 10
    }

    /// The 15 ASCII digits.
    pub const fn digits(self) -> [u8; DIGITS] {
        let mut out = [b'0'; DIGITS];
        let mut rest = self.0;
        let mut i = DIGITS;
        while i > 0 {
            i -= 1;
            out[i] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        out
    }

    /// The partition of this device among `partitions`; see [`partition_of`].
    pub const fn partition(self, partitions: u32) -> u32 {
        self.partition_hash().partition(partitions)
    }

    /// What decides its partition, for whoever keeps it: it takes as long as reading a row of a frame.
    pub const fn partition_hash(self) -> PartitionHash {
        PartitionHash::of(&self.digits())
    }
}

/// What nats-server makes of a subject token for `{{partition(P,n)}}` (`getHashPartition` in
/// `server/subject_transform.go`): FNV-1a, 32 bit, over its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartitionHash(u32);

impl PartitionHash {
    /// Of a token.
    pub const fn of(token: &[u8]) -> Self {
        let mut hash: u32 = 0x811c_9dc5;
        let mut i = 0;
        while i < token.len() {
            hash = (hash ^ token[i] as u32).wrapping_mul(0x0100_0193);
            i += 1;
        }
        Self(hash)
    }

    /// The partition: the hash modulo `partitions`. No partitions count as one.
    pub const fn partition(self, partitions: u32) -> u32 {
        if partitions == 0 { 0 } else { self.0 % partitions }
    }
}

/// The partition of a subject token; see [`PartitionHash`].
pub const fn partition_of(token: &[u8], partitions: u32) -> u32 {
    PartitionHash::of(token).partition(partitions)
}

/// The digits of an IMEI as it stands on labels and in tables: `86-543210-987654-9`, `86 543210 987654 9`. Everything
/// else stays, and is found out to be no IMEI.
pub fn imei_digits(text: &str) -> String {
    text.chars().filter(|c| !(c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '–' | '.' | '/'))).collect()
}

/// The IMEI under which a recorded trace of that name is replayed: always the same one for the same name, and never
/// one of a device on the market. The digits are `00` (the reporting body identifier of test equipment, GSMA TS.06),
/// then the 64 bit FNV-1a of the name's UTF-8 bytes modulo 10^12 as twelve digits, then the Luhn check digit.
pub fn imei_of_name(name: &str) -> Imei {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for &byte in name.as_bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let first14 = hash % 1_000_000_000_000;
    Imei(first14 * 10 + luhn_digit(first14))
}

/// The Luhn digit of 14 digits: counted from the right, every other digit beginning with the last is doubled, the
/// digits of the results are added, and the check digit brings the sum to a multiple of ten.
const fn luhn_digit(first14: u64) -> u64 {
    let mut rest = first14;
    let mut sum = 0;
    let mut double = true;
    while rest > 0 {
        let digit = rest % 10;
        let value = if double { digit * 2 } else { digit };
        sum += value / 10 + value % 10;
        double = !double;
        rest /= 10;
    }
    (10 - sum % 10) % 10
}

impl FromStr for Imei {
    type Err = ImeiError;

    fn from_str(text: &str) -> Result<Self, ImeiError> {
        if text.len() != DIGITS {
            return Err(ImeiError::Length(text.len()));
        }
        let mut number = 0;
        for (place, byte) in text.bytes().enumerate() {
            if !byte.is_ascii_digit() {
                return Err(ImeiError::NotADigit(place));
            }
            number = number * 10 + u64::from(byte - b'0');
        }
        Ok(Self(number))
    }
}

impl fmt::Display for Imei {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:015}", self.0)
    }
}

impl fmt::Debug for Imei {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn imei(text: &str) -> Imei {
        text.parse().expect("an IMEI")
    }

    #[test]
    fn separators_are_taken_out() {
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
        for text in ["356938035643809", "490154203237518", "000000000000000"] {
            assert!(imei(text).check_digit_ok(), "{text}");
            assert_eq!(Imei::with_check_digit(imei(text).number() / 10), Ok(imei(text)));
        }
        assert!(!imei("356938035643808").check_digit_ok());
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
    fn names_have_their_imei() {
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
        fn text_and_number_are_one(number in 0..LIMIT) {
            let imei = Imei::new(number).expect("fifteen digits");
            prop_assert_eq!(imei.to_string().into_bytes(), imei.digits().to_vec());
            prop_assert_eq!(imei.to_string().parse(), Ok(imei));
        }

        #[test]
        fn every_name_has_a_sound_imei(name: String) {
            let imei = imei_of_name(&name);
            prop_assert!(imei.check_digit_ok() && imei.to_string().starts_with("00"));
        }

        #[test]
        fn any_text_is_safe(text: String) {
            let _ = text.parse::<Imei>();
        }
    }
}
