//! Fields and enums: their options, their names in JSON, their comments.

use prost_reflect::{
    DescriptorPool, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor, Kind, Value,
};

use crate::{PACKAGE, rules::Rules};

/// Whether an option of `options.proto` is set on a field.
pub fn is(field: &FieldDescriptor, option: &str) -> bool {
    let option = extension(field.parent_pool(), &format!("{PACKAGE}.{option}"));
    field.options().get_extension(&option).as_bool().unwrap_or_default()
}

/// The name of a field in JSON and in queries: that of the proto, unless the proto says another.
pub fn json_name(field: &FieldDescriptor) -> String {
    match text(field.parent_pool(), "name_in_json", |option| field.options().get_extension(option).into_owned()) {
        Some(name) => name,
        None => field.name().to_owned(),
    }
}

/// An option of the contract.
pub fn extension(pool: &DescriptorPool, name: &str) -> ExtensionDescriptor {
    pool.get_extension_by_name(name).unwrap_or_else(|| panic!("no option {name}"))
}

pub(crate) fn text(pool: &DescriptorPool, name: &str, read: impl Fn(&ExtensionDescriptor) -> Value) -> Option<String> {
    let value = read(&extension(pool, &format!("{PACKAGE}.{name}")));
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// `is_online` of `isOnline` and of `IsOnline`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// The names of an enum's values in JSON, in the order of their numbers.
pub fn choices(names: &EnumDescriptor) -> Vec<String> {
    let prefix = format!("{}_", snake(names.name()).to_uppercase());
    let mut values: Vec<_> = names.values().collect();
    values.sort_by_key(|value| value.number());
    values.iter().map(|value| value.name().strip_prefix(&prefix).unwrap_or(value.name()).to_lowercase()).collect()
}

/// Whether an absent field differs from an empty one.
pub fn is_optional(field: &FieldDescriptor) -> bool {
    field.field_descriptor_proto().proto3_optional()
}

/// Whether its value is an instant.
pub fn is_timestamp(field: &FieldDescriptor) -> bool {
    matches!(field.kind(), Kind::Message(message) if message.full_name() == "google.protobuf.Timestamp")
}

/// What a list can be sorted by, as its field `sort` says. Another field says nothing of it.
pub fn sortable(field: &FieldDescriptor) -> Vec<String> {
    let option = extension(field.parent_pool(), "armada.v1.sortable");
    let value = field.options().get_extension(&option).into_owned();
    let names = value.as_list().into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

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

/// The comment above a declaration, its lines joined as they stand.
pub fn comment(file: &FileDescriptor, path: &[i32]) -> Option<String> {
    let info = file.file_descriptor_proto().source_code_info.as_ref()?;
    let place = info.location.iter().find(|location| location.path == path)?;
    let lines: Vec<_> = place.leading_comments().trim().lines().map(str::trim).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
