//! Messages of protobuf whose texts are no UTF-8, as trackers say them in other character sets. A parser reads nothing of them;
//! with � for what is no character they can be read. Done only once they could not be.

use prost::{
    Message,
    encoding::{DecodeContext, WireType, bytes, decode_key, decode_varint, skip_field},
};

/// A message of protobuf, or of what can be read of it.
pub(crate) fn read<M: Message + Default>(body: &[u8], mended: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> Option<M> {
    M::decode(body).ok().or_else(|| M::decode(mended(body)?.as_slice()).ok())
}

/// A `PositionReport` that can be read; none when it is no protobuf at all.
pub(crate) fn mended_report(body: &[u8]) -> Option<Vec<u8>> {
    rewritten(body, &[16, 17], lossy)
}

/// A `PositionReports`.
pub(crate) fn mended_reports(body: &[u8]) -> Option<Vec<u8>> {
    rewritten(body, &[1], mended_report)
}

/// A `PositionFrame`.
pub(crate) fn mended_frame(body: &[u8]) -> Option<Vec<u8>> {
    rewritten(body, &[15, 16, 17], lossy)
}

fn lossy(text: &[u8]) -> Option<Vec<u8>> {
    Some(String::from_utf8_lossy(text).into_owned().into_bytes())
}

/// A message with other values in these fields, and everything else as it is.
fn rewritten(body: &[u8], fields: &[u32], mend: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let (mut mended, mut rest) = (Vec::with_capacity(body.len()), body);
    while !rest.is_empty() {
        let field = rest;
        let (number, wire_type) = decode_key(&mut rest).ok()?;
        let mut value = rest;
        skip_field(wire_type, number, &mut rest, DecodeContext::default()).ok()?;
        let field = &field[..field.len() - rest.len()];
        value = &value[..value.len() - rest.len()];
        if wire_type == WireType::LengthDelimited && fields.contains(&number) {
            decode_varint(&mut value).ok()?;
            bytes::encode(number, &mend(value)?, &mut mended);
        } else {
            mended.extend_from_slice(field);
        }
    }
    Some(mended)
}
