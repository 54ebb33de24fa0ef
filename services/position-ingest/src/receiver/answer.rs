//! Answers to gateways: what they say, and when nothing is taken in.

use std::error::Error as _;

use armada_proto::gateway::{Answer, Problem};
use async_nats::jetstream::{self, context::PublishError};
use bytes::Bytes;

use crate::streams::RAW;

/// Like HTTP's: what was published cannot be taken in as it is.
const BAD_REQUEST: u16 = 400;
/// It can be, later.
const UNAVAILABLE: u16 = 503;

/// Why the receiver takes nothing in at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// More waits than may be kept in memory.
    TooMuchWaiting,
    /// The stream RAW takes nothing more, or the disk is full.
    StorageFull,
    /// The server is there, and acknowledges nothing: the stream has no leader, or could not write.
    NotAcknowledged,
    /// RAW cannot be written until somebody mends it: the stream is gone, or the server refuses what is written.
    NotWritable,
    /// The part of a frame found nobody who takes it in.
    NoOwner,
    /// A fix is from the future, or the clock of this host is behind: nobody knows.
    ClockUnsure,
    /// The gateway sends more devices that nobody has than are held.
    TooManyUnknown,
}

impl Refusal {
    /// All there are.
    pub(super) const ALL: [Self; 7] = [
        Self::TooMuchWaiting,
        Self::StorageFull,
        Self::NotAcknowledged,
        Self::NotWritable,
        Self::NoOwner,
        Self::ClockUnsure,
        Self::TooManyUnknown,
    ];

    /// The one that whoever receives in another process has answered with, which a client library takes for an error of
    /// JetStream.
    pub(super) fn from_publish_error(error: &PublishError) -> Option<Self> {
        let description = error.source()?.downcast_ref::<jetstream::Error>()?.to_string();
        Self::ALL.into_iter().find(|refusal| description.starts_with(refusal.as_str()))
    }

    /// How long to wait before it is tried again.
    pub(super) const fn retry_after_ms(self) -> u32 {
        match self {
            Self::TooMuchWaiting => 250,
            Self::NoOwner => 500,
            Self::StorageFull | Self::NotWritable => 5_000,
            Self::NotAcknowledged | Self::TooManyUnknown => 1_000,
            Self::ClockUnsure => 30_000,
        }
    }

    /// As it stands in answers and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooMuchWaiting => "too_much_waiting",
            Self::StorageFull => "storage_full",
            Self::NotAcknowledged => "not_acknowledged",
            Self::NotWritable => "not_writable",
            Self::NoOwner => "no_owner",
            Self::ClockUnsure => "clock_unsure",
            Self::TooManyUnknown => "too_many_unknown",
        }
    }

    /// The answer.
    pub(super) fn answer(self) -> Answer {
        let error = Problem { code: UNAVAILABLE, err_code: 0, description: self.as_str().to_owned() };
        Answer { error: Some(error.into()), retry_after_ms: Some(self.retry_after_ms()), ..Answer::default() }
    }
}

/// The answer when what is right and wrong is on disk at `seq`.
pub(super) fn written(mut answer: Answer, seq: u64) -> Answer {
    if answer.accepted + answer.held > 0 || answer.rejected.is_empty() {
        answer.stream = RAW.to_owned();
        answer.seq = seq;
    } else {
        let description = answer.rejected[0].reason.clone();
        answer.error = Some(Problem { code: BAD_REQUEST, err_code: 0, description }.into());
    }
    answer
}

/// An answer as JSON.
pub(super) fn to_json(answer: &Answer) -> Bytes {
    serde_json::to_vec(answer).unwrap_or_default().into()
}

/// The answer to so many positions of which all were taken in.
pub(super) fn plain(seq: u64, accepted: u32) -> Bytes {
    format!(r#"{{"stream":"{RAW}","seq":{seq},"accepted":{accepted}}}"#).into()
}
