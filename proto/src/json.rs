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

/// A type that has a value which stands for none, between services: JSON says `null` for it.
pub trait Clearable: Copy {
    /// That value.
    const CLEARED: Self;

    /// Whether it is that value.
    fn is_cleared(self) -> bool;
}

impl Clearable for u32 {
    const CLEARED: Self = Self::MAX;

    fn is_cleared(self) -> bool {
        self == Self::CLEARED
    }
}

/// Below all whole numbers of 53 bits.
impl Clearable for i64 {
    const CLEARED: Self = Self::MIN;

    fn is_cleared(self) -> bool {
        self == Self::CLEARED
    }
}

/// Not a number, which JSON cannot say.
impl Clearable for f64 {
    const CLEARED: Self = Self::NAN;

    fn is_cleared(self) -> bool {
        self.is_nan()
    }
}

/// For `optional` numbers that something need not have: `null` takes away what there is. Absent leaves it as it is.
pub mod cleared_by_null {
    use super::*;

    /// Writes a number; null for what is taken away.
    pub fn serialize<T: Clearable + Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.filter(|number| !number.is_cleared()).serialize(serializer)
    }

    /// Reads a number, or null.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: Clearable + Value + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        match Option::<T>::deserialize(deserializer)? {
            Some(number) if number.is_cleared() => Err(de::Error::custom("a number that is too large")),
            Some(number) => number.checked().map(Some),
            None => Ok(Some(T::CLEARED)),
        }
    }
}

/// For `optional` texts and numbers that are empty where there is nothing: `null` empties them. Absent leaves them as they are.
pub mod emptied_by_null {
    use super::*;

    /// Writes the value, or null.
    pub fn serialize<T: Serialize, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads a value, or null.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: Default + Value + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Option::<T>::deserialize(deserializer)?.unwrap_or_default().checked().map(Some)
    }
}

/// For `optional` flags that always have a value: `null` is an error.
pub mod present {
    use super::*;

    /// Writes the value, or null.
    pub fn serialize<T: Serialize, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads a value.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        // Read as a value that may be missing: an enum that is null would be taken for broken JSON.
        Option::deserialize(deserializer)?.map(Some).ok_or_else(|| de::Error::custom("there is always a value"))
    }
}

/// The same for enums.
pub mod present_enum {
    use super::*;

    pub use super::optional_enum::serialize;

    /// Reads the name.
    pub fn deserialize<'de, E, D>(deserializer: D) -> Result<Option<i32>, D::Error>
    where
        E: Into<i32> + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(present::deserialize::<E, D>(deserializer)?.map(Into::into))
    }
}

/// What JSON may say for a field.
pub trait Value: Sized {
    /// Refuses what JavaScript would round.
    fn checked<E: de::Error>(self) -> Result<Self, E> {
        Ok(self)
    }
}

impl Value for String {}
impl Value for u32 {}
impl Value for f64 {}

impl Value for i64 {
    fn checked<E: de::Error>(self) -> Result<Self, E> {
        safe(self)
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
