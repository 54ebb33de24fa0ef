//! Messages and enums as schemas of the OpenAPI document (JSON Schema 2020-12).

use armada_descriptors::{Null, Rules, choices, comment, decides, is, is_optional, is_timestamp, json_name, sortable};
use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

/// `Number.MAX_SAFE_INTEGER`.
const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// The schemas that were asked for, with all that they refer to.
#[derive(Default)]
pub struct Schemas(pub Map<String, Value>);

impl Schemas {
    /// A reference to a message, whose schema is added unless it is there.
    pub fn message(&mut self, message: &MessageDescriptor) -> Value {
        if !self.0.contains_key(message.name()) {
            // Before its fields, which may refer to it.
            self.0.insert(message.name().to_owned(), Value::Null);
            let schema = self.object(message);
            self.0.insert(message.name().to_owned(), schema);
        }
        reference(message.name())
    }

    fn object(&mut self, message: &MessageDescriptor) -> Value {
        let is_answer = is_answer(message);
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in message.fields().filter(|field| !is(field, "internal")) {
            let must_be_there = match is_answer {
                true => !is(&field, "input_only"),
                false => Rules::of(&field).is_required(),
            };
            if must_be_there && !is_optional(&field) && !is(&field, "absent_when_empty") {
                required.push(json_name(&field));
            }
            properties.insert(json_name(&field), self.property(&field, is_answer));
        }
        let mut object = json!({ "type": "object" });
        if let Some(text) = comment(&message.parent_file(), message.path()) {
            object["description"] = text.into();
        }
        if !required.is_empty() {
            object["required"] = required.into();
        }
        object["properties"] = properties.into();
        object
    }

    fn property(&mut self, field: &FieldDescriptor, is_answer: bool) -> Value {
        let mut schema = self.value(field);
        if !is_answer && is_optional(field) && Null::of(field) != Null::Refused {
            schema = or_null(schema);
        }
        if let Some(text) = comment(&field.parent_message().parent_file(), field.path()) {
            schema["description"] = text.into();
        }
        for (option, keyword) in [("output_only", "readOnly"), ("input_only", "writeOnly")] {
            if is(field, option) {
                schema[keyword] = true.into();
            }
        }
        if let Some(what) = decides(field) {
            schema["x-decides"] = what.into();
        }
        schema
    }

    /// The schema of a field's value, without what is said of the field itself.
    pub fn value(&mut self, field: &FieldDescriptor) -> Value {
        if let (true, Kind::Message(entry)) = (field.is_map(), field.kind()) {
            return json!({ "type": "object", "additionalProperties": self.value(&entry.map_entry_value_field()) });
        }
        let item = match field.kind() {
            _ if is(field, "json_object") => json!({ "type": "object" }),
            _ if is_timestamp(field) => json!({ "type": "string", "format": "date-time" }),
            Kind::Message(message) => self.message(&message),
            Kind::Enum(names) => self.names(&names),
            Kind::String => text(field),
            Kind::Bool => json!({ "type": "boolean" }),
            Kind::Double => decimal(field),
            Kind::Float => json!({ "type": "number", "format": "float" }),
            Kind::Int32 => json!({ "type": "integer", "format": "int32" }),
            Kind::Uint32 => number(field),
            Kind::Int64 => self.safe_integer(field),
            other => panic!("{}: {other:?} has no form in JSON", field.full_name()),
        };
        if !field.is_list() {
            return item;
        }
        let mut list = json!({ "type": "array", "items": item });
        if let Some(max) = Rules::of(field).number("repeated", "max_items") {
            list["maxItems"] = max.into();
        }
        list
    }

    fn names(&mut self, names: &EnumDescriptor) -> Value {
        if !self.0.contains_key(names.name()) {
            let mut schema = json!({ "type": "string" });
            if let Some(text) = comment(&names.parent_file(), names.path()) {
                schema["description"] = text.into();
            }
            schema["enum"] = choices(names).into();
            self.0.insert(names.name().to_owned(), schema);
        }
        reference(names.name())
    }

    fn safe_integer(&mut self, field: &FieldDescriptor) -> Value {
        let rules = Rules::of(field);
        if let (Some(least), Some(most)) = (rules.number("int64", "gte"), rules.number("int64", "lte")) {
            return json!({ "type": "integer", "minimum": least, "maximum": most });
        }
        let bounded = json!({ "type": "integer", "maximum": MAX_SAFE_INTEGER, "minimum": -MAX_SAFE_INTEGER });
        self.0.insert("SafeInteger".to_owned(), bounded);
        reference("SafeInteger")
    }
}

fn text(field: &FieldDescriptor) -> Value {
    let rules = Rules::of(field);
    let mut schema = json!({ "type": "string" });
    if rules.is_email() {
        schema["format"] = "email".into();
    } else if is(field, "date") {
        schema["format"] = "date".into();
    }
    let sortable = sortable(field);
    if !sortable.is_empty() {
        // The client is made of it: which columns of a list can be sorted.
        let names: Vec<_> = sortable.iter().map(|name| name.trim_start_matches('-')).collect();
        schema["pattern"] = format!("^-?({})$", names.join("|")).into();
        schema["x-sortable"] = names.into();
        schema["default"] = (*sortable[0]).into();
    }
    if let Some(pattern) = rules.pattern() {
        schema["pattern"] = pattern.into();
    }
    for (rule, keyword) in [("min_len", "minLength"), ("max_len", "maxLength")] {
        if let Some(bound) = rules.number("string", rule) {
            schema[keyword] = bound.into();
        }
    }
    schema
}

fn number(field: &FieldDescriptor) -> Value {
    let rules = Rules::of(field);
    let mut schema = json!({ "type": "integer", "format": "int32" });
    if let Some(max) = rules.number("uint32", "lte") {
        schema["maximum"] = max.into();
    }
    schema["minimum"] = rules.number("uint32", "gte").unwrap_or_default().into();
    schema
}

fn decimal(field: &FieldDescriptor) -> Value {
    let rules = Rules::of(field);
    let mut schema = json!({ "type": "number", "format": "double" });
    for (name, rule) in [("minimum", "gte"), ("maximum", "lte")] {
        if let Some(end) = rules.decimal(rule) {
            schema[name] = end.into();
        }
    }
    schema
}

/// What may be null as well: [`Null`] says what that means.
fn or_null(mut schema: Value) -> Value {
    match schema["type"].as_str() {
        Some(kind) => schema["type"] = json!([kind, "null"]),
        None => schema = json!({ "oneOf": [schema, { "type": "null" }] }),
    }
    schema
}

/// What is only ever written by the server: every field is there, but for those that are `optional`, and none is null.
fn is_answer(message: &MessageDescriptor) -> bool {
    !message.name().ends_with("Input") && !message.name().ends_with("Request")
}

pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
