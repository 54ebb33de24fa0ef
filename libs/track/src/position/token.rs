//! Names of alarms as parts of a subject.

/// An alarm's name as a token of a subject: whatever else stands in it becomes an underscore.
pub(crate) fn token(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(letter).collect()
}
