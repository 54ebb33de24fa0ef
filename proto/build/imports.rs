//! Requests of imports as Rust: which methods make, change and remove what a row of a file is.

use protox::prost_reflect::{DescriptorPool, Kind};

/// What `src/import.rs` takes in: `ImportRequest` for what every method `Import` takes.
pub fn requests(pool: &DescriptorPool, package: &str) -> String {
    let services = pool.services().filter(|service| service.package_name() == package);
    let imports = services.filter_map(|service| service.methods().find(|method| method.name() == "Import"));
    let requests = imports.map(|import| {
        let request = import.input();
        let rows = request.get_field_by_name("rows").expect("an import has rows");
        let Kind::Message(row) = rows.kind() else { panic!("{}: rows are messages", request.full_name()) };
        let path = |method: &str| format!("/{}/{method}", import.parent_service().full_name());
        format!(
            "impl ImportRequest for v1::{} {{\n    type Input = v1::{};\n    const CREATE: &'static str = {:?};\n    \
             const UPDATE: &'static str = {:?};\n    const DELETE: &'static str = {:?};\n\n    \
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
