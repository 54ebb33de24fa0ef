//! What was left out of the positions of a message.

use std::collections::BTreeMap;

use armada_proto::v1::LeftOutValue;
use armada_track::{Field, Flaw};

/// How many values of each field, by why.
#[derive(Debug)]
pub(super) struct ValuesLeftOut {
    /// Who sent them.
    pub(super) gateway: String,
    counts: BTreeMap<(Field, Flaw), u32>,
}

impl ValuesLeftOut {
    /// None yet, of what this gateway sent.
    pub(super) fn of(gateway: &str) -> Self {
        Self { gateway: gateway.to_owned(), counts: BTreeMap::new() }
    }

    /// One more.
    pub(super) fn add(&mut self, field: Field, flaw: Flaw) {
        *self.counts.entry((field, flaw)).or_default() += 1;
    }

    /// Field, why, and how many.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, &'static str, u32)> {
        self.counts.iter().map(|(&(field, flaw), &count)| (field.as_str(), flaw.as_str(), count))
    }

    /// The same for whoever looks at the message.
    pub(super) fn shown(&self) -> Vec<LeftOutValue> {
        let shown = |(field, reason, count): (&str, &str, u32)| LeftOutValue {
            field: field.to_owned(),
            reason: reason.to_owned(),
            count,
        };
        self.counts().map(shown).collect()
    }
}
