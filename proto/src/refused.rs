//! What the receiver refused of a message.

use crate::v1::RefusedMessage;

impl RefusedMessage {
    /// Why, and how many positions for each reason.
    pub fn reasons(&self) -> impl Iterator<Item = (&str, u32)> {
        let others = self.others.iter().map(|other| (&*other.reason, other.count));
        std::iter::once((&*self.reason, self.count)).chain(others)
    }
}
