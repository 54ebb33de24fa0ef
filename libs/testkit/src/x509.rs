//! Certificates as RFC 5280 writes them, with keys on the curve P-256: what tests need of it.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::STANDARD};

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OID: u8 = 0x06;
const UTF8_STRING: u8 = 0x0c;
const UTC_TIME: u8 = 0x17;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
/// `TRUE`, whole.
const TRUE: &[u8] = &[0x01, 0x01, 0xff];

const ECDSA_WITH_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];

/// What is certified.
pub(crate) struct Certificate<'a> {
    /// The common name of who signs.
    pub(crate) issuer: &'a str,
    /// The common name of whose key it is.
    pub(crate) subject: &'a str,
    /// First and last second, as `YYMMDDhhmmssZ`.
    pub(crate) times: (&'a str, &'a str),
    /// A point of the curve, uncompressed.
    pub(crate) public_key: &'a [u8],
    /// What else it says.
    pub(crate) extension: Extension<'a>,
}

/// What a key is for.
pub(crate) enum Extension<'a> {
    /// It signs certificates.
    Authority,
    /// It belongs to a server with these names.
    Names(Vec<Name<'a>>),
}

/// A name of a server.
pub(crate) enum Name<'a> {
    Dns(&'a str),
    Address(IpAddr),
}

impl Certificate<'_> {
    /// The whole in DER. `sign` gives the ECDSA signature with SHA-256 of who issues it.
    pub(crate) fn signed(&self, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let algorithm = sequence(&[&value(OID, ECDSA_WITH_SHA256)]);
        let text = self.to_be_signed(&algorithm);
        let signature = bits(&sign(&text));
        sequence(&[&text, &algorithm, &signature])
    }

    fn to_be_signed(&self, algorithm: &[u8]) -> Vec<u8> {
        let version = value(0xa0, &value(INTEGER, &[2]));
        // Each key has one certificate, so a part of it serves as its number.
        let number = value(INTEGER, &[&[1], &self.public_key[1..9]].concat());
        let times = sequence(&[&value(UTC_TIME, self.times.0.as_bytes()), &value(UTC_TIME, self.times.1.as_bytes())]);
        let curve = sequence(&[&value(OID, EC_PUBLIC_KEY), &value(OID, P256)]);
        let key = sequence(&[&curve, &bits(self.public_key)]);
        let extensions = value(0xa3, &sequence(&[&self.extension.text()]));
        let (issuer, subject) = (common_name(self.issuer), common_name(self.subject));
        sequence(&[&version, &number, algorithm, &issuer, &times, &subject, &key, &extensions])
    }
}

impl Extension<'_> {
    fn text(&self) -> Vec<u8> {
        match self {
            Self::Authority => {
                let said = value(OCTET_STRING, &sequence(&[TRUE]));
                sequence(&[&value(OID, BASIC_CONSTRAINTS), TRUE, &said])
            }
            Self::Names(names) => {
                let names: Vec<u8> = names.iter().flat_map(Name::text).collect();
                let said = value(OCTET_STRING, &value(SEQUENCE, &names));
                sequence(&[&value(OID, SUBJECT_ALT_NAME), &said])
            }
        }
    }
}

impl Name<'_> {
    fn text(&self) -> Vec<u8> {
        match self {
            Self::Dns(name) => value(0x82, name.as_bytes()),
            Self::Address(IpAddr::V4(address)) => value(0x87, &address.octets()),
            Self::Address(IpAddr::V6(address)) => value(0x87, &address.octets()),
        }
    }
}

/// In PEM (RFC 7468).
pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines = text.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line) + "\n");
    format!("-----BEGIN {label}-----\n{}-----END {label}-----\n", lines.collect::<String>())
}

fn common_name(name: &str) -> Vec<u8> {
    let pair = sequence(&[&value(OID, COMMON_NAME), &value(UTF8_STRING, name.as_bytes())]);
    sequence(&[&value(SET, &pair)])
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    value(SEQUENCE, &parts.concat())
}

/// Whole bytes: none of the bits is unused.
fn bits(content: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], content].concat())
}

/// A tag, the length and what it is of.
fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).expect("certificates are short");
    let [high, low] = length.to_be_bytes();
    let mut text = vec![tag];
    match (high, low) {
        (0, low @ 0..0x80) => text.push(low),
        (0, low) => text.extend([0x81, low]),
        (high, low) => text.extend([0x82, high, low]),
    }
    text.extend(content);
    text
}
