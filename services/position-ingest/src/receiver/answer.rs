//! What a gateway hears of what it published. Shaped like JetStream's acknowledgement, so that the JetStream publish of a
//! client library works: `stream` and `seq` when something was taken in, `error` when nothing was.

use std::error::Error as _;

use async_nats::jetstream::{self, context::PublishError};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::streams::RAW;

/// Like HTTP's: what was published cannot be taken in as it is.
const BAD_REQUEST: u16 = 400;
/// It can be, later.
const UNAVAILABLE: u16 = 503;
/// Warnings that are told one by one: who sends the same wrong value in each of hundreds of positions knows it then.
const WARNINGS: usize = 10;

/// An element that was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// Its place in the message, from 0.
    pub index: u32,
    /// Why, as in `position-rejections`.
    pub reason: String,
    /// The field because of which, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// An element that was taken in although something is odd about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Its place in the message, from 0.
    pub index: u32,
    /// `clock_ahead`, `clock_behind`: the device's clock is wrong. `clock_corrected`: it had lost a multiple of 1,024 weeks, which
    /// were added. `second_place`: a fix of the same instant before it is
    /// elsewhere, which is the place that is kept. `left_out`: a value of it that cannot be is not stored.
    pub warning: String,
    /// The field whose value was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Why it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// By how many seconds a clock is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
}

/// What became of the elements of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Where they are.
    #[serde(default)]
    pub stream: String,
    /// The sequence there: of a frame whose devices are of several partitions, the last one.
    #[serde(default)]
    pub seq: u64,
    /// How many will be in history, once.
    #[serde(default)]
    pub accepted: u32,
    /// How many are of devices that nobody has: kept until somebody has them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub held: u32,
    /// What was not taken in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// What was, although something is odd about it: the first ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_warnings: u32,
    /// Set when nothing was taken in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<Problem>>,
    /// Set when it should be sent again, not before so long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u32>,
}

/// Why nothing was taken in, as JetStream says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// 400 for what is wrong and stays wrong, 503 for what may be sent again.
    pub code: u16,
    /// Always 0: it is no error of JetStream.
    #[serde(default)]
    pub err_code: u16,
    /// The reason: of the first element, or why the receiver takes nothing in at the moment.
    pub description: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Why the receiver takes nothing in at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// More waits than may be kept in memory.
    TooMuchWaiting,
    /// The stream RAW takes nothing more, or the disk is full, or nothing is acknowledged.
    StorageFull,
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
    pub(super) const ALL: [Self; 6] = [
        Self::TooMuchWaiting,
        Self::StorageFull,
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
            Self::TooManyUnknown => 1_000,
            Self::ClockUnsure => 30_000,
        }
    }

    /// As it stands in answers and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooMuchWaiting => "too_much_waiting",
            Self::StorageFull => "storage_full",
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

impl Answer {
    /// Everything was taken in, and nothing is odd.
    pub(super) fn is_plain(&self) -> bool {
        self.held == 0 && self.rejected.is_empty() && self.warnings.is_empty()
    }

    /// An element was taken in, and something is odd about it.
    pub(super) fn warn(&mut self, warning: impl FnOnce() -> Warning) {
        if self.warnings.len() < WARNINGS {
            self.warnings.push(warning());
        } else {
            self.more_warnings += 1;
        }
    }

    /// What is right and wrong is on disk at `seq`.
    pub(super) fn written(mut self, seq: u64) -> Self {
        if self.accepted + self.held > 0 || self.rejected.is_empty() {
            self.stream = RAW.to_owned();
            self.seq = seq;
        } else {
            let description = self.rejected[0].reason.clone();
            self.error = Some(Problem { code: BAD_REQUEST, err_code: 0, description }.into());
        }
        self
    }

    /// As JSON.
    pub(super) fn to_json(&self) -> Bytes {
        serde_json::to_vec(self).unwrap_or_default().into()
    }
}

/// The answer to so many positions of which all were taken in.
pub(super) fn plain(seq: u64, accepted: u32) -> Bytes {
    format!(r#"{{"stream":"{RAW}","seq":{seq},"accepted":{accepted}}}"#).into()
}
