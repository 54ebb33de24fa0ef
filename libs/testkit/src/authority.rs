//! A certificate authority that a test makes, and what servers show that have a certificate of it.

use std::{net::IpAddr, sync::Arc};

use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use crate::x509::{self, Certificate, Extension, pem};

/// Certificates are good from the first day of 2020.
const BEGIN: &str = "200101000000Z";
/// Those of 2021 are over; the others outlive all of us.
const END: &str = "491231235959Z";
const LONG_AGO: &str = "210101000000Z";

/// The authority.
pub struct Authority {
    name: String,
    key: EcdsaKeyPair,
    certificate: Vec<u8>,
}

/// What a server shows and signs with, in PEM.
pub struct ServerCertificate {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

impl Authority {
    /// A new one with a key of its own. Two may have one name.
    pub fn new(name: &str) -> Self {
        let (key, _) = new_key();
        let certificate = Certificate {
            issuer: name,
            subject: name,
            times: (BEGIN, END),
            public_key: key.public_key().as_ref(),
            extension: Extension::Authority,
        };
        let certificate = certificate.signed(|text| sign(&key, text));
        Self { name: name.to_owned(), key, certificate }
    }

    /// What trusts it, in PEM.
    pub fn pem(&self) -> String {
        pem("CERTIFICATE", &self.certificate)
    }

    /// Of a server with these names or addresses.
    pub fn issue(&self, names: &[&str]) -> ServerCertificate {
        self.issue_until(names, END)
    }

    /// The same, over since the first day of 2021.
    pub fn issue_expired(&self, names: &[&str]) -> ServerCertificate {
        self.issue_until(names, LONG_AGO)
    }

    fn issue_until(&self, names: &[&str], end: &str) -> ServerCertificate {
        let (key, text) = new_key();
        let names = names.iter().map(|name| match name.parse::<IpAddr>() {
            Ok(address) => x509::Name::Address(address),
            Err(_) => x509::Name::Dns(name),
        });
        let certificate = Certificate {
            issuer: &self.name,
            subject: "a server",
            times: (BEGIN, end),
            public_key: key.public_key().as_ref(),
            extension: Extension::Names(names.collect()),
        };
        let certificate = certificate.signed(|text| sign(&self.key, text));
        ServerCertificate { certificate: pem("CERTIFICATE", &certificate), key: text }
    }
}

impl ServerCertificate {
    /// How a server speaks TLS with it.
    pub(crate) fn server_config(&self) -> Arc<ServerConfig> {
        let certificate = CertificateDer::from_pem_slice(self.certificate.as_bytes()).expect("a certificate");
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key);
        Arc::new(config.expect("the key of the certificate"))
    }
}

/// A key, and what it is in PEM.
fn new_key() -> (EcdsaKeyPair, String) {
    let (algorithm, random) = (&ECDSA_P256_SHA256_ASN1_SIGNING, SystemRandom::new());
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
    let key = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).expect("a key");
    (key, pem("PRIVATE KEY", pkcs8.as_ref()))
}

fn sign(key: &EcdsaKeyPair, text: &[u8]) -> Vec<u8> {
    key.sign(&SystemRandom::new(), text).expect("a signature").as_ref().to_vec()
}
