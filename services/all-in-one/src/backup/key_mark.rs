//! By what a copy knows the secret key again that its databases are sealed with: something that the key has sealed.

use anyhow::Result;
use armada_runtime::{Seal, Secret};

/// What it was sealed for, and what.
const PURPOSE: &str = "the key of a backup";
const TEXT: &[u8] = b"armada";

/// The mark of a key, in hexadecimal.
pub(super) fn of(key: &Secret) -> Result<String> {
    let sealed = seal(key)?.seal(PURPOSE, TEXT)?;
    Ok(sealed.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a mark is of this key.
pub(super) fn is_of(mark: &str, key: &Secret) -> Result<bool> {
    let bytes =
        (0..mark.len()).step_by(2).map(|at| mark.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()));
    let Some(sealed) = bytes.collect::<Option<Vec<u8>>>() else { return Ok(false) };
    Ok(seal(key)?.open(PURPOSE, &sealed)?.is_some_and(|text| text == TEXT))
}

fn seal(key: &Secret) -> Result<Seal> {
    Ok(Seal::new("backup", Some(key))?)
}

#[cfg(test)]
mod tests {
    use armada_runtime::Secret;

    use super::{is_of, of};

    #[test]
    fn a_key_is_known_again() {
        let (key, other) = (Secret::new("one".repeat(20)), Secret::new("two".repeat(20)));
        let mark = of(&key).expect("a mark");
        assert!(is_of(&mark, &key).expect("an answer") && !is_of(&mark, &other).expect("an answer"));
        assert!(!is_of("no mark", &key).expect("an answer"));
    }
}
