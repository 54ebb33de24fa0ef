//! Why the certificate of a server is not accepted.

use std::{error::Error, fmt, io};

use armada_proto::Timestamp;
use rustls::{CertificateError, pki_types::UnixTime};

/// What is wrong with the certificate that a server has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateRefused {
    /// It is for others.
    WrongName {
        /// The server that was asked for.
        wanted: String,
        /// Those that it is for.
        names: Vec<String>,
    },
    /// Its time is over, since then where that is known.
    Expired(Option<Timestamp>),
    /// Its time begins later, then where that is known.
    NotYetValid(Option<Timestamp>),
    /// Who has signed it is not trusted.
    UnknownAuthority,
    /// Something else, in the words of the library.
    Other(String),
}

impl CertificateRefused {
    /// What is behind an error, if a certificate is.
    pub fn in_error(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(rustls::Error::InvalidCertificate(why)) = error.downcast_ref() {
                return Some(Self::from(why));
            }
            // What is in an `io::Error` is not among its sources.
            let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            next = match inner {
                Some(inner) => Some(inner),
                None => error.source(),
            };
        }
        None
    }

    /// Which of them it is, for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::WrongName { .. } => "certificate_wrong_name",
            Self::Expired(_) => "certificate_expired",
            Self::NotYetValid(_) => "certificate_not_yet_valid",
            Self::UnknownAuthority => "certificate_unknown_authority",
            Self::Other(_) => "certificate_refused",
        }
    }
}

/// What an error says to people: what is wrong with a certificate if that is behind it, else its own words.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    CertificateRefused::in_error(error).map_or_else(|| error.to_string(), |refused| refused.to_string())
}

impl From<&CertificateError> for CertificateRefused {
    fn from(error: &CertificateError) -> Self {
        match error {
            CertificateError::NotValidForNameContext { expected, presented } => Self::WrongName {
                wanted: expected.to_str().into_owned(),
                names: presented.iter().map(|name| plain(name).to_owned()).collect(),
            },
            CertificateError::ExpiredContext { not_after, .. } => Self::Expired(Some(timestamp(*not_after))),
            CertificateError::Expired => Self::Expired(None),
            CertificateError::NotValidYetContext { not_before, .. } => Self::NotYetValid(Some(timestamp(*not_before))),
            CertificateError::NotValidYet => Self::NotYetValid(None),
            // An authority that was made anew has its name, and another key.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => Self::UnknownAuthority,
            other => Self::Other(other.to_string()),
        }
    }
}

impl fmt::Display for CertificateRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongName { wanted, names } if names.is_empty() => {
                write!(f, "its certificate is not for {wanted}: it names no server")
            }
            Self::WrongName { wanted, names } => {
                write!(f, "its certificate is not for {wanted}, but for {}", names.join(", "))
            }
            Self::Expired(Some(at)) => write!(f, "its certificate expired at {}", at.to_rfc3339()),
            Self::Expired(None) => f.write_str("its certificate expired"),
            Self::NotYetValid(Some(at)) => write!(f, "its certificate is not valid before {}", at.to_rfc3339()),
            Self::NotYetValid(None) => f.write_str("its certificate is not valid yet"),
            Self::UnknownAuthority => f.write_str("its certificate comes from an unknown authority"),
            Self::Other(why) => write!(f, "its certificate is not accepted: {why}"),
        }
    }
}

impl Error for CertificateRefused {}

fn timestamp(time: UnixTime) -> Timestamp {
    Timestamp::from_millis(i64::try_from(time.as_secs()).unwrap_or(i64::MAX).saturating_mul(1000))
}

/// The library names them `DnsName("fleet.example")` and `IpAddress(127.0.0.1)`.
fn plain(name: &str) -> &str {
    let inside = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inside.unwrap_or(name).trim_matches('"')
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::ServerName;

    use super::*;

    #[test]
    fn says_what_is_wrong() {
        let expected = ServerName::try_from("mail.acme.example").expect("a name");
        let presented = vec!["DnsName(\"old.acme.example\")".to_owned(), "IpAddress(10.0.0.7)".to_owned()];
        let not_after = UnixTime::since_unix_epoch(std::time::Duration::from_secs(1_700_000_000));
        for (error, text) in [
            (
                CertificateError::NotValidForNameContext { expected: expected.clone(), presented },
                "its certificate is not for mail.acme.example, but for old.acme.example, 10.0.0.7",
            ),
            (
                CertificateError::NotValidForNameContext { expected, presented: Vec::new() },
                "its certificate is not for mail.acme.example: it names no server",
            ),
            (
                CertificateError::ExpiredContext { time: UnixTime::now(), not_after },
                "its certificate expired at 2023-11-14T22:13:20Z",
            ),
            (CertificateError::UnknownIssuer, "its certificate comes from an unknown authority"),
        ] {
            // As it comes out of a connection: wrapped twice.
            let wrapped = io::Error::other(io::Error::other(rustls::Error::InvalidCertificate(error)));
            assert_eq!(reason(&wrapped), text);
        }
        assert_eq!(reason(&io::Error::other("refused")), "refused");
    }
}
