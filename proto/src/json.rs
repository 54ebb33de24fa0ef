//! How protobuf values look in JSON: enums by their name in snake case.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// For enum fields that are always there.
pub mod plain_enum {
    use super::*;

    /// Writes the name; a number that this version does not know becomes the default.
    pub fn serialize<E, S>(value: &i32, serializer: S) -> Result<S::Ok, S::Error>
    where
        E: TryFrom<i32> + Default + Serialize,
        S: Serializer,
    {
        E::try_from(*value).unwrap_or_default().serialize(serializer)
    }

    /// Reads the name; an unknown one is an error.
    pub fn deserialize<'de, E, D>(deserializer: D) -> Result<i32, D::Error>
    where
        E: Into<i32> + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        E::deserialize(deserializer).map(Into::into)
    }
}

/// For `optional` enum fields.
pub mod optional_enum {
    use super::*;

    /// Writes the name, or null.
    pub fn serialize<E, S>(value: &Option<i32>, serializer: S) -> Result<S::Ok, S::Error>
    where
        E: TryFrom<i32> + Default + Serialize,
        S: Serializer,
    {
        value.map(|v| E::try_from(v).unwrap_or_default()).serialize(serializer)
    }

    /// Reads the name; null and absent are none.
    pub fn deserialize<'de, E, D>(deserializer: D) -> Result<Option<i32>, D::Error>
    where
        E: Into<i32> + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Option::<E>::deserialize(deserializer)?.map(Into::into))
    }
}

/// For text that is a JSON object: it stands in the document as that object.
pub mod object {
    use serde::{de, ser};
    use serde_json::value::RawValue;

    use super::*;

    /// Writes the object as it is.
    pub fn serialize<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
        let object = text.as_deref().map(serde_json::from_str::<&RawValue>).transpose();
        object.map_err(ser::Error::custom)?.serialize(serializer)
    }

    /// Reads an object, and nothing else, as its text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        let value = Option::<Box<RawValue>>::deserialize(deserializer)?;
        if value.as_ref().is_some_and(|value| !value.get().starts_with('{')) {
            return Err(de::Error::custom("not a JSON object"));
        }
        Ok(value.map(|value| value.get().to_owned()))
    }
}
