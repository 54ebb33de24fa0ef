//! What is wrong with a request, field by field.

use armada_proto::{Validate, Violations, v1};

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
fn what_disguises_a_name_is_refused() {
    for text in ["a\nb", "a\0b", "a\u{202e}b", "a\u{2067}b", "a\u{200f}b", "a\u{7f}b", "a\u{2028}b"] {
        assert_eq!(line(text).1, Some("invalid_characters"), "{text:?}");
    }
}

#[test]
fn what_is_required_may_be_absent_from_a_change_alone() {
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
fn addresses_are_stored_in_lower_case() {
    let mut input =
        v1::UserInput { id: "7".to_owned(), email: Some(" Budi@Example.ORG ".to_owned()), ..v1::UserInput::default() };
    assert_eq!(codes(&mut input), []);
    assert_eq!(input.email.as_deref(), Some("budi@example.org"));
    input.email = Some("budi@example".to_owned());
    assert_eq!(codes(&mut input), [("email".to_owned(), "invalid_email")]);
}
