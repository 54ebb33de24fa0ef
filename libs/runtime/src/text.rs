//! When two texts are the same to a reader, which comes first, and which is found by another. Databases disagree on all of
//! this, so none is asked: what is sorted by and searched is stored in columns of its own.

use unicode_normalization::UnicodeNormalization;

/// The form in which texts are compared: in lower case by Unicode, and composed (NFC), so that a letter with an accent is
/// one thing however it was typed.
///
/// Each character is taken by itself. A sigma at the end of a word has another small letter, which is made the ordinary
/// one, or a word would not be found in a longer one.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    lower(text.chars()).nfc().collect()
}

/// What a text is sorted by: texts that [`fold`] makes the same have one key and others have not, and numbers in them
/// ascend by their value, so that "Truk 2" comes before "Truk 10".
pub fn sort_key(text: &str) -> String {
    natural(&fold(text))
}

/// The same of a text that is folded. Each run of digits begins with how many there are, without the zeros that it begins
/// with; how many of those there were decides between texts that are the same otherwise. What marks both comes before
/// all that may stand in a name.
pub(crate) fn natural(folded: &str) -> String {
    let mut key = String::with_capacity(folded.len() + 8);
    let mut zeros = String::new();
    let mut rest = folded;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (text, from_digits) = rest.split_at(begin);
        let end = from_digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(from_digits.len());
        let (digits, behind) = from_digits.split_at(end);
        let number = digits.trim_start_matches('0');
        key.push_str(text);
        key.extend([NUMBER, counted(number.len())]);
        key.push_str(number);
        zeros.push(counted(digits.len() - number.len()));
        rest = behind;
    }
    key.push_str(rest);
    if zeros.chars().any(|zeros| zeros != counted(0)) {
        key.push(ZEROS);
        key.push_str(&zeros);
    }
    key
}

/// Stands before each number of a [`sort_key`].
pub(crate) const NUMBER: char = '\u{1}';
const ZEROS: char = '\u{2}';

/// A count as a character: they ascend together.
fn counted(count: usize) -> char {
    u32::try_from(count).ok().and_then(|count| char::from_u32(0x20 + count.min(0xd000))).unwrap_or(char::MAX)
}

/// What a search looks for, and in: the text in lower case, without accents and other marks on Latin, Greek and Cyrillic
/// letters, its letters and digits in their ordinary form (NFKD), so that "surabaya" is found in "Sūrabaya". Marks of other
/// scripts are letters of their own, and stay.
pub fn search_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    lower(text.nfkd()).filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).nfc().collect()
}

/// In what two names are the same to who looks no closer: the [`search_key`], with one blank where there are several, and
/// without what nobody sees.
pub fn look_alike(name: &str) -> String {
    let seen: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    search_key(&seen).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Soft hyphens, what has no width, marks of direction and variation, and the mark at the beginning of a file.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

fn lower(text: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    text.flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{fold, look_alike, search_key, sort_key};

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

    #[test]
    fn numbers_ascend_by_their_value() {
        let names = [
            "",
            "02 b",
            "7",
            "007",
            "12",
            "A",
            "B 12 XY",
            "B 123 X",
            "B 1234",
            "Truk",
            "truk 1",
            "Truk 2",
            "Truk 02",
            "Truk 002",
            "TRUK 2 a",
            "Truk 2.5",
            "Truk 2.10",
            "Truk 10",
            "Truk 010",
            "Truk 100000000000000000000",
            "Truk a",
            "Élan 2",
        ];
        let mut sorted = names;
        sorted.sort_by_key(|name| sort_key(name));
        assert_eq!(sorted, names);
    }

    #[test]
    fn a_search_passes_over_accents() {
        for (one, other) in [
            ("Sūrabaya", "surabaya"),
            ("Jala\u{301}n", "JALAN"),
            ("Việt Ǻ", "viet a"),
            ("ЙОЖ Ά", "иож α"),
            ("Ｂ１２ ﬁ", "b12 fi"),
            ("İ", "i"),
        ] {
            assert_eq!(search_key(one), search_key(other), "{one}");
        }
        for text in ["กินที่", "ꦗꦮꦶ", "が", "हिन्दी", "가나"] {
            assert_eq!(search_key(text), text.to_owned(), "marks that are letters stay");
        }
    }

    #[test]
    fn names_look_alike_whatever_is_between_and_within_them() {
        for name in ["Grup Á", "grup a", "GRUP  A", " Ｇｒｕｐ\u{a0}A", "Gr\u{200b}up\u{3000}A\u{feff}"] {
            assert_eq!(look_alike(name), "grup a", "{name}");
        }
        assert_ne!(look_alike("Grup A"), look_alike("GrupA"));
    }

    proptest! {
        #[test]
        fn keys_tell_apart_what_folding_does(one in "[aB0-2 é]{0,6}", other in "[aB0-2 é]{0,6}") {
            prop_assert_eq!(sort_key(&one) == sort_key(&other), fold(&one) == fold(&other));
        }

        #[test]
        fn folding_is_idempotent(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
