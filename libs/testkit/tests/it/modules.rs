//! No two files of a crate import each other, directly or around a circle: what they share has a file of its own. Nor is
//! there a test where none is ever run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::imports::{Module, children, crates, imports, reach};

#[test]
fn files_import_each_other_in_one_direction() {
    let mut found = Vec::new();
    for folder in crates() {
        let circles = circles(&folder.join("src"));
        found.extend(circles.into_iter().map(|circle| format!("{}: {circle}", folder.display())));
    }
    assert!(found.is_empty(), "files that import each other:\n{}", found.join("\n"));
}

#[test]
fn finds_import_cycles() {
    let folder = armada_testkit::temp_dir("circle-");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("lib.rs", "mod a; mod b; mod c; pub use b::B;");
    write("a.rs", "use crate::{B, c};");
    write("b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }");
    write("c.rs", "fn c() { let text = \"crate::a\"; /* crate::a */ }");
    assert_eq!(circles(folder.path()), Vec::<String>::new());
    write("b.rs", "pub struct B { a: super::a::A }");
    assert_eq!(circles(folder.path()), ["a ⇄ b"]);
}

#[test]
fn every_test_is_run() {
    let mut lost = Vec::new();
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        // Of a program as well: none has a library with tests beside it.
        if manifest.lines().any(|line| line == "test = false") {
            lost.extend(with_tests(&folder.join("src")));
        }
    }
    assert_eq!(lost, Vec::<PathBuf>::new(), "`test = false`: these tests belong into `tests/it`");
}

/// The files that have tests in them.
fn with_tests(folder: &Path) -> Vec<PathBuf> {
    let (folders, files): (Vec<_>, Vec<_>) = children(folder).into_iter().partition(|path| path.is_dir());
    let tests = files.into_iter().filter(|path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        ["#[cfg(test)]", "#[test]", "#[tokio::test"]
            .iter()
            .any(|mark| text.lines().any(|line| line.trim().starts_with(mark)))
    });
    folders.iter().flat_map(|folder| with_tests(folder)).chain(tests).collect()
}

/// The pairs of files that reach each other, by the names of their modules.
fn circles(src: &Path) -> Vec<String> {
    let imports = imports(src);
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|from| (from, reach(from, &imports))).collect();
    let mut circles = Vec::new();
    for (from, to) in &reached {
        let back = to.iter().filter(|to| from < to && reached[to].contains(*from));
        let name = |module: &Module| if module.is_empty() { "lib".to_owned() } else { module.join("/") };
        circles.extend(back.map(|to| format!("{} ⇄ {}", name(from), name(to))));
    }
    circles
}
