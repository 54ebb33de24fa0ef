//! The names that enums have in JSON, in queries, in tables and in files.

use crate::v1;

/// An enum of the contract. Its first value, `unspecified`, says nothing: a filter by it narrows nothing, and a change to
/// it changes nothing.
pub trait Choice: Copy + PartialEq + Default + TryFrom<i32> + Into<i32> + 'static {
    /// All values with their names, `unspecified` first.
    const ALL: &'static [(Self, &'static str)];

    /// Its name in snake case, without that of the enum.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(value, _)| *value == self).map_or("unspecified", |(_, name)| name)
    }

    /// The value of a name, if there is one.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(value, _)| *value)
    }

    /// The value of a number in a message, unless it is `unspecified` or unknown.
    fn specified(number: i32) -> Option<Self> {
        Self::try_from(number).ok().filter(|value| *value != Self::default())
    }
}

include!(concat!(env!("OUT_DIR"), "/choices.rs"));
