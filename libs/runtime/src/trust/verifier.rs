//! Checks certificates by the authorities that are trusted at that moment.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use rustls::{
    DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use tokio::sync::Notify;

use super::{authorities::Authorities, refused::CertificateRefused};

/// What is wrong with a server's certificate is told once in so long: connections are tried again and again.
const TOLD_EVERY: Duration = Duration::from_secs(60);
/// Servers that are remembered for that.
const SERVERS: usize = 64;

/// One for all connections. What is refused is in the log whoever has connected, by the name of the server.
#[derive(Debug)]
pub(super) struct Verifier {
    authorities: Arc<ArcSwap<Authorities>>,
    told: Mutex<HashMap<String, (CertificateRefused, Instant)>>,
    unknown: Notify,
}

impl Verifier {
    pub(super) fn new(authorities: Arc<ArcSwap<Authorities>>) -> Self {
        Self { authorities, told: Mutex::default(), unknown: Notify::new() }
    }

    /// Waits until a server has shown the certificate of an authority that is not trusted, or has since this was asked last.
    pub(super) async fn unknown_authority(&self) {
        self.unknown.notified().await;
    }

    fn tell(&self, server: &ServerName<'_>, refused: CertificateRefused) {
        let server = server.to_str().into_owned();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.get(&server).is_some_and(|(former, at)| *former == refused && at.elapsed() < TOLD_EVERY) {
            return;
        }
        if told.len() >= SERVERS {
            told.clear();
        }
        tracing::warn!(server, reason = %refused, "the certificate of a server is refused");
        told.insert(server, (refused, Instant::now()));
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verifier = self.authorities.load().verifier.clone();
        let verified = verifier.verify_server_cert(end_entity, intermediates, server, ocsp_response, now);
        if let Err(Error::InvalidCertificate(why)) = &verified {
            let refused = CertificateRefused::from(why);
            if refused == CertificateRefused::UnknownAuthority {
                self.unknown.notify_one();
            }
            self.tell(server, refused);
        }
        verified
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.load().verifier.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.load().verifier.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.load().verifier.supported_verify_schemes()
    }
}
