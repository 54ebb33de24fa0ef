//! Which field of a message a refusal is about, for whoever connects a gateway. Looked for only once something was
//! refused, so that what is right does not pay for it.

use crate::{
    input::{element::wrong_field, message::refused_elements},
    position::report::Reject,
};

/// The elements of a JSON message; none of a message in protobuf.
pub struct RefusedFields(Vec<String>);

impl RefusedFields {
    /// Of a message body.
    pub fn of(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let elements = refused_elements(&text).unwrap_or_default();
        Self(elements.into_iter().map(str::to_owned).collect())
    }

    /// The field because of which the element at `index` was refused, as it is spelt in JSON; none when it is not one
    /// field, or cannot be told.
    pub fn of_element(&self, index: usize, reject: Reject) -> Option<&'static str> {
        match reject {
            Reject::LatitudeOutOfRange | Reject::NullIsland => Some("lat"),
            Reject::LongitudeOutOfRange => Some("lng"),
            Reject::FutureFix | Reject::AncientFix | Reject::BeforeBinding | Reject::ExpiredFix => Some("recorded_at"),
            Reject::Malformed => wrong_field(self.0.get(index)?),
            _ => None,
        }
    }
}
