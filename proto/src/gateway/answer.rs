//! What a gateway hears of what it published. Shaped like JetStream's acknowledgement, so that the JetStream publish of a
//! client library works: `stream` and `seq` when something was taken in, `error` when nothing was.

use serde::{Deserialize, Serialize};

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

impl Answer {
    /// Everything was taken in, and nothing is odd.
    pub fn is_plain(&self) -> bool {
        self.held == 0 && self.rejected.is_empty() && self.warnings.is_empty()
    }

    /// An element was taken in, and something is odd about it.
    pub fn warn(&mut self, warning: impl FnOnce() -> Warning) {
        if self.warnings.len() < WARNINGS {
            self.warnings.push(warning());
        } else {
            self.more_warnings += 1;
        }
    }
}
