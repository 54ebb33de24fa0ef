//! Generates the Rust side of the contract. protox compiles the `.proto` files, so that no `protoc` is needed.

use prost_types::{
    DescriptorProto, FieldDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

const PACKAGE: &str = "armada.v1";
const TIMESTAMP: &str = "crate::Timestamp";
const FILES: [&str; 5] = ["common", "fleet", "identity", "live", "position"];

fn main() {
    println!("cargo:rerun-if-changed=armada");
    let files = FILES.map(|name| format!("armada/v1/{name}.proto"));
    let descriptors = protox::compile(files, ["."]).expect("the protos compile");

    let mut codegen = tonic_prost_build::configure()
        .message_attribute(".", "#[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)] #[serde(default)]")
        .enum_attribute(
            ".",
            "#[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)] #[serde(rename_all = \"snake_case\")]",
        )
        .extern_path(".google.protobuf.Timestamp", TIMESTAMP)
        .bytes(".armada.v1.TrackChunk");
    let mut debugs = String::new();
    for file in descriptors.file.iter().filter(|file| file.package() == PACKAGE) {
        for message in &file.message_type {
            let path = format!(".{PACKAGE}.{}", message.name());
            for field in &message.field {
                for attribute in field_attributes(message, field) {
                    codegen = codegen.field_attribute(format!("{path}.{}", field.name()), attribute);
                }
            }
            if message.field.iter().any(is_secret) {
                codegen = codegen.skip_debug([path]);
                debugs.push_str(&redacting_debug(message));
            }
        }
    }
    codegen.compile_fds(descriptors).expect("the code is generated");
    let folder = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{folder}/redacting_debug.rs"), debugs).expect("the folder is writable");
}

/// How a field looks in JSON and in the OpenAPI document: the name of the proto unless `json_name` says otherwise,
/// enums by name, absent optionals left out.
fn field_attributes(message: &DescriptorProto, field: &FieldDescriptorProto) -> Vec<String> {
    let mut attributes = Vec::new();
    if field.json_name() != lower_camel(field.name()) {
        attributes.push(format!("#[serde(rename = \"{}\")]", field.json_name()));
    }
    if field.r#type() == Type::Bytes || is_from_the_edge(message, field) {
        attributes.push("#[serde(skip)]".to_owned());
        return attributes;
    }
    let optional = field.proto3_optional();
    let mut schema = Vec::new();
    if field.r#type() == Type::Enum {
        let name = type_name(field);
        let with = if optional { "optional_enum" } else { "plain_enum" };
        attributes.push(format!(
            "#[serde(serialize_with = \"crate::json::{with}::serialize::<{name}, _>\", \
             deserialize_with = \"crate::json::{with}::deserialize::<{name}, _>\")]"
        ));
        schema.push(format!("value_type = {}", if optional { format!("Option<{name}>") } else { name }));
    }
    if is_json_object(message, field) {
        attributes.push(
            "#[serde(serialize_with = \"crate::json::object::serialize\", \
             deserialize_with = \"crate::json::object::deserialize\")]"
                .to_owned(),
        );
    }
    let singular_message = field.r#type() == Type::Message && field.label() != Label::Repeated;
    if optional || singular_message {
        attributes.push("#[serde(skip_serializing_if = \"Option::is_none\")]".to_owned());
    }
    if is_answer(message) {
        if optional || singular_message {
            schema = match type_name(field).as_str() {
                _ if is_json_object(message, field) => vec!["value_type = Object".to_owned()],
                TIMESTAMP => vec!["value_type = String, format = DateTime".to_owned()],
                name => vec![format!("value_type = {name}")],
            };
        }
        schema.push(format!("required = {}", !optional));
    }
    if !schema.is_empty() {
        attributes.push(format!("#[schema({})]", schema.join(", ")));
    }
    attributes
}

/// What is only ever written by us: every field is there, but for those that are `optional`, and none is null.
fn is_answer(message: &DescriptorProto) -> bool {
    !message.name().ends_with("Input") && !message.name().ends_with("Request")
}

/// Text that is a JSON object already, and stands in JSON as what it is.
fn is_json_object(message: &DescriptorProto, field: &FieldDescriptorProto) -> bool {
    is_answer(message)
        && field.name() == "attrs"
        && field.label() != Label::Repeated
        && message.name() != "PositionReport"
}

/// The id and the version of what is changed come from the path and from `If-Match`, never from the body.
fn is_from_the_edge(message: &DescriptorProto, field: &FieldDescriptorProto) -> bool {
    message.name().ends_with("Input") && matches!(field.name(), "id" | "row_version")
}

/// What must not stand in a log.
fn is_secret(field: &FieldDescriptorProto) -> bool {
    field.r#type() == Type::String
        && ["password", "secret", "token", "ticket"].iter().any(|word| field.name().contains(word))
}

/// `Debug` that shows everything but the secrets.
fn redacting_debug(message: &DescriptorProto) -> String {
    let name = message.name();
    let fields = message.field.iter().map(|field| match is_secret(field) {
        true => format!(".field(\"{0}\", &\"***\")", field.name()),
        false => format!(".field(\"{0}\", &self.{0})", field.name()),
    });
    format!(
        "impl std::fmt::Debug for {name} {{ fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{ \
         f.debug_struct(\"{name}\"){}.finish() }} }}\n",
        fields.collect::<String>()
    )
}

/// The Rust type of a field's value.
fn type_name(field: &FieldDescriptorProto) -> String {
    let name = match field.r#type() {
        Type::Enum | Type::Message => match field.type_name() {
            ".google.protobuf.Timestamp" => TIMESTAMP,
            other => other.rsplit('.').next().expect("a type has a name"),
        },
        Type::String => "String",
        Type::Bool => "bool",
        Type::Double => "f64",
        Type::Int32 => "i32",
        Type::Uint32 => "u32",
        other => panic!("{}: {other:?} has no form in JSON", field.name()),
    };
    name.to_owned()
}

/// The JSON name that protobuf derives from a field's name.
fn lower_camel(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                out.extend(c.to_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}
