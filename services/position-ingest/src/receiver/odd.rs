//! What is odd about what was taken in of a message.

use std::collections::BTreeMap;

use armada_proto::v1::LeftOutValue;
use armada_track::{Field, Flaw};

/// By how many seconds the clock of a tracker is wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClockOff {
    /// So many ahead.
    Ahead(u32),
    /// So many behind, as it was for some time.
    Behind(u32),
    /// It had lost so many: a multiple of 1,024 weeks, which were added.
    Corrected(u32),
}

impl ClockOff {
    /// How many seconds, and as it stands in warnings.
    pub(super) const fn told(self) -> (u32, &'static str) {
        match self {
            Self::Ahead(seconds) => (seconds, "clock_ahead"),
            Self::Behind(seconds) => (seconds, "clock_behind"),
            Self::Corrected(seconds) => (seconds, "clock_corrected"),
        }
    }
}

/// What is odd about the positions of a message that were taken in.
#[derive(Debug, Default)]
pub(super) struct Odd {
    /// Who sent them.
    pub(super) gateway: String,
    /// By how many seconds a clock is ahead, at most.
    pub(super) clock_ahead: u32,
    /// By how many one is behind, or was before it was corrected.
    pub(super) clock_behind: u32,
    /// Positions whose clock was corrected.
    pub(super) clock_corrected: u32,
    /// Positions that are elsewhere than one of their instant before them.
    pub(super) second_places: u32,
    /// How many values of each field were left out, by why.
    left_out: BTreeMap<(Field, Flaw), u32>,
}

impl Odd {
    /// Nothing yet, of what this gateway sent.
    pub(super) fn of(gateway: &str) -> Self {
        Self { gateway: gateway.to_owned(), ..Self::default() }
    }

    /// A clock that is wrong.
    pub(super) fn clock(&mut self, off: ClockOff) {
        let worst = |known: &mut u32, seconds: u32| *known = seconds.max(*known);
        match off {
            ClockOff::Ahead(seconds) => worst(&mut self.clock_ahead, seconds),
            ClockOff::Behind(seconds) => worst(&mut self.clock_behind, seconds),
            ClockOff::Corrected(seconds) => {
                worst(&mut self.clock_behind, seconds);
                self.clock_corrected += 1;
            }
        }
    }

    /// A value that was left out.
    pub(super) fn leave_out(&mut self, field: Field, flaw: Flaw) {
        *self.left_out.entry((field, flaw)).or_default() += 1;
    }

    /// Field, why, and how many.
    pub(super) fn left_out(&self) -> impl Iterator<Item = (&'static str, &'static str, u32)> {
        self.left_out.iter().map(|(&(field, flaw), &count)| (field.as_str(), flaw.as_str(), count))
    }

    /// The same for whoever looks at the message.
    pub(super) fn shown_left_out(&self) -> Vec<LeftOutValue> {
        let shown = |(field, reason, count): (&str, &str, u32)| LeftOutValue {
            field: field.to_owned(),
            reason: reason.to_owned(),
            count,
        };
        self.left_out().map(shown).collect()
    }
}
