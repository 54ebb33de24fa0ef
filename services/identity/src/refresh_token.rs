//! Refresh tokens: the id of a session and a secret of 256 bits. Of a secret only its SHA-256 is stored.
//!
//! Each use replaces the secret by a successor, derived from the secret itself and a fresh random salt, which is stored
//! beside the hashes. Whoever presents the secret before the present one again, within a moment of its replacement, gets
//! the same successor once more, computed from what they presented: an answer that got lost on the way, and twenty
//! requests at once from as many tabs, all continue one line. Neither the database alone nor an old token alone is enough
//! to compute it. Any other secret means that two parties hold tokens of this session, and ends it for both.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::entity::session;

/// The secret half of a token.
pub type Secret = [u8; 32];

/// The text of a token.
pub fn encode(session: Uuid, secret: &Secret) -> String {
    URL_SAFE_NO_PAD.encode([session.as_bytes().as_slice(), secret].concat())
}

/// Reads a token.
pub fn decode(token: &str) -> Option<(Uuid, Secret)> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (session, secret) = bytes.split_at_checked(16)?;
    Some((Uuid::from_slice(session).ok()?, secret.try_into().ok()?))
}

/// What is stored of a secret.
pub fn hash(secret: &Secret) -> Vec<u8> {
    Sha256::digest(secret).to_vec()
}

/// The secret that follows on one.
pub fn successor(secret: &Secret, salt: &[u8]) -> Secret {
    Sha256::new().chain_update(b"armada refresh token").chain_update(secret).chain_update(salt).finalize().into()
}

/// What a presented secret means for its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The present one: it is replaced.
    Current,
    /// The one before, a moment ago: its successor is told again.
    Repeated,
    /// The session has come to its end.
    Expired,
    /// An old or made-up one.
    Reused,
}

/// Judges a secret at `now`; `grace` is how long the one before stays good, `idle` how long a session may go unused, all in
/// milliseconds.
pub fn judge(session: &session::Model, secret: &Secret, now: i64, grace: i64, idle: i64) -> Verdict {
    let hash = hash(secret);
    if now >= session.expires_at || now >= session.last_used_at + idle {
        Verdict::Expired
    } else if hash == session.current_hash {
        Verdict::Current
    } else if hash == session.previous_hash && now < session.rotated_at + grace {
        Verdict::Repeated
    } else {
        Verdict::Reused
    }
}
