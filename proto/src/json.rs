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
