//! What the `.proto` files say of the operations of the REST API.

use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor, Kind,
    MessageDescriptor, MethodDescriptor, ServiceDescriptor, Value,
};

pub const PACKAGE: &str = "armada.v1";

/// The contract, with the operations in the order of the files.
pub struct Contract {
    pub pool: DescriptorPool,
    pub operations: Vec<Operation>,
}

/// A method with its place in REST.
pub struct Operation {
    pub method: MethodDescriptor,
    /// `get`, `put`, `post` or `delete`.
    pub verb: &'static str,
    /// With `{field}` for fields of the request.
    pub path: String,
    pub has_body: bool,
    /// Whether anybody may call it, with or without a token.
    pub is_public: bool,
    /// Whether the edge has a handler of its own for it.
    pub is_custom: bool,
    /// `operationId`.
    pub id: String,
    pub tag: String,
}

/// Who serves a service of the contract.
pub enum ServedBy {
    One(String),
    /// Each of them for its own; requests name one.
    Each(Vec<String>),
}

/// What an operation answers.
#[derive(PartialEq, Eq)]
pub enum Reply {
    /// 204.
    Nothing,
    /// A row with its version as `ETag`: 201 when it was made.
    Row { is_new: bool },
    /// 202: a job that was started.
    Job,
    /// 200.
    Message,
    /// A list as a file, streamed.
    File,
    /// What a handler of its own makes of it.
    Custom,
}

impl Contract {
    pub fn read(descriptors: &[u8]) -> Self {
        let pool = DescriptorPool::decode(descriptors).expect("descriptors that protox wrote");
        let ours = pool.services().filter(|service| service.package_name() == PACKAGE);
        let operations = ours.flat_map(|service| {
            let methods: Vec<_> = service.methods().collect();
            methods.into_iter().filter_map(|method| Operation::of(&pool, method))
        });
        Self { operations: operations.collect(), pool: pool.clone() }
    }

    /// The services that have an operation, with who serves each.
    pub fn services(&self) -> Vec<(ServiceDescriptor, ServedBy)> {
        let mut services = Vec::new();
        for operation in &self.operations {
            let service = operation.method.parent_service();
            if !services.iter().any(|(other, _)| other == service) {
                services.push((service.clone(), ServedBy::of(&self.pool, service)));
            }
        }
        services
    }
}

impl ServedBy {
    fn of(pool: &DescriptorPool, service: &ServiceDescriptor) -> Self {
        let options = service.options();
        let one = text(pool, "served_by", |option| options.get_extension(option).into_owned());
        let each = options.get_extension(&extension(pool, &format!("{PACKAGE}.served_by_each"))).into_owned();
        let each = each.as_list().unwrap_or_default().iter();
        let each: Vec<_> = each.filter_map(|name| name.as_str().map(str::to_owned)).collect();
        match (one, each.is_empty()) {
            (Some(name), true) => Self::One(name),
            (None, false) => Self::Each(each),
            _ => panic!("{} says either `served_by` or `served_by_each`", service.full_name()),
        }
    }
}

impl Operation {
    fn of(pool: &DescriptorPool, method: MethodDescriptor) -> Option<Self> {
        let rule = extension(pool, "google.api.http");
        let options = method.options();
        if !options.has_extension(&rule) {
            return None;
        }
        let value = options.get_extension(&rule).into_owned();
        let rule: &DynamicMessage = value.as_message().expect("HttpRule is a message");
        let field = |name: &str| rule.get_field_by_name(name).and_then(|value| value.as_str().map(str::to_owned));
        let (verb, path) = ["get", "put", "post", "delete"]
            .into_iter()
            .find_map(|verb| field(verb).filter(|path| !path.is_empty()).map(|path| (verb, path)))
            .unwrap_or_else(|| panic!("{} has no path", method.full_name()));
        let has_body = field("body").is_some_and(|body| body == "*");
        let service = method.parent_service().clone();
        let of_method = |name: &str| text(pool, name, |option| options.get_extension(option).into_owned());
        let access = options.get_extension(&extension(pool, "armada.v1.access")).as_enum_number();
        let is_custom = options.get_extension(&extension(pool, "armada.v1.custom_handler")).as_bool();
        let tag = text(pool, "tag", |option| service.options().get_extension(option).into_owned());
        let new = Self {
            verb,
            path,
            has_body,
            is_public: access == Some(1),
            is_custom: is_custom == Some(true),
            id: of_method("operation_id").unwrap_or_else(|| usual_id(method.name(), service.name())),
            tag: tag.unwrap_or_else(|| snake(service.name())),
            method,
        };
        for name in new.path_fields() {
            assert!(
                new.request().get_field_by_name(name).is_some(),
                "{}: {} has no {name}",
                new.id,
                new.request().name()
            );
        }
        Some(new)
    }

    pub fn request(&self) -> MessageDescriptor {
        self.method.input()
    }

    pub fn answer(&self) -> MessageDescriptor {
        self.method.output()
    }

