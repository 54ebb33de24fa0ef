//! The key of a call, on its way from the edge to the service that does the act.

use std::sync::{Arc, OnceLock};

use ring::digest::{self, SHA256};
use tonic::metadata::MetadataMap;

use crate::error::{Error, Result};

/// Metadata with the key.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Metadata with a digest of what is asked for: a key is not believed for something else.
pub(crate) const IDEMPOTENCY_DIGEST: &str = "idempotency-digest";
/// Characters of a key.
const KEY_MAX: usize = 255;

/// What a call is known by that is to be done once, and what it asks for. Clones share both.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    key: Arc<str>,
    /// To where the call went.
    target: Arc<str>,
    digest: Arc<OnceLock<String>>,
}

impl IdempotencyKey {
    /// The key of a call to `target`: 1 to 255 visible characters of ASCII.
    pub fn new(key: &str, target: &str) -> Result<Self> {
        match is_idempotency_key(key) {
            true => Ok(Self { key: key.into(), target: target.into(), digest: Arc::default() }),
            false => Err(Error::field("Idempotency-Key", "invalid")),
        }
    }

    /// Notes the body of the call, before it is put on a call to a service.
    pub fn note_body(&self, body: &[u8]) {
        self.digest.get_or_init(|| self.digest_with(body));
    }

    fn digest_with(&self, body: &[u8]) -> String {
        let mut asked = digest::Context::new(&SHA256);
        asked.update(self.target.as_bytes());
        asked.update(&[0]);
        asked.update(body);
        asked.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Puts both on a call to a service.
    pub(crate) fn put_on(&self, metadata: &mut MetadataMap) {
        let digest = self.digest.get_or_init(|| self.digest_with(&[]));
        for (name, text) in [(IDEMPOTENCY_KEY, &*self.key), (IDEMPOTENCY_DIGEST, digest)] {
            if let Ok(value) = text.parse() {
                metadata.insert(name, value);
            }
        }
    }
}

/// Whether these may be a key.
pub(crate) fn is_idempotency_key(text: &str) -> bool {
    (1..=KEY_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}
