//! By what a device is known to its gateway and in subjects.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::{self, FromStr},
};

use crate::position::imei::{DIGITS, Imei, LIMIT, PartitionHash, imei_digits};

/// Characters of an identifier at least.
const SHORTEST: usize = 4;
/// And at most.
const LONGEST: usize = 32;
/// What a subject has in place of an identifier when a message is a frame: no device is called so.
const FRAME: &str = "frame";

/// What a tracker calls itself: 15 digits are an IMEI; others have numbers of 10, 12 or 20 digits, a MEID of 14 hexadecimal
/// ones, or a name. It has 4 to 32 characters of `A–Z a–z 0–9 - _`, and its letters are what they are: `a` is not `A`.
///
/// An IMEI is a number in the first word and nothing else, which keeps it as fast as a number. Any other is its bytes, the first one
/// highest, and zeros behind. That makes a larger number than an IMEI can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrackerId([u64; LONGEST / 8]);

/// Why a text identifies no tracker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TrackerIdError {
    /// The text has this many bytes instead of 4 to 32.
    #[error("an identifier has 4 to 32 characters, not {0}")]
    Length(usize),
    /// Something else than a letter, a digit, `-` or `_` at this place, counted from 0.
    #[error("neither a letter nor a digit, - or _ at place {0}")]
    Character(usize),
    /// It means something else.
    #[error("`frame` is no identifier")]
    Reserved,
    /// 15 digits with dashes: whoever registers it means the IMEI.
    #[error("an IMEI is written without dashes")]
    Dashes,
}

impl TrackerId {
    /// The IMEI, if it is one.
    pub const fn as_imei(self) -> Option<Imei> {
        match Imei::new(self.0[0]) {
            Ok(imei) => Some(imei),
            Err(_) => None,
        }
    }

    /// The partition of this device among `partitions`.
    pub const fn partition(self, partitions: u32) -> u32 {
        self.partition_hash().partition(partitions)
    }

    /// What decides its partition, for whoever keeps it: it takes as long as reading a row of a frame.
    pub const fn partition_hash(self) -> PartitionHash {
        match self.as_imei() {
            Some(imei) => imei.partition_hash(),
            None => {
                let (bytes, length) = self.bytes();
                PartitionHash::of(bytes.split_at(length).0)
            }
        }
    }

    /// The bytes of one that is no IMEI, and how many they are.
    const fn bytes(self) -> ([u8; LONGEST], usize) {
        let mut bytes = [0; LONGEST];
        let mut length = 0;
        while length < LONGEST {
            let byte = (self.0[length / 8] >> (56 - length % 8 * 8)) as u8;
            if byte == 0 {
                break;
            }
            bytes[length] = byte;
            length += 1;
        }
        (bytes, length)
    }
}

/// An identifier as people write it: an IMEI without its separators, any other as it is but for blanks around it.
pub fn tracker_id_text(text: &str) -> String {
    let digits = imei_digits(text);
    if digits.parse::<Imei>().is_ok() { digits } else { text.trim().to_owned() }
}

impl From<Imei> for TrackerId {
    fn from(imei: Imei) -> Self {
        Self([imei.number(), 0, 0, 0])
    }
}

impl FromStr for TrackerId {
    type Err = TrackerIdError;

    fn from_str(text: &str) -> Result<Self, TrackerIdError> {
        if let Ok(imei) = text.parse::<Imei>() {
            return Ok(imei.into());
        }
        if text == FRAME {
            return Err(TrackerIdError::Reserved);
        }
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return Err(TrackerIdError::Length(text.len()));
        }
        let mut words = [0; LONGEST / 8];
        let (mut digits, mut dashes) = (0, 0);
        for (place, byte) in text.bytes().enumerate() {
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
                return Err(TrackerIdError::Character(place));
            }
            digits += usize::from(byte.is_ascii_digit());
            dashes += usize::from(byte == b'-');
            words[place / 8] |= u64::from(byte) << (56 - place % 8 * 8);
        }
        if digits == DIGITS && digits + dashes == text.len() {
            return Err(TrackerIdError::Dashes);
        }
        Ok(Self(words))
    }
}

// Of an IMEI nothing but its number is hashed.
impl Hash for TrackerId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
        if self.0[0] >= LIMIT {
            self.0[1..].iter().for_each(|word| state.write_u64(*word));
        }
    }
}

impl fmt::Display for TrackerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_imei() {
            Some(imei) => imei.fmt(f),
            None => {
                let (bytes, length) = self.bytes();
                f.write_str(str::from_utf8(&bytes[..length]).unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for TrackerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
