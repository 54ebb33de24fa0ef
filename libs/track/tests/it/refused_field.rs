//! Which field of a message a refusal is about.

use armada_proto::Timestamp;
use armada_track::{MAX_ALARM_BYTES, RefusedFields, Reject, decode_json, validate};

/// The field that is named for one position with these members in place of the usual ones.
fn field(members: &str) -> Option<&'static str> {
    let body = format!(r#"[{{"recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2}}, {{{members}}}]"#);
    let mut reports = decode_json(body.as_bytes()).expect("an array");
    let now = Timestamp::parse_rfc3339("2026-09-01T00:00:00Z").expect("an instant").millis();
    let refused = reports.pop().expect("two").and_then(|report| validate(&report, now)).expect_err("refused");
    RefusedFields::of(body.as_bytes()).of_element(1, refused)
}

#[test]
fn the_field_is_named() {
    let place = r#""recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2"#;
    assert_eq!(field(r#""recorded_at":"now","lat":1,"lng":2"#), Some("recorded_at"));
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:00:00Z","lat":1"#), Some("lng"));
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:00:00Z","lat":91,"lng":2"#), Some("lat"));
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:05:01Z","lat":1,"lng":2"#), Some("recorded_at"));
    for (member, name) in [
        (r#""speed":"fast""#, "speed"),
        (r#""speed":1001"#, "speed"),
        (r#""course":-1"#, "course"),
        (r#""sat":-1"#, "sat"),
        (r#""fuel_percent":101"#, "fuel_percent"),
        (r#""ignition":1"#, "ignition"),
        (r#""attrs":[]"#, "attrs"),
    ] {
        assert_eq!(field(&format!("{place},{member}")), Some(name), "{member}");
    }
    let long = format!(r#"{place},"alarm":"{}""#, "x".repeat(MAX_ALARM_BYTES + 1));
    assert_eq!(field(&long), Some("alarm"));
}

#[test]
fn omits_unknown_fields() {
    for body in [&b"[7]"[..], b"[", b"\x0a\x00", b""] {
        assert_eq!(RefusedFields::of(body).of_element(0, Reject::Malformed), None);
    }
}
