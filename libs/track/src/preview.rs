//! How a message looks to somebody who wants to know what a gateway sends.

/// The beginning of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Text as it came; anything else as hexadecimal digits.
    pub text: String,
    /// Whether it is text.
    pub is_text: bool,
    /// Whether there was more.
    pub is_cut: bool,
}

/// Up to `most` bytes of a message, to be shown.
pub fn preview(body: &[u8], most: usize) -> Preview {
    let begin = &body[..body.len().min(most)];
    let text = match std::str::from_utf8(begin) {
        Ok(text) => Some(text),
        // A character is cut in two.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&begin[..error.valid_up_to()]).ok(),
        Err(_) => None,
    };
    let text = text.filter(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()));
    Preview {
        text: text.map_or_else(|| begin.iter().map(|byte| format!("{byte:02x}")).collect(), str::to_owned),
        is_text: text.is_some(),
        is_cut: body.len() > most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_as_it_came_and_anything_else_as_digits() {
        let text = preview(br#"{"name": "Jalan Sudirman"}"#, 100);
        assert!(text.is_text && text.text.contains("Sudirman") && !text.is_cut);
        let bytes = preview(&[8, 1, 0xFF], 100);
        assert_eq!((bytes.is_text, bytes.text.as_str()), (false, "0801ff"));
        let cut = preview("éé".as_bytes(), 3);
        assert_eq!((cut.is_text, cut.is_cut, cut.text.as_str()), (true, true, "é"));
        assert!(!preview(b"a\x00b", 100).is_text, "what no text has");
    }
}
