//! Fields and enums: their options, their names in JSON, their comments.

use prost_reflect::{
    DescriptorPool, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor, Kind, Value,
};

use crate::PACKAGE;

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

/// What a field decides beyond the thing that it stands in: `owner`, `sight` or `cost`.
pub fn decides(field: &FieldDescriptor) -> Option<String> {
    let option = extension(field.parent_pool(), "armada.v1.decides");
    let number = field.options().get_extension(&option).as_enum_number().filter(|number| *number != 0)?;
    let Kind::Enum(names) = option.kind() else { return None };
    let name = names.get_value(number)?.name().to_owned();
    Some(name.trim_start_matches("DECIDES_").to_lowercase())
}

/// The comment above a declaration, its lines joined as they stand.
pub fn comment(file: &FileDescriptor, path: &[i32]) -> Option<String> {
    let info = file.file_descriptor_proto().source_code_info.as_ref()?;
    let place = info.location.iter().find(|location| location.path == path)?;
    let lines: Vec<_> = place.leading_comments().trim().lines().map(str::trim).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
