//! A row is known by an id of its own type, so that none is passed where another is meant.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Rows that are known by a plain UUID: nothing else names them. The list may only shrink.
const PLAIN: [&str; 10] = [
    "fleet/driver_assignment",
    "fleet/imei_claim",
    "identity/audit_entry",
    "identity/link",
    "identity/recovery_code",
    "identity/role",
    "identity/saved_view",
    "identity/session",
    "notification/alarm",
    "notification/event",
];

#[test]
fn rows_have_typed_ids() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let mut plain = BTreeSet::new();
    for service in children(&services) {
        let entities = service.join("src/entity");
        for file in entities.is_dir().then(|| children(&entities)).into_iter().flatten() {
            if fs::read_to_string(&file).expect("a source").contains("pub id: Uuid,") {
                plain.insert(format!("{}/{}", name(&service), name(&file)));
            }
        }
    }
    let known: BTreeSet<_> = PLAIN.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(plain, known, "give it an id in `proto/src/id.rs`, and name that in `proto/src/database.rs`");
}

fn children(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
