//! Folders of a crate import each other in one direction, as its files do: whoever reads one learns what is below it, and
//! nothing above. What two of them share has a place of its own.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use super::imports::{Imports, crates, imports, reach};

/// The circles that there are, each as its crate, the folder, and what stands in it side by side. This list only gets
/// shorter: it says what is to be mended, not what is allowed.
const KNOWN: &[&str] = &[
    "bff: auth ⇄ config ⇄ export ⇄ http ⇄ import ⇄ limits ⇄ live ⇄ maps ⇄ pages ⇄ resources ⇄ state",
    "fleet: acts ⇄ bindings ⇄ counts ⇄ device_erasures ⇄ device_thresholds ⇄ entity ⇄ members ⇄ meters ⇄ seen_by",
    "fleet: devices ⇄ maintenance ⇄ master_data ⇄ share_links",
    "identity: links ⇄ mail ⇄ widening",
    "runtime: audit ⇄ auth ⇄ bus ⇄ clock ⇄ db ⇄ idempotency ⇄ jobs ⇄ list ⇄ outbox ⇄ resource ⇄ service ⇄ stream_outbox ⇄ transport",
    "runtime: health ⇄ telemetry",
];

#[test]
fn folders_import_each_other_in_one_direction() {
    let found: BTreeSet<String> = crates()
        .flat_map(|folder| {
            let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
            circles(&imports(&folder.join("src"))).into_iter().map(move |circle| format!("{name}: {circle}"))
        })
        .collect();
    let known: BTreeSet<String> = KNOWN.iter().map(|circle| (*circle).to_owned()).collect();
    let listed =
        |circles: BTreeSet<&String>| circles.into_iter().map(|circle| format!("\n    {circle:?},")).collect::<String>();
    let new = listed(found.difference(&known).collect());
    let gone = listed(known.difference(&found).collect());
    assert!(
        new.is_empty() && gone.is_empty(),
        "circles that are not known:{new}\nno longer there, take them off `KNOWN`:{gone}"
    );
}

#[test]
fn finds_circles_between_folders() {
    let folder = armada_testkit::temp_dir("folders-");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("lib.rs", "mod a; mod b;");
    write("a/mod.rs", "mod one; mod two;");
    write("a/one.rs", "use crate::b::B;");
    write("a/two.rs", "pub struct Two;");
    write("b.rs", "pub struct B;");
    assert_eq!(circles(&imports(folder.path())), Vec::<String>::new());
    write("b.rs", "pub struct B(crate::a::two::Two);");
    assert_eq!(circles(&imports(folder.path())), ["a ⇄ b"]);
}

/// What stands side by side in a folder, and imports each other directly or around a circle. The file of the folder itself
/// counts for none: it is above them.
fn circles(imports: &Imports) -> Vec<String> {
    let folders: BTreeSet<&[String]> =
        imports.keys().flat_map(|file| (0..file.len()).map(|depth| &file[..depth])).collect();
    folders.into_iter().flat_map(|folder| circles_in(folder, imports)).collect()
}

fn circles_in(folder: &[String], imports: &Imports) -> Vec<String> {
    let place = |file: &[String]| file.strip_prefix(folder)?.first().cloned();
    let mut within: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in imports.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to))) {
        if let (Some(from), Some(to)) = (place(from), place(to))
            && from != to
        {
            within.entry(from).or_default().insert(to);
        }
    }
    let reached: BTreeMap<&String, BTreeSet<String>> = within.keys().map(|from| (from, reach(from, &within))).collect();
    let circles: BTreeSet<BTreeSet<&String>> = reached
        .iter()
        .filter(|(from, to)| to.contains(**from))
        .map(|(from, to)| {
            reached.keys().copied().filter(|other| to.contains(*other) && reached[*other].contains(*from)).collect()
        })
        .collect();
    let path = |name: &String| folder.iter().chain([name]).map(String::as_str).collect::<Vec<_>>().join("/");
    circles.into_iter().map(|circle| circle.into_iter().map(path).collect::<Vec<_>>().join(" ⇄ ")).collect()
}
