//! What the rules of `buf.validate` say of requests, as Rust: one `Validate` for each message that is read from one.
//!
//! Armada reads two rules in ways of its own. `required` on an optional field of a message that has an `id` is asked only
//! while that is empty: the same message describes what is made and how something is changed, and a change keeps what
//! it does not name. And every enum of a request must be one that the contract knows, without a rule that says so.

use std::fmt::Write as _;

use armada_descriptors::{Null, Rules, is_optional};
use protox::prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::Options;

/// `Validate` for every message with rules whose name says that it is read from requests.
pub fn implementations(options: &Options, package: &str) -> String {
    let requests = options.pool.all_messages().filter(|message| {
        message.package_name() == package && (message.name().ends_with("Input") || message.name().ends_with("Request"))
    });
    requests.filter_map(|message| implementation(options, &message)).collect()
}

/// None for a message without rules.
fn implementation(options: &Options, message: &MessageDescriptor) -> Option<String> {
    let checks: String = message.fields().map(|field| check(options, &field)).collect();
    if checks.is_empty() {
        return None;
    }
    let is_new = match checks.contains("is_new") {
        true if message.get_field_by_name("id").is_some() => "let is_new = self.id.is_empty();",
        true => "let is_new = true;",
        false => "",
    };
    Some(format!(
        "impl Validate for v1::{} {{\n    fn validate(&mut self) -> Violations {{\n        \
         let mut violations = Violations::default();\n        {is_new}\n{checks}        violations\n    }}\n}}\n",
        message.name()
    ))
}

/// The statements that check one field.
fn check(options: &Options, field: &FieldDescriptor) -> String {
    let rules = Rules::of(field);
    let (rust, json) = (field.name(), options.json_name(field));
    let mut text = String::new();
    match field.kind() {
        Kind::Enum(names) => {
            let numbers = match (field.is_list(), is_optional(field)) {
                (true, _) => format!("self.{rust}.iter().copied()"),
                (false, true) => format!("self.{rust}.into_iter()"),
                (false, false) => format!("[self.{rust}].into_iter()"),
            };
            let _ = writeln!(text, "        violations.choices::<v1::{}>({json:?}, {numbers});", names.name());
        }
        Kind::String if !field.is_list() && (rules.has_text() || options.is(&options.date, field)) => {
            let is_required = match (rules.is_required(), is_optional(field)) {
                (true, true) => "is_new",
                (true, false) => "true",
                _ => "false",
            };
            let max = rules.number("string", "max_len").map_or("usize::MAX".to_owned(), |max| max.to_string());
            let _ = writeln!(
                text,
                "        violations.text({json:?}, &mut self.{rust}, TextRules {{ is_required: {is_required}, \
                 min: {}, max: {max}, is_multiline: {}, is_email: {}, is_date: {}, is_secret: {} }});",
                rules.number("string", "min_len").unwrap_or_default(),
                options.is(&options.multiline, field),
                rules.is_email(),
                options.is(&options.date, field),
                options.is_secret(field),
            );
            if let Some(pattern) = rules.pattern() {
                let code = options.violation(field).unwrap_or_else(|| "invalid".to_owned());
                let _ = writeln!(
                    text,
                    "        {{ static PATTERN: LazyLock<Regex> = \
                     LazyLock::new(|| Regex::new({pattern:?}).expect(\"a pattern of the contract\")); \
                     violations.pattern({json:?}, &mut self.{rust}, &PATTERN, {code:?}); }}"
                );
            }
        }
        Kind::Uint32 | Kind::Int64 if !field.is_list() => {
            let kind = if matches!(field.kind(), Kind::Uint32) { "uint32" } else { "int64" };
            let (least, most) = (rules.number(kind, "gte"), rules.number(kind, "lte"));
            if least.is_some() || most.is_some() {
                let bound = |bound: Option<i64>, none: &str| bound.map_or(none.to_owned(), |bound| bound.to_string());
                let cleared = without_cleared(field);
                let _ = writeln!(
                    text,
                    "        violations.number({json:?}, self.{rust}{cleared}, {}..={}, {:?});",
                    bound(least.filter(|_| !rules.ignores_zero()), "i64::MIN"),
                    bound(most, "i64::MAX"),
                    options.violation(field),
                );
            }
        }
        Kind::Double if !field.is_list() => {
            if let (Some(least), Some(most)) = (rules.decimal("gte"), rules.decimal("lte")) {
                let cleared = without_cleared(field);
                let _ =
                    writeln!(text, "        violations.decimal({json:?}, self.{rust}{cleared}, {least:?}..={most:?});");
            }
        }
        Kind::Bool if rules.is_required() => {
            let _ = writeln!(text, "        violations.flag({json:?}, self.{rust});");
        }
        _ => {}
    }
    if let Some(max) = rules.number("repeated", "max_items") {
        let _ =
            writeln!(text, "        violations.items({json:?}, self.{rust}.len(), {}, {max});", rules.is_required());
    }
    text
}

/// What is taken away is in no range.
fn without_cleared(field: &FieldDescriptor) -> &'static str {
    match Null::of(field) {
        Null::Clears => ".filter(|&number| !crate::json::Clearable::is_cleared(number))",
        _ => "",
    }
}
