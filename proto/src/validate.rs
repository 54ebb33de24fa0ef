//! What is wrong with a request, field by field, so that one answer names all of it. The rules stand on the fields in the
//! `.proto` files, in protovalidate's vocabulary; [`Validate`] is made of them.

use std::{collections::BTreeMap, ops::RangeInclusive, sync::LazyLock};

use chrono::NaiveDate;
use regex_lite::Regex;

use crate::{email, v1};

/// A message that is read from requests.
pub trait Validate {
    /// Brings the message into the form in which it is stored (texts are trimmed, addresses in lower case), and says
    /// which of its fields break a rule.
    fn validate(&mut self) -> Violations;
}

include!(concat!(env!("OUT_DIR"), "/validation.rs"));

/// Codes of wrong fields, by the field's name in JSON. The first code of a field stays.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Violations(BTreeMap<String, &'static str>);

/// The rules of a text, as `build/validation.rs` reads them.
struct TextRules {
    is_required: bool,
    /// Characters.
    min: usize,
    /// Characters.
    max: usize,
    is_multiline: bool,
    is_email: bool,
    /// A day of the calendar.
    is_date: bool,
    /// As it was entered, whatever is in it.
    is_secret: bool,
}

impl Violations {
    /// This field is wrong.
    pub fn add(&mut self, name: &str, code: &'static str) {
        self.0.entry(name.to_owned()).or_insert(code);
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields with their codes, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.0.iter().map(|(name, code)| (name.as_str(), *code))
    }

    /// An error if any field is wrong.
    pub fn check(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Trims a text of one line and checks its length in characters. Control characters and marks that turn the
    /// direction of text around are refused: they make a name look like another one.
    pub fn line(&mut self, name: &str, text: &mut String, max: usize) {
        self.characters(name, text, max, false);
    }

    /// The field must not be empty, and when something is being created it must be there.
    pub fn require(&mut self, name: &str, value: Option<&str>, creating: bool) {
        if value.map_or(creating, |text| text.trim().is_empty()) {
            self.add(name, "required");
        }
    }

    fn text(&mut self, name: &str, text: &mut impl Text, rules: TextRules) {
        let Some(text) = text.present() else {
            if rules.is_required {
                self.add(name, "required");
            }
            return;
        };
        if rules.is_secret {
            if rules.is_required && text.is_empty() {
                self.add(name, "required");
            }
            return;
        }
        if rules.is_email {
            self.email(name, text);
        } else {
            self.characters(name, text, rules.max, rules.is_multiline);
        }
        let length = text.chars().count();
        if length == 0 && (rules.is_required || rules.min > 0) {
            // Over whatever else was said of nothing.
            self.0.insert(name.to_owned(), "required");
        } else if length < rules.min {
            self.add(name, "too_short");
        } else if rules.is_date && length > 0 && !is_date(text) {
            self.add(name, "invalid_date");
        }
    }

    fn pattern(&mut self, name: &str, text: &mut impl Text, pattern: &Regex, code: &'static str) {
        let text = text.present().filter(|text| !text.is_empty());
        if text.is_some_and(|text| !pattern.is_match(text)) {
            self.add(name, code);
        }
    }

    fn characters(&mut self, name: &str, text: &mut String, max: usize, is_multiline: bool) {
        if text.trim().len() < text.len() {
            *text = text.trim().to_owned();
        }
        if text.chars().count() > max {
            self.add(name, "too_long");
        } else if text.chars().any(|c| (c.is_control() && !(is_multiline && c == '\n')) || turns_direction(c)) {
            self.add(name, "invalid_characters");
        }
    }

    fn email(&mut self, name: &str, address: &mut String) {
        *address = email::normal(address);
        if address.len() > email::MAX {
            self.add(name, "too_long");
        } else if !address.is_empty() && !email::is_valid(address) {
            self.add(name, "invalid_email");
        }
    }

    fn number(&mut self, name: &str, number: impl Number, range: RangeInclusive<i64>, code: Option<&'static str>) {
        let Some(number) = number.present() else { return };
        if number < *range.start() {
            self.add(name, code.unwrap_or(if *range.start() == 0 { "negative" } else { "too_small" }));
        } else if number > *range.end() {
            self.add(name, code.unwrap_or("too_large"));
        }
    }

    /// What is no number at all is outside of every range.
    fn decimal(&mut self, name: &str, number: Option<f64>, range: RangeInclusive<f64>) {
        let Some(number) = number.filter(|number| !range.contains(number)) else { return };
        self.add(name, if number < *range.start() { "too_small" } else { "too_large" });
    }

    fn choices<E: TryFrom<i32>>(&mut self, name: &str, mut numbers: impl Iterator<Item = i32>) {
        if numbers.any(|number| E::try_from(number).is_err()) {
            self.add(name, "invalid");
        }
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        if !is_set {
            self.add(name, "required");
        }
    }

    fn items(&mut self, name: &str, count: usize, is_required: bool, max: usize) {
        if is_required && count == 0 {
            self.add(name, "required");
        } else if count > max {
            self.add(name, "too_many");
        }
    }
}

/// A text that may be absent, or not.
trait Text {
    fn present(&mut self) -> Option<&mut String>;
}

impl Text for String {
    fn present(&mut self) -> Option<&mut String> {
        Some(self)
    }
}

impl Text for Option<String> {
    fn present(&mut self) -> Option<&mut String> {
        self.as_mut()
    }
}

/// A number that may be absent, or not.
trait Number {
    fn present(self) -> Option<i64>;
}

impl<T: Into<i64>> Number for Option<T> {
    fn present(self) -> Option<i64> {
        self.map(Into::into)
    }
}

impl Number for u32 {
    fn present(self) -> Option<i64> {
        Some(self.into())
    }
}

impl Number for i64 {
    fn present(self) -> Option<i64> {
        Some(self)
    }
}

/// `YYYY-MM-DD`, and such a day there was or will be.
fn is_date(text: &str) -> bool {
    text.len() == 10 && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// Marks, embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9), the line and paragraph
/// separators before them, and the byte order mark.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
