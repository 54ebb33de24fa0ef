//! The small parts that all codecs are made of: variable-length integers, a reader that cannot leave its bytes, a
//! checksum.

use crate::error::CodecError;

/// Appends seven bits a byte, lowest first (LEB128).
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed value, small ones of either sign in few bytes.
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, zigzag(value as u64));
}

/// Maps a two's complement number so that small ones of either sign become small.
pub(crate) const fn zigzag(value: u64) -> u64 {
    (value << 1) ^ ((value as i64 >> 63) as u64)
}

/// The inverse of [`zigzag`].
pub(crate) const fn unzigzag(value: u64) -> u64 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// Reads from the front of some bytes.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn take(&mut self, n: usize) -> Result<&'a [u8], CodecError> {
        let (head, rest) = self.rest.split_at_checked(n).ok_or(CodecError::Truncated)?;
        self.rest = rest;
        Ok(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], CodecError> {
        let (head, rest) = self.rest.split_first_chunk().ok_or(CodecError::Truncated)?;
        self.rest = rest;
        Ok(*head)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, CodecError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn varint(&mut self) -> Result<u64, CodecError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(CodecError::Corrupt("an integer of more than ten bytes"))
    }

    pub(crate) fn signed(&mut self) -> Result<i64, CodecError> {
        Ok(unzigzag(self.varint()?) as i64)
    }

    /// A number of things of which there cannot be more than `limit`.
    pub(crate) fn count(&mut self, limit: usize) -> Result<usize, CodecError> {
        let count = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        if count > limit { Err(CodecError::Corrupt("a count beyond its limit")) } else { Ok(count) }
    }
}

/// Recognises damage, not malice: four lanes of multiply and rotate over 8-byte words.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let mut lanes = [1_u64, 2, 3, 4];
    let mut chunks = bytes.chunks_exact(32);
    for chunk in &mut chunks {
        for (lane, word) in lanes.iter_mut().zip(chunk.chunks_exact(8)) {
            *lane = mix(*lane, word_of(word));
        }
    }
    let mut sum = bytes.len() as u64;
    for word in chunks.remainder().chunks(8) {
        sum = mix(sum, word_of(word));
    }
    for lane in lanes {
        sum = mix(sum, lane);
    }
    (sum ^ (sum >> 32)) as u32
}

/// One step of the mixing used for checksums and for the hash of a report's content. Stored, so never to be changed.
pub(crate) const fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Up to eight bytes as a little-endian number.
pub(crate) fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_come_back(unsigned: u64, signed: i64) {
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
    fn an_endless_integer_is_refused() {
        assert_eq!(Reader::new(&[0xff; 11]).varint(), Err(CodecError::Corrupt("an integer of more than ten bytes")));
        assert_eq!(Reader::new(&[0xff; 3]).varint(), Err(CodecError::Truncated));
    }
}
