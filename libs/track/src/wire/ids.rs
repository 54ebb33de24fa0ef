//! Lists of ids, byte by byte: ids of version 7 begin with the time of their making, so the first bytes of all are
//! often the same, and the rest is random and cannot be made smaller.

use uuid::Uuid;

use crate::wire::{
    bytes::{Reader, put_varint},
    error::CodecError,
};

/// Appends the count, a bit for each of the 16 places that is the same in all ids, then place by place that one byte
/// or the bytes of all.
pub(crate) fn put(out: &mut Vec<u8>, ids: impl ExactSizeIterator<Item = Uuid> + Clone) {
    put_varint(out, ids.len() as u64);
    let Some(first) = ids.clone().next() else { return };
    let differences = ids.clone().fold(0, |all, id| all | (id.as_u128() ^ first.as_u128()));
    let same = |place: &usize| differences.to_be_bytes()[*place] == 0;
    let mask = (0..16).filter(same).fold(0_u16, |mask, place| mask | 1 << place);
    out.extend_from_slice(&mask.to_le_bytes());
    for place in 0..16 {
        if same(&place) {
            out.push(first.as_bytes()[place]);
        } else {
            out.extend(ids.clone().map(|id| id.as_bytes()[place]));
        }
    }
}

/// Reads what [`put`] wrote; there cannot be more than `limit`.
pub(crate) fn get(reader: &mut Reader<'_>, limit: usize) -> Result<Vec<Uuid>, CodecError> {
    let count = reader.count(limit)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let mask = u16::from_le_bytes(reader.array()?);
    let mut ids = vec![[0; 16]; count];
    for place in 0..16 {
        if mask & 1 << place != 0 {
            let byte = reader.byte()?;
            ids.iter_mut().for_each(|id| id[place] = byte);
        } else {
            for (id, byte) in ids.iter_mut().zip(reader.take(count)?) {
                id[place] = *byte;
            }
        }
    }
    Ok(ids.into_iter().map(Uuid::from_bytes).collect())
}
