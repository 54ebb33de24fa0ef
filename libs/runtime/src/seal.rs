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
pub struct Seal {
    key: Option<Arc<LessSafeKey>>,
    /// The key before it: what that has sealed is opened as well.
    former: Option<Arc<LessSafeKey>>,
}

/// What became of something sealed that was to be sealed anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resealed {
    /// The present key has sealed it already.
    Already,
    /// Sealed by the present key.
    Anew(Vec<u8>),
    /// Neither key opens it.
    Lost,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    /// Under a key of a service, derived from the configured one (HKDF, RFC 5869).
    pub fn new(service: &str, secret: Option<&Secret>) -> Result<Self> {
        Self::with_former(service, secret, None)
    }

    /// The same, which opens what was sealed under the key before it as well.
    pub fn with_former(service: &str, secret: Option<&Secret>, former: Option<&Secret>) -> Result<Self> {
        let key = |secret| key_of(service, secret).map(Arc::new);
        Ok(Self { key: secret.map(key).transpose()?, former: former.map(key).transpose()? })
    }

    /// Whether there is a key.
    pub fn is_there(&self) -> bool {
        self.key.is_some()
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
        let opened = opened(self.key()?, purpose, sealed);
        Ok(opened.or_else(|| opened_by(self.former.as_deref(), purpose, sealed)))
    }

    /// Seals anew what the former key has sealed for this use.
    pub fn reseal(&self, purpose: &str, sealed: &[u8]) -> Result<Resealed> {
        if opened(self.key()?, purpose, sealed).is_some() {
            return Ok(Resealed::Already);
        }
        match opened_by(self.former.as_deref(), purpose, sealed) {
            Some(text) => Ok(Resealed::Anew(self.seal(purpose, &text)?)),
            None => Ok(Resealed::Lost),
        }
    }

    fn key(&self) -> Result<&LessSafeKey> {
        self.key.as_deref().ok_or_else(|| {
            Error::new(Code::Unavailable, "secret_key_missing", "ARMADA_SECRET_KEY is not set: nothing can be sealed")
        })
    }
}

fn key_of(service: &str, secret: &Secret) -> Result<LessSafeKey> {
    let prk = Salt::new(HKDF_SHA256, format!("armada {service}").as_bytes()).extract(secret.reveal().as_bytes());
    let key = prk.expand(&[INFO], &CHACHA20_POLY1305).map(UnboundKey::from).map_err(Error::internal)?;
    Ok(LessSafeKey::new(key))
}

fn opened_by(key: Option<&LessSafeKey>, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
    opened(key?, purpose, sealed)
}

fn opened(key: &LessSafeKey, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
    let (&version, rest) = sealed.split_first()?;
    let (nonce, text) = rest.split_first_chunk::<NONCE_LEN>()?;
    let mut text = text.to_vec();
    let opened = key.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(purpose.as_bytes()), &mut text);
    opened.ok().filter(|_| version == VERSION).map(|text| text.to_vec())
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
    fn the_former_key_opens_and_seals_nothing() {
        let (one, two) = (Secret::new("one".to_owned()), Secret::new("two".to_owned()));
        let both = Seal::with_former("identity", Some(&two), Some(&one)).unwrap();
        let sealed = seal("one").seal("totp", b"secret").unwrap();
        assert_eq!(both.open("totp", &sealed).unwrap().as_deref(), Some(b"secret".as_slice()));
        let Resealed::Anew(anew) = both.reseal("totp", &sealed).unwrap() else { panic!("the former key opens it") };
        assert_eq!(seal("two").open("totp", &anew).unwrap().as_deref(), Some(b"secret".as_slice()));
        assert_eq!(both.reseal("totp", &anew).unwrap(), Resealed::Already);
        assert_eq!(both.reseal("mail", &sealed).unwrap(), Resealed::Lost);
        assert_eq!(seal("two").reseal("totp", &sealed).unwrap(), Resealed::Lost);
    }

    #[test]
    fn refuses_without_a_key() {
        let none = Seal::new("identity", None).unwrap();
        assert_eq!(none.seal("totp", b"x").unwrap_err().code, "secret_key_missing");
    }
}
