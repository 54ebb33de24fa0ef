//! The algorithms of TLS.

use std::sync::{Arc, LazyLock};

use rustls::crypto::{CryptoProvider, ring};

/// Those of ring, whatever else is linked into the process.
pub(super) fn provider() -> Arc<CryptoProvider> {
    static RING: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| Arc::new(ring::default_provider()));
    RING.clone()
}
