//! What is wrong with a request, field by field.

use armada_proto::{Validate, Violations, json::Clearable, v1};
use serde_json::json;

fn line(text: &str) -> (String, Option<&'static str>) {
    let (mut violations, mut value) = (Violations::default(), text.to_owned());
    violations.line("name", &mut value, 5);
    let code = violations.iter().next().map(|(_, code)| code);
    (value, code)
}

fn codes(message: &mut impl Validate) -> Vec<(String, &'static str)> {
    message.validate().iter().map(|(name, code)| (name.to_owned(), code)).collect()
}

#[test]
fn lines_are_trimmed_and_bounded() {
    assert_eq!(line("  Budi "), ("Budi".to_owned(), None));
    assert_eq!(line("🚚🚚🚚🚚🚚").1, None);
    assert_eq!(line("123456").1, Some("too_long"));
}

#[test]
fn rejects_invisible_characters_in_names() {
    for text in ["a\nb", "a\0b", "a\u{202e}b", "a\u{2067}b", "a\u{200f}b", "a\u{7f}b", "a\u{2028}b"] {
        assert_eq!(line(text).1, Some("invalid_characters"), "{text:?}");
    }
}

#[test]
fn required_fields_may_be_absent_in_updates_only() {
    let input = |id: &str, name: Option<&str>| v1::TenantInput {
        id: id.to_owned(),
        name: name.map(str::to_owned),
        ..v1::TenantInput::default()
    };
    for (id, name, is_good) in
        [("", None, false), ("7", None, true), ("7", Some(" "), false), ("", Some(""), false), ("", Some("x"), true)]
    {
        let codes = codes(&mut input(id, name));
        let expected = if is_good { vec![] } else { vec![("name".to_owned(), "required")] };
        assert_eq!(codes, expected, "{id:?} {name:?}");
    }
}

#[test]
fn every_broken_rule_is_named() {
    let mut input = v1::TenantInput {
        name: Some("x".repeat(201)),
        description: Some("two\nlines".to_owned()),
        cost_model: Some(9),
        cost_per_device: Some(-1),
        device_limit: Some(1_000_001),
        billing_day: Some(29),
        due_day: Some(91),
        ..v1::TenantInput::default()
    };
    let expected = [
        ("billing_day", "billing_day_range"),
        ("cost_model", "invalid"),
        ("cost_per_device", "negative"),
        ("device_limit", "too_large"),
        ("due_day", "due_day_range"),
        ("name", "too_long"),
    ];
    assert_eq!(codes(&mut input), expected.map(|(name, code)| (name.to_owned(), code)));
}

#[test]
fn thresholds_have_ranges() {
    let ranges = [
        ("moving_speed", 1, 30),
        ("stop_seconds", 60, 3600),
        ("min_trip_distance", 0, 5000),
        ("min_trip_seconds", 0, 3600),
        ("idle_seconds", 0, 3600),
        ("idle_alert_seconds", 60, 86_400),
        ("gap_seconds", 600, 86_400),
        ("stale_seconds", 30, 86_400),
        ("offline_seconds", 60, 604_800),
        ("tow_distance", 50, 5_000),
    ];
    for (name, least, most) in ranges {
        for (value, is_good) in [(least, true), (most, true), (most + 1, false), (least.max(1) - 1, least == 0)] {
            let body = format!("{{\"{name}\":{value}}}");
            let expected = if is_good { vec![] } else { vec![(name.to_owned(), format!("{name}_range"))] };
            let found = |codes: Vec<(String, &'static str)>| {
                codes.into_iter().map(|(name, code)| (name, code.to_owned())).collect::<Vec<_>>()
            };
            let mut of_tenant: v1::TenantThresholdsInput = serde_json::from_str(&body).expect("read");
            assert_eq!(found(codes(&mut of_tenant)), expected, "{body}");
            let mut device = v1::DeviceInput { id: "7".to_owned(), ..serde_json::from_str(&body).expect("read") };
            assert_eq!(found(codes(&mut device)), expected, "{body}");
        }
    }
}

#[test]
fn null_takes_away_what_need_not_be_there() {
    let cleared = v1::DeviceInput { moving_speed: Some(u32::CLEARED), ..v1::DeviceInput::default() };
    assert_eq!(read::<v1::DeviceInput>(json!({ "moving_speed": null })), cleared);
    assert_eq!(serde_json::to_value(&cleared).unwrap(), json!({ "moving_speed": null }));
    let place = read::<v1::MasterDataEntryInput>(json!({ "lat": null, "lng": 106.8, "min_temperature": null }));
    assert!(place.lat.is_some_and(f64::is_cleared));
    assert_eq!((place.lng, place.min_temperature), (Some(106.8), Some(0.0)), "a range has two ends");
    assert_eq!(serde_json::to_value(&place).unwrap(), json!({ "lat": null, "lng": 106.8, "min_temperature": 0.0 }));
    let mut changed = v1::MasterDataEntryInput { id: "7".to_owned(), ..place };
    assert_eq!(codes(&mut changed), [], "what is taken away is in no range");
    let emptied = read::<v1::DeviceInput>(json!({ "sim_number": null, "speed_limit": null, "license_expiry": null }));
    assert_eq!(emptied.sim_number.as_deref(), Some(""));
    assert_eq!(emptied.speed_limit, Some(0));
    assert_eq!(emptied.license_expiry.as_deref(), Some(""));
}

#[test]
fn null_of_what_is_always_there_is_an_error() {
    for name in ["status", "has_hazmat_certificate", "name"] {
        assert!(serde_json::from_value::<v1::DeviceInput>(json!({ name: null })).is_err(), "{name}");
    }
    assert!(serde_json::from_value::<v1::TenantThresholdsInput>(json!({ "idle_seconds": null })).is_err());
    // What is never read back stays.
    assert_eq!(read::<v1::ShareLinkInput>(json!({ "pin": null })), v1::ShareLinkInput::default());
    let standing_for_none = serde_json::from_value::<v1::DeviceInput>(json!({ "moving_speed": u32::CLEARED }));
    assert!(standing_for_none.is_err(), "nobody says the number itself");
}

fn read<T: serde::de::DeserializeOwned>(body: serde_json::Value) -> T {
    serde_json::from_value(body).expect("it is read")
}

#[test]
fn addresses_are_stored_in_lower_case() {
    let mut input =
        v1::UserInput { id: "7".to_owned(), email: Some(" Budi@Example.ORG ".to_owned()), ..v1::UserInput::default() };
    assert_eq!(codes(&mut input), []);
    assert_eq!(input.email.as_deref(), Some("budi@example.org"));
    input.email = Some("budi@example".to_owned());
    assert_eq!(codes(&mut input), [("email".to_owned(), "invalid_email")]);
}
