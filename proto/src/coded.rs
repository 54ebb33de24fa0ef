//! Values of buckets: a byte that tells their form, then a protobuf message.

use prost::Message;

/// The only form so far: the message follows.
const CODEC: u8 = 1;

/// A message as it stands in a bucket.
pub fn encode(message: &impl Message) -> Vec<u8> {
    let mut value = Vec::with_capacity(1 + message.encoded_len());
    value.push(CODEC);
    value.extend_from_slice(&message.encode_to_vec());
    value
}

/// Reads a value; none when it was not written by [`encode`].
pub fn decode<M: Message + Default>(value: &[u8]) -> Option<M> {
    match value.split_first() {
        Some((&CODEC, message)) => M::decode(message).ok(),
        _ => None,
    }
}
