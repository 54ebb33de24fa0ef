//! Requests of imports as Rust: which methods make, change and remove what a row of a file is.

use protox::prost_reflect::{DescriptorPool, FieldDescriptor, Kind};

/// What `src/import.rs` takes in: `ImportRequest` for what every method `Import` takes.
pub fn requests(pool: &DescriptorPool, package: &str) -> String {
    let preset = pool.get_extension_by_name(&format!("{package}.set_by_import")).expect("an option of ours");
    let services = pool.services().filter(|service| service.package_name() == package);
    let imports = services.filter_map(|service| service.methods().find(|method| method.name() == "Import"));
    let requests = imports.map(|import| {
        let request = import.input();
        let rows = request.get_field_by_name("rows").expect("an import has rows");
        let Kind::Message(row) = rows.kind() else { panic!("{}: rows are messages", request.full_name()) };
        let path = |method: &str| format!("/{}/{method}", import.parent_service().full_name());
        let restore = import.parent_service().methods().any(|method| method.name() == "Restore").then(|| path("Restore"));
        let is_preset = |field: &FieldDescriptor| field.options().get_extension(&preset).as_bool().unwrap_or_default();
        let presets: Vec<_> = row.fields().filter(is_preset).map(|field| field.name().to_owned()).collect();
        format!(
            "impl ImportRequest for v1::{} {{\n    type Input = v1::{};\n    const CREATE: &'static str = {:?};\n    \
             const UPDATE: &'static str = {:?};\n    const DELETE: &'static str = {:?};\n    \
             const RESTORE: Option<&'static str> = {restore:?};\n    \
             const PRESETS: &'static [&'static str] = &{presets:?};\n\n    \
             fn new(Rows {{ rows, deleted_ids, numbers, wrong_rows }}: Rows<Self::Input>, mode: ImportMode) -> Self {{\n        \
             Self {{ rows, deleted_ids, numbers, wrong_rows, mode: mode.into() }}\n    }}\n\n    \
             fn into_parts(self) -> (Rows<Self::Input>, ImportMode) {{\n        let mode = self.mode();\n        \
             let Self {{ rows, deleted_ids, numbers, wrong_rows, .. }} = self;\n        \
             (Rows {{ rows, deleted_ids, numbers, wrong_rows }}, mode)\n    }}\n}}\n\n",
            request.name(),
            row.name(),
            path("Create"),
            path("Update"),
            path("Delete"),
        )
    });
    requests.collect()
}
