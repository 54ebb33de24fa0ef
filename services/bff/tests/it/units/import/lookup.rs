//! Which thing a name means.

use armada_bff::rules::import::find_by_name;
use serde_json::json;

#[test]
fn finds_unambiguous_names() {
    let listed = [
        json!({ "id": "1", "name": "Siti", "email": "siti@example.org" }),
        json!({ "id": "2", "name": "Siti", "email": "other@example.org" }),
        json!({ "id": "3", "name": "Agus", "email": "agus@example.org" }),
    ];
    assert_eq!(find_by_name(&listed, "agus"), Ok("3".to_owned()));
    assert_eq!(find_by_name(&listed, "OTHER@example.org"), Ok("2".to_owned()));
    assert_eq!(find_by_name(&listed, "Siti"), Err("ambiguous"));
    assert_eq!(find_by_name(&listed, "Budi"), Err("unknown"));
}
