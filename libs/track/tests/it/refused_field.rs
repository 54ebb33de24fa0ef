//! Which field of a message a refusal is about.

use armada_proto::Timestamp;
use armada_track::{RefusedFields, Reject, decode_json, validate};

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
    assert_eq!(field(r#""recorded_at":"now","lat":1,"lng":2"#), Some("recorded_at"));
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:00:00Z","lat":1"#), Some("lng"));
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:00:00Z","lat":91,"lng":2"#), Some("lat"));
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:05:01Z","lat":1,"lng":2"#), Some("recorded_at"));
    // Of what else is wrong nothing is said.
    assert_eq!(field(r#""recorded_at":"2026-09-01T00:00:00Z","lat":"-6.2","lng":"east","speed":1e999"#), Some("lng"));
    assert_eq!(field(r#""recorded_at":7,"lat":1,"lng":2,"alarm":"sos""#), Some("recorded_at"));
}

#[test]
fn omits_unknown_fields() {
    for body in [&b"[7]"[..], b"[", b"\x0a\x00", b""] {
        assert_eq!(RefusedFields::of(body).of_element(0, Reject::Malformed), None);
    }
}
