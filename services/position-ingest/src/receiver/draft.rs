//! What a gateway will hear, as far as it is known before the write.

use armada_proto::{
    TenantId,
    gateway::{Answer, Rejected, Warning},
};
use armada_track::{LeftOut, Reject, TrackerId};

use super::{
    answer::{self, Refusal},
    odd::{ClockOff, Odd},
    recent_messages::Seen,
};

/// What was taken in of a device of which no binding is known here. Whether somebody has it is asked before it is said.
#[derive(Debug)]
pub(super) struct Unresolved {
    pub(super) imei: TrackerId,
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
    /// What is odd about what was taken in, if anything.
    pub(super) odd: Option<Box<Odd>>,
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
            None => answer::written(self.answer, seq),
        }
    }

    /// An element was taken in, and a fix of the same instant before it is elsewhere.
    pub(super) fn second_place(&mut self, gateway: &str, index: u32) {
        self.odd(gateway).second_places += 1;
        self.answer.warn(|| Warning { index, warning: "second_place".to_owned(), ..Warning::default() });
    }

    /// An element was taken in of a device whose clock is wrong.
    pub(super) fn clock_off(&mut self, gateway: &str, index: u32, off: ClockOff) {
        self.odd(gateway).clock(off);
        let (seconds, warning) = off.told();
        let seconds = Some(seconds);
        self.answer.warn(|| Warning { index, warning: warning.to_owned(), seconds, ..Warning::default() });
    }

    fn odd(&mut self, gateway: &str) -> &mut Odd {
        self.odd.get_or_insert_with(|| Box::new(Odd::of(gateway)))
    }

    /// An element was taken in without some of what it says.
    pub(super) fn leave_out(&mut self, gateway: &str, index: u32, left_out: LeftOut) {
        for (field, flaw) in left_out.iter() {
            self.odd(gateway).leave_out(field, flaw);
            self.answer.warn(|| Warning {
                index,
                warning: "left_out".to_owned(),
                field: Some(field.as_str().to_owned()),
                reason: Some(flaw.as_str().to_owned()),
                seconds: None,
            });
        }
    }

    /// One element, or a whole message, was not taken in.
    pub(super) fn reject(&mut self, index: u32, reason: Reject, field: Option<&'static str>) {
        let (reason, field) = (reason.as_str().to_owned(), field.map(str::to_owned));
        self.answer.rejected.push(Rejected { index, reason, field });
    }
}
