//! The mail server: how it is reached, and whose certificates are taken for its own.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use armada_runtime::{
    Error, Result, Secret,
    trust::{Authorities, Trust},
};
use lettre::{
    AsyncSmtpTransport, Tokio1Executor,
    transport::smtp::{
        self,
        client::{Certificate, CertificateStore, Tls, TlsParameters},
    },
};
use url::Url;

/// How long it may take to answer.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// Sends over a connection of its own each time.
pub(super) type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// The server of an address. Cheap to clone.
#[derive(Clone)]
pub(super) struct MailServer {
    url: Secret,
    trust: Trust,
    /// The last one, and who was trusted when it was made.
    made: Arc<ArcSwap<(Arc<Authorities>, Transport)>>,
}

impl MailServer {
    /// At `smtp[s]://[user:password@]host[:port][?tls=required]`. An error may quote the password.
    pub(super) fn new(url: &Secret, trust: Trust) -> Result<Self, smtp::Error> {
        let authorities = trust.authorities();
        let transport = connect_to(url, &authorities)?;
        Ok(Self { url: url.clone(), trust, made: Arc::new(ArcSwap::from_pointee((authorities, transport))) })
    }

    /// What sends to it, and trusts whom this process trusts now.
    pub(super) fn transport(&self) -> Result<Transport> {
        let authorities = self.trust.authorities();
        let made = self.made.load();
        if Arc::ptr_eq(&made.0, &authorities) {
            return Ok(made.1.clone());
        }
        let transport = connect_to(&self.url, &authorities);
        let transport = transport.map_err(|_| Error::unavailable("the certificates of authorities cannot be used"))?;
        self.made.store(Arc::new((authorities, transport.clone())));
        Ok(transport)
    }
}

fn connect_to(url: &Secret, authorities: &Authorities) -> Result<Transport, smtp::Error> {
    let mut builder = Transport::from_url(url.reveal())?.timeout(Some(SEND_TIMEOUT));
    if let Some((encryption, host)) = encryption(url.reveal()) {
        builder = builder.tls(encryption(parameters(host, authorities)?));
    }
    Ok(builder.build())
}

/// When TLS begins.
type Encryption = fn(TlsParameters) -> Tls;

/// How the library reads the address, which has its own idea of whom to trust: when TLS begins, and the name of the server.
fn encryption(url: &str) -> Option<(Encryption, String)> {
    let url = Url::parse(url).ok()?;
    let tls = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value);
    let encryption: Encryption = match (url.scheme(), tls.as_deref()) {
        ("smtps", _) => Tls::Wrapper,
        ("smtp", Some("required")) => Tls::Required,
        ("smtp", Some("opportunistic")) => Tls::Opportunistic,
        _ => return None,
    };
    Some((encryption, url.host_str()?.to_owned()))
}

fn parameters(host: String, authorities: &Authorities) -> Result<TlsParameters, smtp::Error> {
    let mut parameters = TlsParameters::builder(host).certificate_store(CertificateStore::WebpkiRoots);
    for certificate in authorities.of_machine() {
        parameters = parameters.add_root_certificate(Certificate::from_der(certificate.to_vec())?);
    }
    parameters.build()
}
