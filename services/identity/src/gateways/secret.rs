//! What gateways connect with: 256 random bits, so that a plain hash of it tells nobody anything.

use sha2::{Digest, Sha256};

/// What is kept of it.
pub fn hash(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}
