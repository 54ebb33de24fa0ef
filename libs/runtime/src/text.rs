//! When two texts are the same to a reader.

use unicode_normalization::UnicodeNormalization;

/// The form in which texts are compared, sorted and searched: in lower case by Unicode, and composed (NFC), so that a
/// letter with an accent is one thing however it was typed. Databases disagree on this, so none is asked: the result is
/// stored in a column of its own.
///
/// Each character is taken by itself. A sigma at the end of a word has another small letter, which is made the ordinary
/// one, or a word would not be found in a longer one.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).nfc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fold;

    #[test]
    fn folding_ignores_case_and_composition() {
        for (one, other) in [
            ("ÄRZTE", "ärzte"),
            ("A\u{308}RZTE", "ärzte"),
            ("ÉCOLE 7", "e\u{301}cole 7"),
            ("ΟΔΟΣ", "οδος"),
            ("\u{212a}ilo", "kilo"),
            ("ДОСТАВКА", "доставка"),
            ("雅加达", "雅加达"),
        ] {
            assert_eq!(fold(one), fold(other), "{one}");
        }
        assert_ne!(fold("arzte"), fold("ärzte"));
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
