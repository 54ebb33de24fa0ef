//! The identity of a tracker.

use std::{fmt, str::FromStr};

/// The smallest number that no longer has 15 digits.
pub(crate) const LIMIT: u64 = 1_000_000_000_000_000;
/// Digits of an IMEI, the check digit included.
pub(crate) const DIGITS: usize = 15;

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

    /// Whether the last digit is the Luhn check digit of the others (3GPP TS 23.003 Annex B). Of an IMEI of one digit alone it
    /// never is: that of 0 would be.
    pub const fn check_digit_ok(self) -> bool {
        luhn_digit(self.0 / 10) == self.0 % 10 && !self.is_of_one_digit()
    }

    /// Whether all its digits are the same, as trackers say that were never given an IMEI.
    pub const fn is_of_one_digit(self) -> bool {
        self.0 == (LIMIT - 1) / 9 * (self.0 % 10)
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

/// Whether a text has 14 or 16 digits and nothing else but the separators of IMEIs: an IMEI with a digit too few or too many, or
/// the number of some other tracker.
pub fn has_almost_imei_digits(text: &str) -> bool {
    let digits = imei_digits(text);
    matches!(digits.len(), 14 | 16) && digits.bytes().all(|byte| byte.is_ascii_digit())
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
