//! Bytes that nobody can guess.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::error::{Error, Result};

/// So many of them.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes)
}

/// 256 bits of them as letters, digits, `-` and `_`, which stand in an address as they are.
pub fn random_text() -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(random::<32>()?))
}
