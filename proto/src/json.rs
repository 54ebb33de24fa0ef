//! How protobuf values look in JSON: enums by their name in snake case.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IgnoredAny},
};

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

/// For `repeated` enum fields.
pub mod repeated_enum {
    use super::*;

    /// Writes the names.
    pub fn serialize<E, S>(values: &[i32], serializer: S) -> Result<S::Ok, S::Error>
    where
        E: TryFrom<i32> + Default + Serialize,
        S: Serializer,
    {
        serializer.collect_seq(values.iter().map(|&value| E::try_from(value).unwrap_or_default()))
    }

    /// Reads names; an unknown one is an error.
    pub fn deserialize<'de, E, D>(deserializer: D) -> Result<Vec<i32>, D::Error>
    where
        E: Into<i32> + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<E>::deserialize(deserializer)?.into_iter().map(Into::into).collect())
    }
}

/// For fields that requests cannot set: reads whatever is there and leaves the field as it is when absent.
pub fn ignored<'de, T: Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    IgnoredAny::deserialize(deserializer)?;
    Ok(T::default())
}

/// For fields that are never written.
pub fn always<T>(_: &T) -> bool {
    true
}

/// The largest whole number that JavaScript counts to without a gap: `Number.MAX_SAFE_INTEGER`.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

fn safe<E: de::Error>(value: i64) -> Result<i64, E> {
    if value.abs() <= MAX_SAFE_INTEGER { Ok(value) } else { Err(E::custom("a whole number of more than 53 bits")) }
}

/// For whole numbers of up to 53 bits that are always there.
pub mod safe_integer {
    use super::*;

    /// Writes a number.
    pub fn serialize<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads a number; one that is too large is an error.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        safe(i64::deserialize(deserializer)?)
    }
}

/// For `optional` whole numbers of up to 53 bits.
pub mod optional_safe_integer {
    use super::*;

    /// Writes a number, or null.
    pub fn serialize<S: Serializer>(value: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads a number; null and absent are none, one that is too large is an error.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
        Option::<i64>::deserialize(deserializer)?.map(safe).transpose()
    }
}

/// Between services, the number of a field with `null_clears` that is to be taken away.
pub const CLEARED: u32 = u32::MAX;

/// For `optional` whole numbers that `null` takes away. Absent leaves them as they are.
pub mod cleared_by_null {
    use super::*;

    /// Writes a number; null for what is taken away.
    pub fn serialize<S: Serializer>(value: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
        value.filter(|&number| number != CLEARED).serialize(serializer)
    }

    /// Reads a number, or null.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
        match Option::<u32>::deserialize(deserializer)? {
            Some(CLEARED) => Err(de::Error::custom("a whole number that is too large")),
            number => Ok(Some(number.unwrap_or(CLEARED))),
        }
    }
}

/// For text that is a JSON object: it stands in the document as that object.
pub mod object {
    use serde::ser;
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
