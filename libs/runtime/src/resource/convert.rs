//! Which types of columns and of a message's fields go together.

use armada_proto::{Choice, Timestamp, json::Clearable as _};

/// A column as a field of a message.
pub trait IntoField<T> {
    /// The field.
    fn into_field(self) -> T;
}

/// A column that takes over a field of an input, if it is present.
pub trait TakeOver<T> {
    /// Takes it over.
    fn take_over(&mut self, field: T);
}

macro_rules! same {
    ($($type:ty)*) => {$(
        impl IntoField<$type> for $type {
            fn into_field(self) -> $type {
                self
            }
        }

        taken_over!($type);
    )*};
}

macro_rules! taken_over {
    ($type:ty) => {
        impl TakeOver<Option<$type>> for $type {
            fn take_over(&mut self, field: Option<$type>) {
                if let Some(value) = field {
                    *self = value;
                }
            }
        }
    };
}

same!(bool i64 f64);
taken_over!(String);

impl IntoField<Option<f64>> for Option<f64> {
    fn into_field(self) -> Option<f64> {
        self
    }
}

/// What is absent keeps what is there; [`CLEARED`](armada_proto::json::Clearable::CLEARED) takes it away.
impl TakeOver<Option<f64>> for Option<f64> {
    fn take_over(&mut self, field: Option<f64>) {
        if let Some(value) = field {
            *self = Some(value).filter(|value| !value.is_cleared());
        }
    }
}

/// Numbers that are never negative, in columns that could be.
macro_rules! counts {
    ($($column:ty)*) => {$(
        impl IntoField<u32> for $column {
            fn into_field(self) -> u32 {
                u32::try_from(self).unwrap_or_default()
            }
        }

        impl TakeOver<Option<u32>> for $column {
            fn take_over(&mut self, field: Option<u32>) {
                if let Some(value) = field {
                    *self = Self::try_from(value).unwrap_or(Self::MAX);
                }
            }
        }
    )*};
}

counts!(i32 i64);

/// Such numbers that need not be there.
impl IntoField<Option<u32>> for Option<i32> {
    fn into_field(self) -> Option<u32> {
        self.and_then(|value| u32::try_from(value).ok())
    }
}

/// As above.
impl TakeOver<Option<u32>> for Option<i32> {
    fn take_over(&mut self, field: Option<u32>) {
        if let Some(value) = field {
            let value = Some(value).filter(|value| !value.is_cleared());
            *self = value.map(|value| i32::try_from(value).unwrap_or(i32::MAX));
        }
    }
}

/// Texts and ids.
impl<T: Into<String>> IntoField<String> for T {
    fn into_field(self) -> String {
        self.into()
    }
}

impl<T: Into<String>> IntoField<Option<String>> for Option<T> {
    fn into_field(self) -> Option<String> {
        self.map(Into::into)
    }
}

impl IntoField<Option<Timestamp>> for i64 {
    fn into_field(self) -> Option<Timestamp> {
        Some(Timestamp::from_millis(self))
    }
}

impl IntoField<Option<Timestamp>> for Option<i64> {
    fn into_field(self) -> Option<Timestamp> {
        self.map(Timestamp::from_millis)
    }
}

impl<C: Choice> IntoField<i32> for C {
    fn into_field(self) -> i32 {
        self.into()
    }
}

/// `unspecified` keeps what is there.
impl<C: Choice> TakeOver<Option<i32>> for C {
    fn take_over(&mut self, field: Option<i32>) {
        if let Some(value) = field.and_then(C::specified) {
            *self = value;
        }
    }
}
