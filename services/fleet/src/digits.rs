//! How people write an IMEI.

/// The digits of an IMEI as it stands on labels and in tables: `86-543210-987654-9`, `86 543210 987654 9`. Everything
/// else stays, and is found out to be no IMEI.
pub fn of(text: &str) -> String {
    text.chars().filter(|c| !(c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '–' | '.' | '/'))).collect()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn separators_are_taken_out() {
        for text in ["865432109876549", "86-543210-987654-9", " 86 543210 987654 9\t", "86.543210/987654\u{a0}9"] {
            assert_eq!(of(text), "865432109876549", "{text}");
        }
        for text in ["86543210987654a", "+865432109876549", "८6543"] {
            assert_eq!(of(text), text);
        }
    }
}
