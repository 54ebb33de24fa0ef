//! What a gateway will hear, as far as it is known before the write.

use armada_proto::TenantId;
use armada_track::{Imei, Reject};

use super::{
    answer::{Answer, Refusal, Rejected, Warning},
    recent::Seen,
};

/// What was taken in of a device of which no binding is known here. Whether somebody has it is asked before it is said.
#[derive(Debug)]
pub(super) struct Unresolved {
    pub(super) imei: Imei,
    pub(super) index: u32,
    pub(super) recorded_at: i64,
    /// For whose devices alone the gateway speaks.
    pub(super) own: Option<TenantId>,
}

/// An answer in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) answer: Answer,
    pub(super) unresolved: Vec<Unresolved>,
    /// It is to be sent again, whatever was taken in of it.
    pub(super) again: Option<Refusal>,
    /// The message, if it is one of those that are kept to be looked at.
    pub(super) seen: Option<Box<Seen>>,
}

impl Draft {
    /// Everything was taken in, of devices that are known, and nothing is odd.
    pub(super) fn is_plain(&self) -> bool {
        self.unresolved.is_empty() && self.again.is_none() && self.answer.is_plain()
    }

    /// What its gateway hears once what was taken in is on disk at `seq`.
    pub(super) fn written(self, seq: u64) -> Answer {
        match self.again {
            Some(refusal) => refusal.answer(),
            None => self.answer.written(seq),
        }
    }

    /// An element was taken in, and something is odd about it.
    pub(super) fn warn(&mut self, index: u32, warning: &str) {
        self.answer.warnings.push(Warning { index, warning: warning.to_owned(), seconds: None });
    }

    /// One element, or a whole message, was not taken in.
    pub(super) fn reject(&mut self, index: u32, reason: Reject, field: Option<&'static str>) {
        let (reason, field) = (reason.as_str().to_owned(), field.map(str::to_owned));
        self.answer.rejected.push(Rejected { index, reason, field });
    }
}
