//! Keys of NATS for whoever says which connections a server lets in, and the tokens that are signed with them.
//!
//! A key is a pair of Ed25519, written in base32 with a prefix for its kind and a checksum, as
//! <https://github.com/nats-io/nkeys> describes it; a token is a JWT whose algorithm is `ed25519-nkey`.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use data_encoding::BASE32_NOPAD;
use ed25519_dalek::{Signer, SigningKey};
use serde::Serialize;

use crate::error::{Error, Result};

/// First byte of a seed: `S` in base32.
const SEED: u8 = 18 << 3;
/// First byte of the public key of an account: `A`.
const ACCOUNT: u8 = 0;

/// The key of an account, which signs what identity tells the server.
#[derive(Clone)]
pub struct AccountKey(SigningKey);

impl AccountKey {
    /// A new one.
    pub fn generate() -> Result<Self> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(Error::internal)?;
        Ok(Self(SigningKey::from_bytes(&seed)))
    }

    /// Reads what [`Self::seed`] wrote: `SA…`.
    pub fn from_seed(text: &str) -> Result<Self> {
        let refused = || Error::unavailable("the seed of the key that vouches for gateways is not one of an account");
        let bytes = BASE32_NOPAD.decode(text.trim().as_bytes()).map_err(|_| refused())?;
        let (payload, checksum) = bytes.split_at_checked(34).ok_or_else(refused)?;
        if checksum != crc16(payload).to_le_bytes() || payload[..2] != [SEED | (ACCOUNT >> 5), (ACCOUNT & 31) << 3] {
            return Err(refused());
        }
        let seed: [u8; 32] = payload[2..].try_into().map_err(|_| refused())?;
        Ok(Self(SigningKey::from_bytes(&seed)))
    }

    /// The private part, to be kept.
    pub fn seed(&self) -> String {
        encode(&[SEED | (ACCOUNT >> 5), (ACCOUNT & 31) << 3], self.0.as_bytes())
    }

    /// The public part, which the server is told: `A…`.
    pub fn public(&self) -> String {
        encode(&[ACCOUNT], self.0.verifying_key().as_bytes())
    }

    /// A signed token that says `claims`.
    pub fn sign(&self, claims: &impl Serialize) -> Result<String> {
        let header = BASE64_URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ed25519-nkey"}"#);
        let claims = serde_json::to_vec(claims).map_err(Error::internal)?;
        let signed = format!("{header}.{}", BASE64_URL_SAFE_NO_PAD.encode(claims));
        let signature = self.0.sign(signed.as_bytes()).to_bytes();
        Ok(format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
    }
}

fn encode(prefix: &[u8], key: &[u8]) -> String {
    let mut bytes = [prefix, key].concat();
    bytes.extend(crc16(&bytes).to_le_bytes());
    BASE32_NOPAD.encode(&bytes)
}

/// CRC-16/XMODEM.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0_u16, |crc, byte| {
        (0..8).fold(
            crc ^ (u16::from(*byte) << 8),
            |crc, _| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum's published check value.
    #[test]
    fn the_checksum_is_that_of_xmodem() {
        assert_eq!(crc16(b"123456789"), 0x31C3);
    }

    #[test]
    fn nkey_round_trips_through_its_seed() {
        let key = AccountKey::generate().expect("random bytes");
        let seed = key.seed();
        assert!(seed.starts_with("SA") && seed.len() == 58, "{seed}");
        assert!(key.public().starts_with('A') && key.public().len() == 56);
        assert_eq!(AccountKey::from_seed(&seed).expect("a seed").public(), key.public());
        let mut damaged = seed.clone().into_bytes();
        damaged[20] = if damaged[20] == b'A' { b'B' } else { b'A' };
        for text in [String::from_utf8(damaged).expect("ASCII"), key.public(), String::new(), seed[..40].to_owned()] {
            assert!(AccountKey::from_seed(&text).is_err(), "{text}");
        }
    }
}
