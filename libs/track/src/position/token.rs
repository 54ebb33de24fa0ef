//! Names of alarms as parts of a subject.

/// An alarm's name as a token of a subject. Of ASCII, what is neither a letter nor a digit becomes an underscore, none at either
/// end. Other scripts stay as they are, so that their names differ and can be read; but not what a token cannot have, or nobody sees.
pub(crate) fn token(name: &str) -> String {
    let letter = |c: char| match c {
        _ if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
        _ if c.is_ascii() || c.is_whitespace() || c.is_control() || is_unseen(c) => '_',
        _ => c,
    };
    let token: String = name.chars().map(letter).collect();
    let trimmed = token.trim_matches('_');
    if trimmed.is_empty() { token } else { trimmed.to_owned() }
}

/// Marks without width, and those that turn the direction of a text around.
const fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
