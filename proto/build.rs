//! Generates the Rust side of the contract. protox compiles the `.proto` files, so that no `protoc` is needed.

use prost_types::{
    FieldDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

const FILES: [&str; 5] = ["common", "fleet", "identity", "live", "position"];

fn main() {
    println!("cargo:rerun-if-changed=armada");
    let files = FILES.map(|name| format!("armada/v1/{name}.proto"));
    let descriptors = protox::compile(files, ["."]).expect("the protos compile");

    let mut codegen = tonic_prost_build::configure()
        .message_attribute(
            ".",
            "#[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)] #[serde(default)]",
        )
        .enum_attribute(
            ".",
            "#[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)] #[serde(rename_all = \"snake_case\")]",
        )
        .extern_path(".google.protobuf.Timestamp", "crate::Timestamp")
        .bytes(".armada.v1.TrackChunk");
    for file in &descriptors.file {
        for message in &file.message_type {
            for field in &message.field {
                for attribute in field_attributes(field) {
                    codegen = codegen.field_attribute(
                        format!(".{}.{}.{}", file.package(), message.name(), field.name()),
                        attribute,
                    );
                }
            }
        }
    }
    codegen.compile_fds(descriptors).expect("the code is generated");
}

/// How a field looks in JSON: the name of the proto unless `json_name` says otherwise, enums by name, absent optionals
/// left out.
fn field_attributes(field: &FieldDescriptorProto) -> Vec<String> {
    let mut attributes = Vec::new();
    if field.json_name() != lower_camel(field.name()) {
        attributes.push(format!("#[serde(rename = \"{}\")]", field.json_name()));
    }
    let optional = field.proto3_optional();
    match field.r#type() {
        Type::Enum => {
            let name = field.type_name().rsplit('.').next().expect("a type has a name");
            let with = if optional { "optional_enum" } else { "plain_enum" };
            let value = if optional { format!("Option<{name}>") } else { name.to_owned() };
            attributes.push(format!(
                "#[serde(serialize_with = \"crate::json::{with}::serialize::<{name}, _>\", \
                 deserialize_with = \"crate::json::{with}::deserialize::<{name}, _>\")] #[schema(value_type = {value})]"
            ));
        }
        Type::Bytes => attributes.push("#[serde(skip)]".to_owned()),
        _ => {}
    }
    let singular_message = field.r#type() == Type::Message && field.label() != Label::Repeated;
    if optional || singular_message {
        attributes.push("#[serde(skip_serializing_if = \"Option::is_none\")]".to_owned());
    }
    attributes
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
