//! Generates the Rust side of the contract. protox compiles the `.proto` files, so that no `protoc` is needed.

#[path = "build/access.rs"]
mod access;
#[path = "build/bulk.rs"]
mod bulk;
#[path = "build/imports.rs"]
mod imports;
#[path = "build/resources.rs"]
mod resources;
#[path = "build/services.rs"]
mod services;
#[path = "build/validation.rs"]
mod validation;

use std::path::Path;

use armada_descriptors::{Null, is_optional};
use heck::{ToSnakeCase, ToUpperCamelCase};
use protox::prost_reflect::{
    DescriptorPool, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor,
};

const PACKAGE: &str = "armada.v1";
const TIMESTAMP: &str = "crate::Timestamp";

fn main() {
    for folder in ["armada", "buf", "google", "build"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    let compiler = armada_descriptors::compile(Path::new("."));
    let options = Options::of(&compiler.descriptor_pool());

    let json = "#[derive(serde::Serialize, serde::Deserialize)]";
    let mut codegen = tonic_prost_build::configure()
        .enum_attribute(".", format!("{json} #[serde(rename_all = \"snake_case\")]"))
        .extern_path(".google.protobuf.Timestamp", TIMESTAMP)
        // So that what is wrong with a row is told in the same order each time.
        .btree_map(".armada.v1.ImportRowError")
        .bytes(".armada.v1.TrackChunk")
        .bytes(".armada.v1.FileContent")
        .bytes(".armada.v1.UploadFileRequest");
    let (mut debugs, mut secrets) = (String::new(), String::new());
    for message in options.pool.all_messages().filter(|message| message.package_name() == PACKAGE) {
        let path = format!(".{}", message.full_name());
        if options.has_json(&message) {
            // A filter that is misspelt must not act on everything.
            let strict = if narrows(message.name()) { ", deny_unknown_fields" } else { "" };
            codegen = codegen.message_attribute(&path, format!("{json} #[serde(default{strict})]"));
            for field in message.fields() {
                if let Some(attribute) = options.attribute(&field) {
                    codegen = codegen.field_attribute(format!("{path}.{}", field.name()), attribute);
                }
            }
        }
        if message.fields().any(|field| options.is_secret(&field)) {
            codegen = codegen.skip_debug([&path]);
            debugs.push_str(&options.redacting_debug(&message));
            secrets.push_str(&options.example_with_secrets(&message));
        }
    }
    codegen.compile_fds(compiler.file_descriptor_set()).expect("the code is generated");
    write_with_native_traits(&format!("{PACKAGE}.rs"));
    write("access.rs", access::table(&options.pool, PACKAGE).as_bytes());
    write("choices.rs", choices(&options.pool).as_bytes());
    write("stored_choices.rs", stored_choices(&options.pool).as_bytes());
    write("resources.rs", resources::implementations(&options.pool, PACKAGE).as_bytes());
    write("validation.rs", validation::implementations(&options, PACKAGE).as_bytes());
    write("bulk.rs", bulk::requests(&options.pool, PACKAGE, |field| options.is_secret(field)).as_bytes());
    write("imports.rs", imports::requests(&options.pool, PACKAGE).as_bytes());
    write("redacting_debug.rs", debugs.as_bytes());
    write("secrets.rs", format!("[{secrets}]").as_bytes());
    let descriptors = write("descriptors.bin", &compiler.encode_file_descriptor_set());
    // For the build scripts of those who depend on this crate.
    println!("cargo:descriptors={descriptors}");
}

/// Whether it says on which of many things something is done.
fn narrows(message: &str) -> bool {
    message.ends_with("Request") && (message.starts_with("List") || message.starts_with("Bulk"))
}

fn write_with_native_traits(name: &str) {
    let generated = std::fs::read_to_string(in_output(name)).expect("tonic has written it");
    write(name, services::with_native_traits(&generated).as_bytes());
}

fn in_output(name: &str) -> String {
    format!("{}/{name}", std::env::var("OUT_DIR").expect("cargo sets it"))
}

/// Writes a file of the output; where it is.
fn write(name: &str, content: &[u8]) -> String {
    let path = in_output(name);
    std::fs::write(&path, content).expect("the folder is writable");
    path
}

/// The options of `options.proto`.
struct Options {
    pool: DescriptorPool,
    input_only: ExtensionDescriptor,
    output_only: ExtensionDescriptor,
    secret: ExtensionDescriptor,
    internal: ExtensionDescriptor,
    json_object: ExtensionDescriptor,
    safe_integer: ExtensionDescriptor,
    name_in_json: ExtensionDescriptor,
    multiline: ExtensionDescriptor,
    date: ExtensionDescriptor,
    violation: ExtensionDescriptor,
    absent_when_empty: ExtensionDescriptor,
}

impl Options {
    fn of(pool: &DescriptorPool) -> Self {
        let option = |name| pool.get_extension_by_name(&format!("{PACKAGE}.{name}")).expect("an option of ours");
        Self {
            pool: pool.clone(),
            input_only: option("input_only"),
            output_only: option("output_only"),
            secret: option("secret"),
            internal: option("internal"),
            json_object: option("json_object"),
            safe_integer: option("safe_integer"),
            name_in_json: option("name_in_json"),
            multiline: option("multiline"),
            date: option("date"),
            violation: option("violation"),
            absent_when_empty: option("absent_when_empty"),
        }
    }

    fn is(&self, option: &ExtensionDescriptor, field: &FieldDescriptor) -> bool {
        field.options().get_extension(option).as_bool().unwrap_or_default()
    }

    fn is_secret(&self, field: &FieldDescriptor) -> bool {
        self.is(&self.secret, field)
    }

    /// The name of a field in JSON: that of the proto, unless the proto says another.
    fn json_name(&self, field: &FieldDescriptor) -> String {
        self.text(&self.name_in_json, field).unwrap_or_else(|| field.name().to_owned())
    }

    /// The code of the error when the field breaks a rule, if the proto gives it one.
    fn violation(&self, field: &FieldDescriptor) -> Option<String> {
        self.text(&self.violation, field)
    }

    fn text(&self, option: &ExtensionDescriptor, field: &FieldDescriptor) -> Option<String> {
        field.options().get_extension(option).as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// Whether a message has a form in JSON. One that holds bytes, or a number of 64 bits, which JavaScript would round
    /// unless it is a safe integer, has none: nothing is derived for it, and whoever wants to send it as JSON hears so from the compiler.
    fn has_json(&self, message: &MessageDescriptor) -> bool {
        message.fields().filter(|field| !self.is(&self.internal, field)).all(|field| match field.kind() {
            Kind::Int64 if self.is(&self.safe_integer, &field) => true,
            Kind::Int64 | Kind::Uint64 | Kind::Sint64 | Kind::Fixed64 | Kind::Sfixed64 | Kind::Bytes => false,
            Kind::Message(other) if is_timestamp(&other) => true,
            Kind::Message(other) => self.has_json(&other),
            _ => true,
        })
    }

    /// How a field looks in JSON: the name of the proto unless `name_in_json` says another, enums by name, absent optionals
    /// left out.
    fn attribute(&self, field: &FieldDescriptor) -> Option<String> {
        if self.is(&self.internal, field) {
            return Some("#[serde(skip)]".to_owned());
        }
        let mut serde = Vec::new();
        if let Some(name) = self.text(&self.name_in_json, field) {
            serde.push(format!("rename = \"{name}\""));
        }
        let module = match field.kind() {
            Kind::Enum(_) if Null::of(field) == Null::Refused => {
                Some(format!("present_enum::{{}}::<{}, _>", type_name(field)))
            }
            _ if Null::of(field) == Null::Refused => Some("present::{}".to_owned()),
            _ if Null::of(field) == Null::Empties => Some("emptied_by_null::{}".to_owned()),
            _ if Null::of(field) == Null::Clears => Some("cleared_by_null::{}".to_owned()),
            Kind::Enum(_) if field.is_list() => Some(format!("repeated_enum::{{}}::<{}, _>", type_name(field))),
            Kind::Enum(_) if is_optional(field) => Some(format!("optional_enum::{{}}::<{}, _>", type_name(field))),
            Kind::Enum(_) => Some(format!("plain_enum::{{}}::<{}, _>", type_name(field))),
            _ if self.is(&self.json_object, field) => Some("object::{}".to_owned()),
            Kind::Int64 if is_optional(field) => Some("optional_safe_integer::{}".to_owned()),
            Kind::Int64 => Some("safe_integer::{}".to_owned()),
            _ => None,
        };
        let with = |act: &str| module.as_ref().map(|module| format!("crate::json::{}", module.replace("{}", act)));
        serde.extend(with("serialize").map(|path| format!("serialize_with = \"{path}\"")));
        if self.is(&self.output_only, field) {
            serde.push("deserialize_with = \"crate::json::ignored\"".to_owned());
        } else {
            serde.extend(with("deserialize").map(|path| format!("deserialize_with = \"{path}\"")));
        }
        if self.is(&self.input_only, field) {
            serde.push("skip_serializing_if = \"crate::json::always\"".to_owned());
        } else if is_nullable(field) {
            serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        } else if self.is(&self.absent_when_empty, field) {
            serde.push("skip_serializing_if = \"Vec::is_empty\"".to_owned());
        }
        (!serde.is_empty()).then(|| format!("#[serde({})]", serde.join(", ")))
    }

    /// `Debug` that shows everything but the secrets.
    fn redacting_debug(&self, message: &MessageDescriptor) -> String {
        let name = message.name();
        let fields = message.fields().map(|field| match self.is_secret(&field) {
            true => format!(".field(\"{0}\", &\"***\")", field.name()),
            false => format!(".field(\"{0}\", &self.{0})", field.name()),
        });
        format!(
            "impl std::fmt::Debug for {name} {{ fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{ \
             f.debug_struct(\"{name}\"){}.finish() }} }}\n",
            fields.collect::<String>()
        )
    }

    /// For a test: the name of a message, its secrets, and the `Debug` of one in which each of them is `canary`.
    fn example_with_secrets(&self, message: &MessageDescriptor) -> String {
        let name = message.name();
        let secrets: Vec<_> = message.fields().filter(|field| self.is_secret(field)).collect();
        let names: Vec<_> = secrets.iter().map(|field| format!("\"{}\"", field.name())).collect();
        let set = secrets.iter().map(|field| match field.is_list() {
            true => format!("{}: vec![\"canary\".to_owned()], ", field.name()),
            false => format!("{}: \"canary\".to_owned().into(), ", field.name()),
        });
        format!(
            "(\"{name}\", vec![{}], format!(\"{{:?}}\", v1::{name} {{ {}..Default::default() }})),\n",
            names.join(", "),
            set.collect::<String>()
        )
    }
}

/// `Choice` for every enum.
fn choices(pool: &DescriptorPool) -> String {
    let mut text = String::new();
    for names in pool.all_enums().filter(|names| names.package_name() == PACKAGE) {
        let prefix = format!("{}_", names.name().to_snake_case().to_uppercase());
        let mut values: Vec<_> = names.values().collect();
        values.sort_by_key(EnumValueDescriptor::number);
        let values = values.iter().map(|value| {
            let name = value.name().strip_prefix(&prefix).expect("values begin with the name of their enum");
            format!("(v1::{}::{}, {:?}), ", names.name(), name.to_upper_camel_case(), name.to_lowercase())
        });
        text += &format!(
            "impl Choice for v1::{} {{\n    const ALL: &'static [(Self, &'static str)] = &[{}];\n}}\n",
            names.name(),
            values.collect::<String>()
        );
    }
    text
}

/// The enums that tables may have.
fn stored_choices(pool: &DescriptorPool) -> String {
    let names = pool.all_enums().filter(|names| names.package_name() == PACKAGE);
    format!("choices!({});", names.map(|names| format!("v1::{} ", names.name())).collect::<String>())
}

fn is_timestamp(message: &MessageDescriptor) -> bool {
    message.full_name() == "google.protobuf.Timestamp"
}

/// Whether the Rust type is an `Option`.
fn is_nullable(field: &FieldDescriptor) -> bool {
    is_optional(field) || matches!(field.kind(), Kind::Message(_)) && !field.is_list() && !field.is_map()
}

/// The Rust type of a field's value.
fn type_name(field: &FieldDescriptor) -> String {
    match field.kind() {
        Kind::Message(message) if is_timestamp(&message) => TIMESTAMP.to_owned(),
        Kind::Message(message) => message.name().to_owned(),
        Kind::Enum(names) => names.name().to_owned(),
        Kind::String => "String".to_owned(),
        Kind::Bool => "bool".to_owned(),
        Kind::Double => "f64".to_owned(),
        Kind::Float => "f32".to_owned(),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "i32".to_owned(),
        Kind::Int64 => "i64".to_owned(),
        Kind::Uint32 | Kind::Fixed32 => "u32".to_owned(),
        other => panic!("{}: {other:?} has no form in JSON", field.full_name()),
    }
}
