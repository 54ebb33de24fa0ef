//! Which thing a name means.

use armada_bff::rules::import::the_one;
use serde_json::json;

#[test]
fn one_thing_has_a_name() {
    let listed = [
        json!({ "id": "1", "name": "Siti", "email": "siti@example.org" }),
        json!({ "id": "2", "name": "Siti", "email": "other@example.org" }),
        json!({ "id": "3", "name": "Agus", "email": "agus@example.org" }),
    ];
    assert_eq!(the_one(&listed, "agus"), Ok("3".to_owned()));
    assert_eq!(the_one(&listed, "OTHER@example.org"), Ok("2".to_owned()));
    assert_eq!(the_one(&listed, "Siti"), Err("ambiguous"));
    assert_eq!(the_one(&listed, "Budi"), Err("unknown"));
}
