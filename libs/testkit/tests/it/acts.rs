//! Every act that a service names in its code is one that it may enter: another one would be set aside.

use std::{fs, path::Path};

use armada_runtime::audit;

#[test]
fn services_name_their_own_acts_alone() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let (mut named, mut foreign) = (0, Vec::new());
    for service in audit::services() {
        for text in sources(&services.join(service).join("src")) {
            for act in acts(&text) {
                named += 1;
                if !audit::is_own(service, &act, None) {
                    foreign.push(format!("{service}: {act}"));
                }
            }
        }
    }
    assert!(named > 50, "{named} acts are found");
    assert_eq!(foreign, Vec::<String>::new(), "`acts` of the declarations of their services say nothing of these");
}

/// What stands between quotes as `<module>:<act>`, and what `acts!("<module>")` makes.
fn acts(text: &str) -> Vec<String> {
    let texts = text.split('"').skip(1).step_by(2);
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let spelled = texts.filter(|text| text.split_once(':').is_some_and(|(a, b)| is_word(a) && is_word(b)));
    let made = text.split("acts!(\"").skip(1).filter_map(|rest| Some(format!("{}:create", rest.split_once('"')?.0)));
    spelled.map(str::to_owned).chain(made).collect()
}

fn sources(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(&path).expect("a file"));
        }
    }
    found
}
