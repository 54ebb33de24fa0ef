//! Requests of bulk acts as Rust: which acts there are, and which method does each to one thing.

use std::fmt::Write as _;

use heck::ToSnakeCase;
use protox::prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MethodDescriptor, ServiceDescriptor};

/// What `src/bulk.rs` takes in: `BulkRequest` for what every method `Bulk` takes. Of its fields `ids` and `filter` say what
/// it is done to; each other one is an act, and has the name of the method of the same service that does it to one thing.
/// An act that no method does stops the build.
pub fn requests(pool: &DescriptorPool, package: &str, is_secret: impl Fn(&FieldDescriptor) -> bool) -> String {
    let mut text = String::new();
    for service in pool.services().filter(|service| service.package_name() == package) {
        let Some(bulk) = service.methods().find(|method| method.name() == "Bulk") else { continue };
        let request = bulk.input();
        let field = |name: &str| request.get_field_by_name(name).unwrap_or_else(|| panic!("{request:?} has no {name}"));
        let (Kind::Message(filter), true) = (field("filter").kind(), field("ids").is_list()) else {
            panic!("{}: `ids` is a list, and `filter` what the list is asked", request.full_name());
        };
        let acts = request.fields().filter(|field| !["ids", "filter"].contains(&field.name()));
        let acts: String = acts.map(|act| self::act(&service, &act, &is_secret)).collect();
        let _ = write!(
            text,
            "impl BulkRequest for v1::{} {{\n    type Filter = v1::{};\n    const BULK: &'static str = {:?};\n\n    \
             fn into_parts(self) -> Parts<Self::Filter> {{\n        \
             Parts {{ ids: self.ids, filter: self.filter, acts: vec![\n{acts}        ] }}\n    }}\n}}\n\n",
            request.name(),
            filter.name(),
            path(&bulk),
        );
    }
    text
}

fn act(service: &ServiceDescriptor, act: &FieldDescriptor, is_secret: &impl Fn(&FieldDescriptor) -> bool) -> String {
    let name = act.name();
    let method = service.methods().find(|method| method.name().to_snake_case() == name);
    let method = method.unwrap_or_else(|| panic!("{}: no method of {} does it", act.full_name(), service.name()));
    let Kind::Message(request) = act.kind() else { panic!("{} is no message", act.full_name()) };
    let one = method.input();
    assert!(request.name() == "Empty" || request == one, "{} is neither Empty nor {}", act.full_name(), one.name());
    let id = one.get_field_by_name("id").filter(|id| matches!(id.kind(), Kind::String));
    assert!(id.is_some_and(|id| id.number() == 1), "{}: the first field of a request is the id", one.full_name());
    let secrets: Vec<_> = request.fields().filter(is_secret).collect();
    let set = secrets.iter().map(|field| {
        let is_optional = field.field_descriptor_proto().proto3_optional();
        let has = if is_optional { "is_some()" } else { "is_empty() == false" };
        format!("({0:?}, act.{0}.{has}), ", field.name())
    });
    let set: String = set.collect();
    let secrets =
        format!("vec![{set}].into_iter().filter(|(_, is_set): &(_, bool)| *is_set).map(|(name, _)| name).collect()");
    let secrets = if set.is_empty() { "Vec::new()".to_owned() } else { secrets };
    format!(
        "            Act {{ name: {name:?}, method: {:?}, given: self.{name}.map(|act| Given {{ secrets: {secrets}, \
         request: act.encode_to_vec() }}) }},\n",
        path(&method)
    )
}

fn path(method: &MethodDescriptor) -> String {
    format!("/{}/{}", method.parent_service().full_name(), method.name())
}
