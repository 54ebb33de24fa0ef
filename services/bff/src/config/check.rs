//! What a setting may be.

use armada_runtime::{Code, Error, Result};

/// An error unless a setting is at least 1 and at most `max`.
pub(super) fn within(name: &str, value: u64, max: u64) -> Result<()> {
    if (1..=max).contains(&value) { Ok(()) } else { Err(refused(format!("{name} = {value}: must be 1 to {max}"))) }
}

/// A configuration that cannot be.
pub(super) fn refused(message: String) -> Error {
    Error::new(Code::Invalid, "invalid", message)
}
