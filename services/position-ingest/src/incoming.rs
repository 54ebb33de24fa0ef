//! What is read.

use bytes::Bytes;

/// A message of RAW.
pub struct Incoming {
    /// Its sequence in RAW.
    pub stream_seq: u64,
    /// When RAW took it in, milliseconds since 1970: 'now' for every rule.
    pub stream_ts: i64,
    /// Its body, an [`armada_proto::v1::ReceivedFrame`].
    pub payload: Bytes,
    /// The trace of the receiver.
    pub traceparent: Option<String>,
}
