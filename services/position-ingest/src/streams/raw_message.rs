//! What is taken in.

use armada_proto::v1::ReceivedFrame;
use bytes::Bytes;
use prost::Message;

/// A message of RAW.
pub struct RawMessage {
    /// Its sequence in RAW.
    pub stream_seq: u64,
    /// When the receiver wrote it, milliseconds since 1970: 'now' for every rule.
    pub stream_ts: i64,
    /// Its body, a [`ReceivedFrame`].
    pub payload: Bytes,
    /// The trace of the receiver.
    pub traceparent: Option<String>,
    /// A receiver wrote it.
    is_sound: bool,
    /// What the body says, until it is taken.
    frame: Option<ReceivedFrame>,
}

impl RawMessage {
    /// As it was written, before anybody has read it.
    pub fn written(stream_seq: u64, payload: Bytes, traceparent: Option<String>, frame: ReceivedFrame) -> Self {
        Self { stream_seq, stream_ts: frame.received_at, payload, traceparent, is_sound: true, frame: Some(frame) }
    }

    /// As it is read from RAW, which took it in at `published`: that is its time when nothing else can be read in it.
    /// Of what no receiver has signed nothing is believed.
    pub fn read(
        (stream_seq, published): (u64, i64),
        payload: Bytes,
        traceparent: Option<String>,
        is_sound: bool,
    ) -> Self {
        let frame = ReceivedFrame::decode(payload.clone()).ok().filter(|_| is_sound);
        let received_at = frame.as_ref().map_or(0, |frame| frame.received_at);
        let stream_ts = if received_at > 0 { received_at } else { published };
        Self { stream_seq, stream_ts, payload, traceparent, is_sound, frame }
    }

    /// What it says; none of what no receiver wrote. What is taken in twice is decoded again.
    pub fn take_frame(&mut self) -> Option<ReceivedFrame> {
        self.frame.take().or_else(|| ReceivedFrame::decode(self.payload.clone()).ok().filter(|_| self.is_sound))
    }
}
