//! Where another service is.

use std::{error, fmt, str::FromStr};

use http::Uri;
use serde::Deserialize;

/// The gRPC addresses of one service, any of which will do, at least one. As text: separated by commas, each
/// `http://host:port`. Services speak plainly with each other: nobody may take another scheme for a promise.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PeerAddresses(Vec<String>);

/// Why a text is no list of addresses; the place of the wrong one, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerAddressError {
    /// Nothing stands there.
    Empty(usize),
    /// It does not begin with `http://`, or names no host.
    NotHttp(usize),
    /// What stands there is no address.
    Invalid(usize, String),
}

impl fmt::Display for PeerAddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(place) => write!(f, "address {place} of a service is empty"),
            Self::NotHttp(place) => write!(f, "address {place} of a service must be http:// and a host"),
            Self::Invalid(place, why) => write!(f, "address {place} of a service: {why}"),
        }
    }
}

impl error::Error for PeerAddressError {}

impl FromStr for PeerAddresses {
    type Err = PeerAddressError;

    fn from_str(text: &str) -> Result<Self, PeerAddressError> {
        text.split(',').zip(1..).map(|(text, place)| parsed(text.trim(), place)).collect::<Result<_, _>>().map(Self)
    }
}

impl TryFrom<String> for PeerAddresses {
    type Error = PeerAddressError;

    fn try_from(text: String) -> Result<Self, PeerAddressError> {
        text.parse()
    }
}

fn parsed(text: &str, place: usize) -> Result<String, PeerAddressError> {
    if text.is_empty() {
        return Err(PeerAddressError::Empty(place));
    }
    let uri: Uri =
        text.parse().map_err(|error: http::uri::InvalidUri| PeerAddressError::Invalid(place, error.to_string()))?;
    let names_host = uri.host().is_some_and(|host| !host.is_empty());
    if uri.scheme_str() != Some("http") || !names_host {
        return Err(PeerAddressError::NotHttp(place));
    }
    Ok(text.to_owned())
}

impl PeerAddresses {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::{PeerAddressError::*, *};

    #[test]
    fn an_address_is_plain_http_and_a_host() {
        let parse = |text: &str| text.parse::<PeerAddresses>();
        let both = parse("http://fleet-1:8082, http://[::1]:8082").expect("it is right");
        assert_eq!(both.iter().collect::<Vec<_>>(), ["http://fleet-1:8082", "http://[::1]:8082"]);
        assert_eq!(parse(""), Err(Empty(1)));
        assert_eq!(parse("http://fleet:8082,"), Err(Empty(2)));
        for wrong in ["https://fleet:8082", "fleet:8082", "fleet", "nats://fleet:8082"] {
            assert_eq!(parse(wrong), Err(NotHttp(1)), "{wrong}");
        }
        for wrong in ["http://", "http://a b"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
