//! What is read.

use bytes::Bytes;

/// A message of RAW.
pub struct Incoming {
    /// As RAW holds it.
    pub subject: async_nats::Subject,
    /// Its sequence in RAW.
    pub stream_seq: u64,
    /// When RAW took it in, milliseconds since 1970: 'now' for every rule.
    pub stream_ts: i64,
    /// Its body.
    pub payload: Bytes,
    /// The trace of who published it.
    pub traceparent: Option<String>,
}