    /// The names of the fields that are in the path, in their order.
    pub fn path_fields(&self) -> Vec<&str> {
        self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
    }

    /// The optional fields that must be there all the same, since something is made of them.
    pub fn required_to_create(&self) -> Vec<String> {
        let creates = self.verb == "post" && self.path_fields().is_empty();
        let request = self.request();
        let fields = request.fields().filter(|field| creates && is_optional(field) && !is(field, "internal"));
        fields.filter(|field| Rules::of(field).is_required()).map(|field| json_name(&field)).collect()
    }

    /// The fields that are in the query. What is no list has no pages and no order, although it is asked as a list is.
    pub fn query_fields(&self) -> Vec<FieldDescriptor> {
        let in_path = self.path_fields();
        let not_here: &[&str] = match self.reply() {
            Reply::File => &["page", "page_size"],
            _ if self.answer().get_field_by_name("items").is_none() => &["page", "page_size", "sort"],
            _ => &[],
        };
        let asked = |field: &FieldDescriptor| {
            !self.has_body && !is(field, "internal") && ![&in_path[..], not_here].concat().contains(&field.name())
        };
        self.request().fields().filter(asked).collect()
    }

    /// Whether `If-Match` is looked at: of what is there already, by the path or because there is one of it.
    pub fn takes_version(&self) -> bool {
        let is_there = !self.path_fields().is_empty() || self.verb == "put";
        is_there && self.request().get_field_by_name("row_version").is_some()
    }

    pub fn reply(&self) -> Reply {
        let is_row = self.answer().get_field_by_name("row_version").is_some();
        match self.answer().name() {
            _ if self.method.is_server_streaming() && self.method.name() == "Export" => Reply::File,
            "Empty" => Reply::Nothing,
            _ if self.is_custom => Reply::Custom,
            "Job" if self.verb == "post" && self.path_fields().is_empty() => Reply::Job,
            _ if is_row => Reply::Row { is_new: self.verb == "post" && self.path_fields().is_empty() },
            _ => Reply::Message,
        }
    }

    /// What the edge does before the request goes on, if it fills in something of it, or of the `filter` in it: a
    /// statement, in which `place` is where the whole request can be changed.
    pub fn filling(&self, place: &str) -> Option<String> {
        let fills = |message: &MessageDescriptor| message.fields().any(|field| is(&field, "filled_by_edge"));
        let call = |message: &MessageDescriptor, request: &str| {
            format!("filled::{}(&clients, &caller, {request}).await?;", snake(message.name()))
        };
        let request = self.request();
        let filter = request.get_field_by_name("filter").map(|field| field.kind());
        match filter {
            _ if fills(&request) => Some(call(&request, place)),
            Some(Kind::Message(filter)) if fills(&filter) => {
                Some(format!("if let Some(filter) = &mut request.filter {{ {} }}", call(&filter, "filter")))
            }
            _ => None,
        }
    }

    /// Whether it takes in a file.
    pub fn is_import(&self) -> bool {
        self.method.name() == "Import"
    }

    /// Whether the answer holds what nobody else may learn: the length of a compressed answer would tell of it.
    pub fn answers_secret(&self) -> bool {
        holds_secret(&self.answer())
    }
}

/// Whether a message, or one in it, has a secret that is told. No message holds itself.
fn holds_secret(message: &MessageDescriptor) -> bool {
    message.fields().filter(|field| !is(field, "internal")).any(|field| match field.kind() {
        Kind::Message(other) if !is_timestamp(&field) => holds_secret(&other),
        _ => is(&field, "secret"),
    })
}

/// `list_devices`, `get_device`.
fn usual_id(method: &str, service: &str) -> String {
    let service = snake(service);
    let noun = match method {
        "List" | "Export" => service.as_str(),
        _ => service.strip_suffix('s').unwrap_or(&service),
    };
    format!("{}_{noun}", snake(method))
}

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

/// What protovalidate's rules say of a field.
pub struct Rules(Option<DynamicMessage>);

impl Rules {
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

/// An option of the contract.
pub fn extension(pool: &DescriptorPool, name: &str) -> ExtensionDescriptor {
    pool.get_extension_by_name(name).unwrap_or_else(|| panic!("no option {name}"))
}

fn text(pool: &DescriptorPool, name: &str, read: impl Fn(&ExtensionDescriptor) -> Value) -> Option<String> {
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

pub fn is_timestamp(field: &FieldDescriptor) -> bool {
    matches!(field.kind(), Kind::Message(message) if message.full_name() == "google.protobuf.Timestamp")
}

/// The comment above a declaration, its lines joined as they stand.
pub fn comment(file: &FileDescriptor, path: &[i32]) -> Option<String> {
    let info = file.file_descriptor_proto().source_code_info.as_ref()?;
    let place = info.location.iter().find(|location| location.path == path)?;
    let lines: Vec<_> = place.leading_comments().trim().lines().map(str::trim).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
