//! What the messages of resources have in common, as implementations of the traits of `src/resource.rs`. A message is
//! known by its fields; no resource is named here.

use armada_descriptors::is_optional;
use protox::prost_reflect::{DescriptorPool, Kind, MessageDescriptor};

/// What a page says besides its entries.
const PAGING: [&str; 3] = ["total", "more_than_total", "next"];

/// All implementations for a package.
pub fn implementations(pool: &DescriptorPool, package: &str) -> String {
    let messages = || pool.all_messages().filter(|message| message.package_name() == package);
    let sorted = messages().filter_map(|message| sorted(&message));
    sorted.chain(messages().filter_map(|message| implementation(pool, &message))).collect()
}

fn sorted(message: &MessageDescriptor) -> Option<String> {
    let sortable = armada_descriptors::sortable(&message.get_field_by_name("sort")?);
    assert!(!sortable.is_empty(), "{}: its field `sort` does not say what is (sortable)", message.full_name());
    let name = message.name();
    Some(format!("impl Sorted for v1::{name} {{\n    const SORTABLE: &'static [&'static str] = &{sortable:?};\n}}\n"))
}

fn implementation(pool: &DescriptorPool, message: &MessageDescriptor) -> Option<String> {
    let name = message.name();
    let has = |fields: &[&str]| fields.iter().all(|field| message.get_field_by_name(field).is_some());
    if has(&["page", "page_size", "sort", "q"]) {
        let tenant = tenant_id(message);
        let after = if has(&["after"]) { "&self.after" } else { "\"\"" };
        return Some(format!(
            "impl ListRequest for v1::{name} {{\n    \
             fn page(&self) -> u32 {{ self.page }}\n    fn page_size(&self) -> u32 {{ self.page_size }}\n    \
             fn sort(&self) -> &str {{ &self.sort }}\n    fn q(&self) -> &str {{ &self.q }}\n    \
             fn after(&self) -> &str {{ {after} }}\n    \
             fn tenant_id(&self) -> Option<&str> {{ {tenant} }}\n}}\n"
        ));
    }
    if let Some(resource) = name.strip_suffix("Input") {
        let resource = pool.get_message_by_name(&format!("{}.{resource}", message.package_name()))?;
        if !is_resource(&resource) || !has(&["id", "row_version"]) {
            return None;
        }
        let tenant = tenant_id(message);
        // What is called after another thing is not given a name.
        let name_given = if has(&["name"]) { "self.name.as_deref().unwrap_or_default()" } else { "\"\"" };
        return Some(format!(
            "impl ResourceInput for v1::{name} {{\n    \
             fn id(&self) -> &str {{ &self.id }}\n    fn set_id(&mut self, id: String) {{ self.id = id; }}\n    \
             fn name(&self) -> &str {{ {name_given} }}\n    \
             fn row_version(&self) -> Option<i32> {{ self.row_version }}\n    \
             fn tenant_id(&self) -> Option<&str> {{ {tenant} }}\n}}\n"
        ));
    }
    if is_resource(message) {
        return Some(format!(
            "impl ResourceMessage for v1::{name} {{\n    \
             fn id(&self) -> &str {{ &self.id }}\n    fn name(&self) -> &str {{ &self.name }}\n}}\n"
        ));
    }
    let items =
        message.get_field_by_name("items").filter(|_| has(&PAGING) && message.fields().len() == 1 + PAGING.len())?;
    let Kind::Message(item) = items.kind() else { return None };
    Some(format!(
        "impl ResourceList for v1::{name} {{\n    type Item = v1::{};\n    \
         fn new(items: Vec<Self::Item>, paging: Paging) -> Self {{\n        \
             let Paging {{ total, more_than_total, next }} = paging;\n        \
             Self {{ items, total, more_than_total, next }}\n    }}\n    \
         fn total(&self) -> u32 {{ self.total }}\n    \
         fn into_items(self) -> Vec<Self::Item> {{ self.items }}\n}}\n",
        item.name()
    ))
}

/// Something with an id, a name and a version.
fn is_resource(message: &MessageDescriptor) -> bool {
    ["id", "name", "row_version"].iter().all(|field| message.get_field_by_name(field).is_some())
}

/// An expression for the tenant that a message names.
fn tenant_id(message: &MessageDescriptor) -> &'static str {
    match message.get_field_by_name("tenant_id") {
        Some(field) if is_optional(&field) => "self.tenant_id.as_deref().filter(|id| !id.is_empty())",
        Some(_) => "Some(self.tenant_id.as_str()).filter(|id| !id.is_empty())",
        None => "None",
    }
}
