//! What many write for JSON although it is none. Done only once a text could not be read, and in one pass.

use serde::de::IgnoredAny;

/// Names of what is no value, in any case of letters: what printf makes of a number that is none, and other languages' null.
const NOTHING: [&str; 7] = ["nan", "inf", "infinity", "null", "none", "nil", "undefined"];

/// The same as JSON, as far as it can be told what was meant; none when nothing is to be changed.
///
/// - A bare word that means nothing is null, as is a value that is missing. Any other, and a number that is none of JSON, is a text.
/// - In a text a control character is a space, and a backslash that escapes nothing stands for itself.
/// - A comma before or behind which there is nothing is none.
pub(crate) fn mended(text: &str) -> Option<String> {
    let (mut mended, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let read = match first {
            '"' => push_text(rest, &mut mended),
            '{' | '}' | '[' | ']' | ':' | ',' => push_mark(first, &mut mended),
            _ if first.is_ascii_whitespace() => {
                mended.push(first);
                1
            }
            _ => push_bare(rest, &mut mended),
        };
        rest = &rest[read..];
    }
    (mended != text).then_some(mended)
}

/// Whether a parser can read it, maybe once it is mended.
pub(crate) fn is_readable(text: &str) -> bool {
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_json(text) || mended(text).is_some_and(|mended| is_json(&mended))
}

/// A mark between values. Returns how many bytes were read, as the others do.
fn push_mark(mark: char, mended: &mut String) -> usize {
    let end = mended.trim_ascii_end().len();
    match (mended[..end].chars().next_back(), mark) {
        (Some(':'), ',' | '}' | ']') => mended.push_str("null"),
        (Some(','), '}' | ']') => mended.truncate(end - 1),
        (Some('{' | '[' | ','), ',') => return 1,
        _ => {}
    }
    mended.push(mark);
    1
}

/// From one quotation mark to the next.
fn push_text(text: &str, mended: &mut String) -> usize {
    mended.push('"');
    let mut rest = &text[1..];
    while let Some(first) = rest.chars().next() {
        let mut read = first.len_utf8();
        match first {
            '\\' => match escape_length(rest.as_bytes()) {
                Some(length) => {
                    mended.push_str(&rest[..length]);
                    read = length;
                }
                None => mended.push_str("\\\\"),
            },
            _ if first.is_ascii_control() => mended.push(' '),
            _ => mended.push(first),
        }
        rest = &rest[read..];
        if first == '"' {
            break;
        }
    }
    text.len() - rest.len()
}

/// How long an escape is that begins with a backslash; none when it is none.
fn escape_length(text: &[u8]) -> Option<usize> {
    match text.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => text.get(2..6)?.iter().all(u8::is_ascii_hexdigit).then_some(6),
        _ => None,
    }
}

/// What stands without quotation marks, up to the next mark.
fn push_bare(text: &str, mended: &mut String) -> usize {
    let end = text.find(['{', '}', '[', ']', ':', ',', '"']).unwrap_or(text.len());
    let word = text[..end].trim_ascii_end();
    if serde_json::from_str::<IgnoredAny>(word).is_ok() {
        mended.push_str(word);
    } else if is_nothing(word) {
        mended.push_str("null");
    } else {
        mended.push('"');
        for c in word.chars() {
            match c {
                '\\' => mended.push_str("\\\\"),
                _ if c.is_ascii_control() => mended.push(' '),
                _ => mended.push(c),
            }
        }
        mended.push('"');
    }
    word.len()
}

/// With a sign or without, and what some printf says of it in parentheses.
fn is_nothing(word: &str) -> bool {
    let name = word.trim_start_matches(['-', '+']).split('(').next().unwrap_or_default();
    NOTHING.iter().any(|nothing| name.eq_ignore_ascii_case(nothing))
}
