//! The small parts that all codecs are made of: variable-length integers, a reader that cannot leave its bytes, a
//! checksum.

use crate::wire::error::CodecError;

/// Appends seven bits a byte, lowest first (LEB128).
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed value, small ones of either sign in few bytes.
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
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

/// Reads from the front of some bytes, and never beyond their end.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Of what follows the first byte, which must be this codec.
    pub(crate) fn of_codec(bytes: &'a [u8], codec: u8) -> Result<Self, CodecError> {
        let mut reader = Self::new(bytes);
        match reader.byte()? {
            found if found == codec => Ok(reader),
            other => Err(CodecError::UnknownCodec(other)),
        }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether all has been read.
    pub fn is_empty(&self) -> bool {
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

    /// What [`put_varint`] wrote.
    pub fn varint(&mut self) -> Result<u64, CodecError> {
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

    /// What [`put_signed`] wrote.
    pub fn signed(&mut self) -> Result<i64, CodecError> {
        Ok(unzigzag(self.varint()?) as i64)
    }

    /// A number of things of which there cannot be more than `limit`.
    pub(crate) fn count(&mut self, limit: usize) -> Result<usize, CodecError> {
        let count = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        if count > limit { Err(CodecError::Corrupt("a count beyond its limit")) } else { Ok(count) }
    }
}

/// Recognises damage, not malice: four lanes of multiply and rotate over 8-byte words.
pub fn checksum(bytes: &[u8]) -> u32 {
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
