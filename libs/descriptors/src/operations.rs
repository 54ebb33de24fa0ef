//! The operations of the REST API: the methods with a `google.api.http` rule.

use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor, ServiceDescriptor,
};

use crate::{
    PACKAGE,
    fields::{extension, is, is_optional, is_timestamp, json_name, snake, text},
    rules::Rules,
};

/// The contract, with the operations in the order of the files.
pub struct Contract {
    /// All messages, enums and options.
    pub pool: DescriptorPool,
    /// The methods that have a place in REST.
    pub operations: Vec<Operation>,
}

/// A method with its place in REST.
pub struct Operation {
    /// As the contract declares it.
    pub method: MethodDescriptor,
    /// `get`, `put`, `post` or `delete`.
    pub verb: &'static str,
    /// With `{field}` for fields of the request.
    pub path: String,
    /// Whether the request is the body; otherwise its fields stand in the query.
    pub has_body: bool,
    /// Whether anybody may call it, with or without a token.
    pub is_public: bool,
    /// Whether the edge has a handler of its own for it.
    pub is_custom: bool,
    /// The permission that it takes, and those that it asks for of some requests.
    pub permissions: Vec<String>,
    /// `operationId`.
    pub id: String,
    /// The subject that the document lists it under.
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
    /// What the descriptors that protox wrote say.
    pub fn read(descriptors: &[u8]) -> Self {
        Self::new(DescriptorPool::decode(descriptors).expect("descriptors that protox wrote"))
    }

    /// The operations of all services in a pool.
    pub fn new(pool: DescriptorPool) -> Self {
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
        let of_some = options.get_extension(&extension(pool, "armada.v1.permission_of_some")).into_owned();
        let of_some = of_some.as_list().into_iter().flatten().filter_map(|key| key.as_str().map(str::to_owned));
        let access = options.get_extension(&extension(pool, "armada.v1.access")).as_enum_number();
        let is_custom = options.get_extension(&extension(pool, "armada.v1.custom_handler")).as_bool();
        let tag = text(pool, "tag", |option| service.options().get_extension(option).into_owned());
        let new = Self {
            verb,
            path,
            has_body,
            is_public: access == Some(1),
            is_custom: is_custom == Some(true),
            permissions: of_method("permission").into_iter().chain(of_some).collect(),
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

    /// What it takes.
    pub fn request(&self) -> MessageDescriptor {
        self.method.input()
    }

    /// What it gives.
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
            Reply::File => &["page", "page_size", "after"],
            _ if self.answer().get_field_by_name("items").is_none() => &["page", "page_size", "sort", "after"],
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

    /// How its answer stands in HTTP.
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
