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
