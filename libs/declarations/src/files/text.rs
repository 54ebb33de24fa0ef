//! Words and lines.

use std::fmt::Display;

/// Things one after another.
pub fn joined<T: Display>(things: impl IntoIterator<Item = T>, between: &str) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(between)
}

/// Words in lines that are no longer than this, each of which begins so.
pub fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>, begin: &str, width: usize) -> String {
    let mut text = String::new();
    let mut length = width;
    for word in words {
        if length + 1 + word.len() > width {
            if !text.is_empty() {
                text.push('\n');
            }
            text += begin;
            length = begin.len();
        } else {
            text.push(' ');
            length += 1;
        }
        text += word;
        length += word.len();
    }
    text + "\n"
}
