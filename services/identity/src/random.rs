//! Bytes that nobody can guess.

use armada_runtime::{Error, Result};

/// So many of them.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes)
}
