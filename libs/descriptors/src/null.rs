//! What `null` says of a field in a body.

use prost_reflect::{FieldDescriptor, Kind};

use crate::{
    PACKAGE,
    fields::{is, is_optional, is_timestamp},
    rules::Rules,
};

/// What `null` says of a field in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// The same as when the field is not there.
    Absent,
    /// The value is the empty one of its type from now on: no text, no days, nothing due.
    Empties,
    /// There is no value from now on, which is not the same as 0.
    Clears,
    /// Nothing: there is always a value, and a body that takes it away is refused.
    Refused,
}

impl Null {
    /// What it says of a field. Something is taken away by inputs that change a row, and by their `optional` fields alone: of
    /// other requests it means nothing. What is never read back stays as well: who writes back all that they know of something
    /// does not know it.
    pub fn of(field: &FieldDescriptor) -> Self {
        let input = field.parent_message();
        let Some(resource) = input.name().strip_suffix("Input").filter(|_| is_optional(field)) else {
            return Self::Absent;
        };
        let has = |name: &str| input.get_field_by_name(name).is_some();
        let is_any = |options: &[&str]| options.iter().any(|option| is(field, option));
        if !has("row_version") || is_any(&["internal", "json_object", "input_only", "secret"]) {
            return Self::Absent;
        }
        let resource = field.parent_pool().get_message_by_name(&format!("{PACKAGE}.{resource}"));
        let of_resource = resource.and_then(|resource| resource.get_field_by_name(field.name()));
        let may_be_absent = of_resource.is_some_and(|field| is_optional(&field));
        let rules = Rules::of(field);
        let is_more = |kind| rules.number(kind, "gte").is_some_and(|least| least > 0);
        match field.kind() {
            Kind::String if rules.is_required() => Self::Refused,
            Kind::String => Self::Empties,
            Kind::Uint32 | Kind::Int64 | Kind::Double if may_be_absent => Self::Clears,
            // Settings, of which there is one for each tenant, always have a value.
            Kind::Uint32 | Kind::Int64 if !has("id") || is_more("uint32") || is_more("int64") => Self::Refused,
            Kind::Uint32 | Kind::Int64 | Kind::Double => Self::Empties,
            Kind::Bool | Kind::Enum(_) => Self::Refused,
            Kind::Message(_) if is_timestamp(field) && !may_be_absent => Self::Refused,
            other => panic!("{}: nobody has said how {other:?} is taken away", field.full_name()),
        }
    }
}
