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
