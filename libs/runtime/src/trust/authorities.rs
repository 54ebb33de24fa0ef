//! The authorities that are trusted at a time.

use std::sync::Arc;

use rustls::{RootCertStore, client::WebPkiServerVerifier, pki_types::CertificateDer};

use super::provider::provider;

/// The public authorities and those of this machine.
#[derive(Debug)]
pub struct Authorities {
    of_machine: Vec<CertificateDer<'static>>,
    pub(super) verifier: Arc<WebPkiServerVerifier>,
}

impl Authorities {
    pub(super) fn with(of_machine: Vec<CertificateDer<'static>>) -> Self {
        let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        roots.add_parsable_certificates(of_machine.iter().cloned());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build();
        // It fails without any authority, and because of revocation lists, which there are none of.
        Self { of_machine, verifier: verifier.expect("there are public authorities") }
    }

    /// The certificates of those of this machine, besides the public ones.
    pub fn of_machine(&self) -> &[CertificateDer<'static>] {
        &self.of_machine
    }
}
