//! Text that is not for logs.

use std::fmt;

use serde::Deserialize;

/// A password, or a URL with one.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct Secret(String);

impl Secret {
    /// From a text.
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
