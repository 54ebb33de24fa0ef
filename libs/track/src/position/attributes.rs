//! What a device says besides: a JSON object as text. It is put into other JSON as it is, and must be readable there.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attributes {
    /// An object.
    Object,
    /// One by its form, that parsers do not read: too deep, with a number beyond all numbers, or with half a character.
    Unreadable,
    /// Something else.
    Other,
}

impl Attributes {
    /// Of a text.
    pub(crate) fn of(text: &str) -> Self {
        if !text.trim_ascii_start().starts_with('{') {
            Self::Other
        } else if serde_json::from_str::<Readable>(text).is_ok() {
            Self::Object
        } else if serde_json::from_str::<IgnoredAny>(text).is_ok() {
            Self::Unreadable
        } else {
            Self::Other
        }
    }
}

/// Any JSON, read as whoever wants its values reads it, and kept nowhere.
struct Readable;

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Readable {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        while entries.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}
