//! A certificate authority that a test makes, and what servers show that have a certificate of it.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

/// The authority.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

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
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, new_key()).expect("an authority"))
    }

    /// What trusts it, in PEM.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Of a server with these names or addresses.
    pub fn issue(&self, names: &[&str]) -> ServerCertificate {
        self.sign(params(names))
    }

    /// The same, over since the first day of 2021.
    pub fn issue_expired(&self, names: &[&str]) -> ServerCertificate {
        let mut params = params(names);
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
        self.sign(params)
    }

    fn sign(&self, params: CertificateParams) -> ServerCertificate {
        let key = new_key();
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        ServerCertificate { certificate: certificate.pem(), key: key.serialize_pem() }
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

fn new_key() -> KeyPair {
    KeyPair::generate().expect("a key")
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    CertificateParams::new(names).expect("names of servers")
}
