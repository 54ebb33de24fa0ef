//! Browsers that have signed in to an account before, known by a token that identity gave them then. Whoever floods the
//! sign-in with guesses has none, so that guesses of strangers and mistakes of one's own are counted apart: what OWASP
//! calls device cookies. A token grants nothing: it does not sign in, and its holder guesses as slowly as everybody.

use std::time::Duration;

use armada_proto::Timestamp;
use armada_runtime::{Error, Result, Secret, random::random};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    hkdf::{HKDF_SHA256, Salt},
    hmac::{self, HMAC_SHA256},
};

/// What tells one browser from another: random, new with each sign-in.
pub type DeviceId = [u8; 16];

/// How long a token is good. Whoever comes back later is a stranger once.
pub const LIFE: Duration = Duration::from_secs(365 * 24 * 3600);
/// Accounts that one browser is known to: people who share a machine.
pub const ACCOUNTS_MAX: usize = 8;
const SALT: &[u8] = b"armada identity";
const INFO: &[u8] = b"known devices 1";
/// What stands between tokens.
pub const SEPARATOR: char = '.';

/// Makes tokens and reads them. Cheap to clone.
#[derive(Clone)]
pub struct KnownDevices(hmac::Key);

impl KnownDevices {
    /// With a key derived from the configured one (HKDF, RFC 5869); without, with one that the next start forgets.
    pub fn new(secret: Option<&Secret>) -> Result<Self> {
        let Some(secret) = secret else { return Ok(Self(hmac::Key::new(HMAC_SHA256, &random::<32>()?))) };
        let prk = Salt::new(HKDF_SHA256, SALT).extract(secret.reveal().as_bytes());
        Ok(Self(prk.expand(&[INFO], HMAC_SHA256).map_err(Error::internal)?.into()))
    }

    /// The browser that brings these tokens, if one of them is for this account.
    pub fn find(&self, tokens: &str, email: &str, now: Timestamp) -> Option<DeviceId> {
        tokens.split(SEPARATOR).take(ACCOUNTS_MAX).find_map(|token| self.read(token, email, now))
    }

    /// What the browser brings from now on: a new token for this account, and those it has for others.
    pub fn renewed(&self, tokens: &str, email: &str, now: Timestamp) -> Result<String> {
        let text = [random::<16>()?.as_slice(), &now.millis().to_be_bytes()].concat();
        let token = URL_SAFE_NO_PAD.encode([&*text, self.tag(&text, email).as_ref()].concat());
        let others = tokens.split(SEPARATOR).take(ACCOUNTS_MAX).filter(|token| {
            let plain = token.len() == TOKEN_CHARS && URL_SAFE_NO_PAD.decode(token).is_ok();
            plain && self.read(token, email, now).is_none()
        });
        let kept: Vec<_> = std::iter::once(&*token).chain(others).take(ACCOUNTS_MAX).collect();
        Ok(kept.join(&SEPARATOR.to_string()))
    }

    fn read(&self, token: &str, email: &str, now: Timestamp) -> Option<DeviceId> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (text, tag) = bytes.split_at_checked(TEXT_BYTES)?;
        let (id, made_at) = text.split_first_chunk::<16>()?;
        let made_at = Timestamp::from_millis(i64::from_be_bytes(made_at.try_into().ok()?));
        hmac::verify(&self.0, &signed(text, email), tag).ok()?;
        (made_at <= now && now < made_at + LIFE).then_some(*id)
    }

    fn tag(&self, text: &[u8], email: &str) -> hmac::Tag {
        hmac::sign(&self.0, &signed(text, email))
    }
}

/// The id, and the milliseconds since 1970 at which it was given.
const TEXT_BYTES: usize = 16 + 8;
/// A token in Base64: the text and a tag of 32 bytes.
pub const TOKEN_CHARS: usize = ((TEXT_BYTES + 32) * 4).div_ceil(3);

fn signed(text: &[u8], email: &str) -> Vec<u8> {
    [text, email.as_bytes()].concat()
}
