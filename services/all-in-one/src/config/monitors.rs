//! Where NATS servers tell of themselves.

use std::fmt;

use serde::Deserialize;
use url::Url;

/// The monitoring addresses of the servers of one NATS, at least one. As text: separated by commas.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Monitors(Vec<String>);

/// Why a text is no list of monitors; the place of the wrong one, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MonitorError {
    Empty(usize),
    NotHttp(usize),
    Invalid(usize, url::ParseError),
}

impl fmt::Display for MonitorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(place) => write!(f, "address {place} of a monitor is empty"),
            Self::NotHttp(place) => write!(f, "address {place} of a monitor must begin with http:// or https://"),
            Self::Invalid(place, why) => write!(f, "address {place} of a monitor: {why}"),
        }
    }
}

impl std::error::Error for MonitorError {}

impl TryFrom<String> for Monitors {
    type Error = MonitorError;

    fn try_from(text: String) -> Result<Self, MonitorError> {
        text.split(',').zip(1..).map(|(text, place)| parsed(text.trim(), place)).collect::<Result<_, _>>().map(Self)
    }
}

/// An address to which a path can be added.
fn parsed(text: &str, place: usize) -> Result<String, MonitorError> {
    if text.is_empty() {
        return Err(MonitorError::Empty(place));
    }
    let url = Url::parse(text).map_err(|error| MonitorError::Invalid(place, error))?;
    if !["http", "https"].contains(&url.scheme()) {
        return Err(MonitorError::NotHttp(place));
    }
    Ok(text.trim_end_matches('/').to_owned())
}

impl Monitors {
    /// Each of them, without a slash at the end.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
