//! What must be read again, and still be of no use to whoever has the database alone, is sealed: encrypted and bound to
//! what it is for, under a key that is not in the database.

use std::{fmt, sync::Arc};

use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Salt},
    rand::{SecureRandom, SystemRandom},
};

use crate::{
    error::{Code, Error, Result},
    secret::Secret,
};

/// The first byte of everything sealed in this way: ChaCha20-Poly1305 (RFC 8439), a random nonce before the text.
const VERSION: u8 = 1;
const INFO: &[u8] = b"seal 1";

/// Seals and opens. Cheap to clone; without a key it refuses both.
#[derive(Clone)]
pub struct Seal(Option<Arc<LessSafeKey>>);

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    /// Under a key of a service, derived from the configured one (HKDF, RFC 5869).
    pub fn new(service: &str, secret: Option<&Secret>) -> Result<Self> {
        let Some(secret) = secret else { return Ok(Self(None)) };
        let prk = Salt::new(HKDF_SHA256, format!("armada {service}").as_bytes()).extract(secret.reveal().as_bytes());
        let key = prk.expand(&[INFO], &CHACHA20_POLY1305).map(UnboundKey::from).map_err(Error::internal)?;
        Ok(Self(Some(Arc::new(LessSafeKey::new(key)))))
    }

    /// Whether there is a key.
    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Seals for one use: opened for another, it is broken.
    pub fn seal(&self, purpose: &str, text: &[u8]) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new().fill(&mut nonce).map_err(Error::internal)?;
        let mut sealed = text.to_vec();
        let aad = Aad::from(purpose.as_bytes());
        self.key()?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed)
            .map_err(Error::internal)?;
        Ok([&[VERSION], nonce.as_slice(), &sealed].concat())
    }

    /// Opens what was sealed for this use; none for everything else.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Option<Vec<u8>>> {
        let key = self.key()?;
        let Some((&VERSION, rest)) = sealed.split_first() else { return Ok(None) };
        let Some((nonce, text)) = rest.split_first_chunk::<NONCE_LEN>() else { return Ok(None) };
        let mut text = text.to_vec();
        let aad = Aad::from(purpose.as_bytes());
        let opened = key.open_in_place(Nonce::assume_unique_for_key(*nonce), aad, &mut text);
        Ok(opened.ok().map(|text| text.to_vec()))
    }

    fn key(&self) -> Result<&LessSafeKey> {
        self.0.as_deref().ok_or_else(|| {
            Error::new(Code::Unavailable, "secret_key_missing", "ARMADA_SECRET_KEY is not set: nothing can be sealed")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(secret: &str) -> Seal {
        Seal::new("identity", Some(&Secret::new(secret.to_owned()))).unwrap()
    }

    #[test]
    fn unseals_for_the_same_purpose_only() {
        let sealed = seal("one").seal("totp", b"secret").unwrap();
        assert_eq!(seal("one").open("totp", &sealed).unwrap().as_deref(), Some(b"secret".as_slice()));
        assert_eq!(seal("one").open("mail", &sealed).unwrap(), None);
        assert_eq!(seal("two").open("totp", &sealed).unwrap(), None);
        assert_ne!(sealed, seal("one").seal("totp", b"secret").unwrap());
        for at in 0..sealed.len() {
            let mut broken = sealed.clone();
            broken[at] ^= 1;
            assert_eq!(seal("one").open("totp", &broken).unwrap(), None, "byte {at}");
            assert_eq!(seal("one").open("totp", &sealed[..at]).unwrap(), None, "{at} bytes");
        }
    }

    #[test]
    fn refuses_without_a_key() {
        let none = Seal::new("identity", None).unwrap();
        assert_eq!(none.seal("totp", b"x").unwrap_err().code, "secret_key_missing");
    }
}
