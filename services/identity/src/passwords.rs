//! Which passwords may be chosen.

use std::{collections::HashSet, sync::LazyLock};

use armada_runtime::Violations;
pub use armada_runtime::passwords::{Passwords, Source, is_outdated};

/// Characters of a password: no fewer,
pub const MIN_CHARS: usize = 8;
/// and no more.
pub const MAX_CHARS: usize = 128;

/// What everybody here knows.
const PRODUCT: &str = "armada";
/// Characters of a word that says nothing.
const SHORT_WORD: usize = 3;

/// The 3,000 most common ones that are long enough, in lower case: from the list of zxcvbn (MIT licence, © 2012–2016 Dan
/// Wheeler and Dropbox, Inc.), with some that are common in Indonesia. The console has a copy, which its tests compare.
pub static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Checks a password that somebody chose, in a field of this name; `known` is what is known of them and their company.
pub fn check(fields: &mut Violations, name: &str, password: &str, known: &[&str]) {
    match password.chars().count() {
        0 => fields.add(name, "required"),
        1..MIN_CHARS => fields.add(name, "too_short"),
        MIN_CHARS..=MAX_CHARS if is_common(password) => fields.add(name, "too_common"),
        MIN_CHARS..=MAX_CHARS if is_known(password, known) => fields.add(name, "too_personal"),
        MIN_CHARS..=MAX_CHARS => {}
        _ => fields.add(name, "too_long"),
    }
}

/// Whether little is left of a password without the words that somebody would try who knows whose it is (ASVS 5.0
/// 6.2.11). Words of three letters and fewer are passed over: nearly every password has some.
fn is_known(password: &str, known: &[&str]) -> bool {
    let mut left = password.to_lowercase();
    let known: Vec<String> = known.iter().map(|text| text.to_lowercase()).collect();
    let words = known.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).chain([PRODUCT]);
    let mut words: Vec<_> = known.iter().map(|text| text.trim()).chain(words).collect();
    words.retain(|word| word.chars().count() > SHORT_WORD);
    // The longest first: a part of one would leave the rest of it.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    for word in words {
        left = left.replace(word, "");
    }
    left.chars().filter(|c| c.is_alphanumeric()).count() < MIN_CHARS.min(password.chars().count() / 2 + 1)
}

/// Whether a password is among those that are tried first.
fn is_common(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}
