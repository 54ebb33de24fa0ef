//! The rules of `buf.validate`.

use prost_reflect::{DynamicMessage, FieldDescriptor, Value};

use crate::fields::extension;

/// What protovalidate's rules say of a field.
pub struct Rules(Option<DynamicMessage>);

impl Rules {
    /// The rules that stand on it, if there are any.
    pub fn of(field: &FieldDescriptor) -> Self {
        let option = extension(field.parent_pool(), "buf.validate.field");
        let options = field.options();
        let rules = options.has_extension(&option).then(|| options.get_extension(&option).into_owned());
        Self(rules.and_then(|rules| rules.as_message().cloned()))
    }

    /// Whether the field must be there; an optional one of what can be changed too, when it is made.
    pub fn is_required(&self) -> bool {
        let value = self.0.as_ref().and_then(|rules| rules.get_field_by_name("required")?.as_bool());
        value == Some(true)
    }

    /// Whether they stand on a text, or ask for the field.
    pub fn has_text(&self) -> bool {
        self.is_required() || self.0.as_ref().is_some_and(|rules| rules.has_field_by_name("string"))
    }

    /// Whether they are asked only of what is not zero.
    pub fn ignores_zero(&self) -> bool {
        let ignore = self.0.as_ref().and_then(|rules| rules.get_field_by_name("ignore")?.as_enum_number());
        ignore == Some(1)
    }

    /// Whether a text must be an email address.
    pub fn is_email(&self) -> bool {
        self.value("string", "email").and_then(|value| value.as_bool()) == Some(true)
    }

    /// The regular expression that a text must match.
    pub fn pattern(&self) -> Option<String> {
        self.value("string", "pattern")?.as_str().map(str::to_owned)
    }

    /// A number, e.g. of `uint32` the `lte`, if it is set.
    pub fn number(&self, kind: &str, name: &str) -> Option<i64> {
        let value = self.value(kind, name)?;
        let unsigned = value.as_u32().map(u64::from).or(value.as_u64());
        unsigned.and_then(|number| i64::try_from(number).ok()).or(value.as_i64())
    }

    /// What the `double` rules say of one end.
    pub fn decimal(&self, name: &str) -> Option<f64> {
        self.value("double", name)?.as_f64()
    }

    fn value(&self, kind: &str, name: &str) -> Option<Value> {
        let rules = self.0.as_ref().filter(|rules| rules.has_field_by_name(kind))?;
        let of_kind = rules.get_field_by_name(kind)?.into_owned();
        let of_kind = of_kind.as_message()?;
        of_kind.has_field_by_name(name).then(|| of_kind.get_field_by_name(name).map(|value| value.into_owned()))?
    }
}
