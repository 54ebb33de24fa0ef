//! What is wrong with a request, field by field, so that one answer names all of it.

use std::collections::BTreeMap;

use crate::error::{Code, Error, Result};

/// Codes of wrong fields, by the field's name in JSON. The first code of a field stays.
#[derive(Debug, Default)]
pub struct Fields(BTreeMap<String, &'static str>);

impl Fields {
    /// This field is wrong.
    pub fn wrong(&mut self, name: &str, code: &'static str) {
        self.0.entry(name.to_owned()).or_insert(code);
    }

    /// Trims a text of one line and checks its length in characters. Control characters and marks that turn the
    /// direction of text around are refused: they make a name look like another one.
    pub fn line(&mut self, name: &str, value: &mut Option<String>, max: usize) {
        self.text(name, value, max, |c| c.is_control());
    }

    /// The same for a text that may have several lines.
    pub fn lines(&mut self, name: &str, value: &mut Option<String>, max: usize) {
        self.text(name, value, max, |c| c.is_control() && c != '\n');
    }

    fn text(&mut self, name: &str, value: &mut Option<String>, max: usize, refused: fn(char) -> bool) {
        let Some(text) = value else { return };
        *text = text.trim().to_owned();
        if text.chars().count() > max {
            self.wrong(name, "too_long");
        } else if text.chars().any(|c| refused(c) || turns_direction(c)) {
            self.wrong(name, "invalid_characters");
        }
    }

    /// The field must not be empty, and when something is being created it must be there.
    pub fn require(&mut self, name: &str, value: Option<&str>, creating: bool) {
        if value.map_or(creating, |text| text.trim().is_empty()) {
            self.wrong(name, "required");
        }
    }

    /// An error if any field is wrong.
    pub fn check(self) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let text: Vec<_> = self.0.iter().map(|(name, code)| format!("{name}: {code}")).collect();
        let error = Error::new(Code::Invalid, "invalid", text.join(", "));
        Err(self.0.into_iter().fold(error, |error, (name, code)| error.with_field(&name, code)))
    }
}

/// Marks, embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9), the line and paragraph
/// separators before them, and the byte order mark.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> (Option<String>, Option<String>) {
        let (mut fields, mut value) = (Fields::default(), Some(text.to_owned()));
        fields.line("name", &mut value, 5);
        (value, fields.check().err().map(|error| error.fields["name"].clone()))
    }

    #[test]
    fn lines_are_trimmed_and_bounded() {
        assert_eq!(line("  Budi "), (Some("Budi".to_owned()), None));
        assert_eq!(line("🚚🚚🚚🚚🚚").1, None);
        assert_eq!(line("123456").1.as_deref(), Some("too_long"));
    }

    #[test]
    fn what_disguises_a_name_is_refused() {
        for text in ["a\nb", "a\0b", "a\u{202e}b", "a\u{2067}b", "a\u{200f}b", "a\u{7f}b", "a\u{2028}b"] {
            assert_eq!(line(text).1.as_deref(), Some("invalid_characters"), "{text:?}");
        }
    }

    #[test]
    fn absent_is_fine_unless_creating() {
        for (value, creating, wrong) in
            [(None, false, false), (None, true, true), (Some(" "), false, true), (Some("x"), true, false)]
        {
            let mut fields = Fields::default();
            fields.require("name", value, creating);
            assert_eq!(fields.check().is_err(), wrong, "{value:?} {creating}");
        }
    }
}
