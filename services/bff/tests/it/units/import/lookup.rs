//! Which thing a name means.

use armada_bff::rules::import::Known;
use serde_json::json;

#[test]
fn finds_unambiguous_names() {
    let listed = [
        json!({ "id": "1", "name": "Siti", "email": "siti@example.org" }),
        json!({ "id": "2", "name": "Siti", "email": "other@example.org" }),
        json!({ "id": "3", "name": "Agus", "email": "agus@example.org" }),
    ];
    let known = Known::new(&listed);
    assert_eq!(known.find("agus"), Ok("3".to_owned()));
    assert_eq!(known.find("OTHER@example.org"), Ok("2".to_owned()));
    assert_eq!(known.find("Siti"), Err("ambiguous"));
    assert_eq!(known.find("Budi"), Err("unknown"));
}

#[test]
fn finds_the_only_name_that_looks_alike() {
    let named = |id: &str, name: &str, label: &str| json!({ "id": id, "name": name, "label": label });
    let known = Known::new(&[
        named("1", "Toyota", "Toyota"),
        named("2", "Avanza", "Toyota  Avanza"),
        named("3", "Grup Á", "Grup Á"),
        named("4", "Grup A", "Grup A"),
    ]);
    assert_eq!(known.find("tóyota"), Err("unknown"));
    assert_eq!(known.find_alike("tóyo\u{200b}ta"), Ok("1".to_owned()));
    assert_eq!(known.find_alike("TOYOTA avanza"), Ok("2".to_owned()));
    assert_eq!(known.find_alike("grup  a"), Err("ambiguous"));
}
