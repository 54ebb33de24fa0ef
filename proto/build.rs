//! Generates the Rust side of the contract. protox compiles the `.proto` files, so that no `protoc` is needed.

#[path = "build/access.rs"]
mod access;

use protox::prost_reflect::{DescriptorPool, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor};

const PACKAGE: &str = "armada.v1";
const TIMESTAMP: &str = "crate::Timestamp";
const FILES: [&str; 13] = [
    "account",
    "audit",
    "common",
    "fleet",
    "imei",
    "live",
    "options",
    "position",
    "registration",
    "roles",
    "sessions",
    "tenants",
    "users",
];

fn main() {
    println!("cargo:rerun-if-changed=armada");
    println!("cargo:rerun-if-changed=build");
    let files = FILES.map(|name| format!("armada/v1/{name}.proto"));
    let mut compiler = protox::Compiler::new(["."]).expect("the folder is there");
    compiler.include_imports(true).include_source_info(true).open_files(files).expect("the protos compile");
    let options = Options::of(&compiler.descriptor_pool());

    let json = "#[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)]";
    let mut codegen = tonic_prost_build::configure()
        .enum_attribute(".", format!("{json} #[serde(rename_all = \"snake_case\")]"))
        .extern_path(".google.protobuf.Timestamp", TIMESTAMP)
        .bytes(".armada.v1.TrackChunk");
    let (mut debugs, mut secrets) = (String::new(), String::new());
    for message in options.pool.all_messages().filter(|message| message.package_name() == PACKAGE) {
        let path = format!(".{}", message.full_name());
        if options.has_json(&message) {
            codegen = codegen.message_attribute(&path, format!("{json} #[serde(default)]"));
            for field in message.fields() {
                for attribute in options.attributes(&message, &field) {
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
    write("access.rs", access::table(&options.pool, PACKAGE).as_bytes());
    write("redacting_debug.rs", debugs.as_bytes());
    write("secrets.rs", format!("[{secrets}]").as_bytes());
    write("descriptors.bin", &compiler.encode_file_descriptor_set());
}

fn write(name: &str, content: &[u8]) {
    let folder = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{folder}/{name}"), content).expect("the folder is writable");
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
        }
    }

    fn is(&self, option: &ExtensionDescriptor, field: &FieldDescriptor) -> bool {
        field.options().get_extension(option).as_bool().unwrap_or_default()
    }

    fn is_secret(&self, field: &FieldDescriptor) -> bool {
        self.is(&self.secret, field)
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

    /// How a field looks in JSON and in the OpenAPI document: the name of the proto unless `json_name` says otherwise,
    /// enums by name, absent optionals left out.
    fn attributes(&self, message: &MessageDescriptor, field: &FieldDescriptor) -> Vec<String> {
        if self.is(&self.internal, field) {
            return vec!["#[serde(skip)]".to_owned()];
        }
        let mut serde = Vec::new();
        let json_name = field.field_descriptor_proto().json_name();
        if json_name != lower_camel(field.name()) {
            serde.push(format!("rename = \"{json_name}\""));
        }
        let module = match field.kind() {
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
        }
        let schema = self.schema(message, field);
        let parts = [("serde", serde), ("schema", schema)].into_iter().filter(|(_, parts)| !parts.is_empty());
        parts.map(|(name, parts)| format!("#[{name}({})]", parts.join(", "))).collect()
    }

    fn schema(&self, message: &MessageDescriptor, field: &FieldDescriptor) -> Vec<String> {
        let mut schema = Vec::new();
        let name = type_name(field);
        match field.kind() {
            _ if self.is(&self.json_object, field) => schema.push("value_type = Object".to_owned()),
            Kind::Enum(_) if field.is_list() => schema.push(format!("value_type = Vec<{name}>")),
            Kind::Enum(_) if is_optional(field) && !is_answer(message) => {
                schema.push(format!("value_type = Option<{name}>"));
            }
            Kind::Enum(_) => schema.push(format!("value_type = {name}")),
            Kind::Int64 if is_optional(field) && !is_answer(message) => {
                schema.push("value_type = Option<crate::json::SafeInteger>".to_owned());
            }
            Kind::Int64 => schema.push("value_type = crate::json::SafeInteger".to_owned()),
            _ if !is_nullable(field) || !is_answer(message) => {}
            _ if name == TIMESTAMP => schema.push("value_type = String, format = DateTime".to_owned()),
            _ => schema.push(format!("value_type = {name}")),
        }
        if is_answer(message) {
            schema.push(format!("required = {}", !is_optional(field) && !self.is(&self.input_only, field)));
        }
        if self.is(&self.input_only, field) {
            schema.push("write_only".to_owned());
        }
        if self.is(&self.output_only, field) {
            schema.push("read_only".to_owned());
        }
        schema
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

/// What is only ever written by us: every field is there, but for those that are `optional`, and none is null.
fn is_answer(message: &MessageDescriptor) -> bool {
    !message.name().ends_with("Input") && !message.name().ends_with("Request")
}

fn is_timestamp(message: &MessageDescriptor) -> bool {
    message.full_name() == "google.protobuf.Timestamp"
}

fn is_optional(field: &FieldDescriptor) -> bool {
    field.field_descriptor_proto().proto3_optional()
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
