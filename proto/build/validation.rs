//! What the rules of `buf.validate` say of requests, as Rust: one `Validate` for each message that is read from one.
//!
//! Armada reads two rules in ways of its own. `required` on an optional field of a message that has an `id` is asked only
//! while that is empty: the same message describes what is made and how something is changed, and a change keeps what
//! it does not name. And every enum of a request must be one that the contract knows, without a rule that says so.

use std::fmt::Write as _;

use armada_descriptors::Null;
use protox::prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};

use crate::{Options, is_optional};

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
    let rules = Rules::of(&options.pool, field);
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
            let is_required = match (rules.is_required, is_optional(field)) {
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
            if let Some(pattern) =
                rules.of_kind("string", "pattern").and_then(|value| value.as_str().map(str::to_owned))
            {
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
                    bound(least.filter(|_| !rules.ignores_zero), "i64::MIN"),
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
        Kind::Bool if rules.is_required => {
            let _ = writeln!(text, "        violations.flag({json:?}, self.{rust});");
        }
        _ => {}
    }
    if let Some(max) = rules.number("repeated", "max_items") {
        let _ = writeln!(text, "        violations.items({json:?}, self.{rust}.len(), {}, {max});", rules.is_required);
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

/// What `buf.validate.field` says of one field.
struct Rules {
    rules: Option<DynamicMessage>,
    is_required: bool,
    ignores_zero: bool,
}

impl Rules {
    fn of(pool: &DescriptorPool, field: &FieldDescriptor) -> Self {
        let option = pool.get_extension_by_name("buf.validate.field").expect("validate.proto is imported");
        let options = field.options();
        let rules = options.has_extension(&option).then(|| options.get_extension(&option).into_owned());
        let rules = rules.and_then(|rules| rules.as_message().cloned());
        let value = |name: &str| rules.as_ref().and_then(|rules| Some(rules.get_field_by_name(name)?.into_owned()));
        let is_required = value("required").and_then(|value| value.as_bool()).unwrap_or_default();
        let ignores_zero = value("ignore").and_then(|value| value.as_enum_number()) == Some(1);
        Self { rules, is_required, ignores_zero }
    }

    fn has_text(&self) -> bool {
        self.is_required || self.rules.as_ref().is_some_and(|rules| rules.has_field_by_name("string"))
    }

    fn of_kind(&self, kind: &str, name: &str) -> Option<protox::prost_reflect::Value> {
        let rules = self.rules.as_ref().filter(|rules| rules.has_field_by_name(kind))?;
        let of_kind = rules.get_field_by_name(kind)?.into_owned();
        let of_kind = of_kind.as_message()?;
        of_kind.has_field_by_name(name).then(|| of_kind.get_field_by_name(name).map(|value| value.into_owned()))?
    }

    fn number(&self, kind: &str, name: &str) -> Option<i64> {
        let value = self.of_kind(kind, name)?;
        let unsigned = value.as_u32().map(u64::from).or(value.as_u64());
        unsigned.and_then(|number| i64::try_from(number).ok()).or(value.as_i64())
    }

    fn decimal(&self, name: &str) -> Option<f64> {
        self.of_kind("double", name)?.as_f64()
    }

    fn is_email(&self) -> bool {
        self.of_kind("string", "email").and_then(|value| value.as_bool()).unwrap_or_default()
    }
}
