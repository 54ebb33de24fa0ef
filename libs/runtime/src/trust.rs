//! Whom connections to other servers trust: the public certificate authorities, and besides them those of the system's
//! store, or of `SSL_CERT_FILE` and `SSL_CERT_DIR` in the place of that store. The files are looked at again while the
//! process runs, and what was connected with a configuration of here follows.

mod authorities;
mod places;
mod provider;
mod refused;
mod verifier;

use std::{
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use arc_swap::ArcSwap;
use rustls::{ClientConfig, client::Resumption};
use tokio_util::sync::CancellationToken;

pub use self::{
    authorities::Authorities,
    places::Places,
    refused::{CertificateRefused, reason},
};
use self::{places::Files, provider::provider, verifier::Verifier};
use crate::error::{Error, Result};

/// How often the files are looked at, unless a server comes with an unknown authority: then at once.
pub const LOOK_EVERY: Duration = Duration::from_secs(30);
/// How long nobody looks again after that, whatever servers show.
const LOOK_PAUSE: Duration = Duration::from_secs(1);

/// Where the process looks, as its variables said when it began.
static NAMED: OnceLock<Places> = OnceLock::new();

/// Reads where this process looks, and refuses what is no file of certificates. To be called once, while there is no other
/// thread: it changes variables of the process.
pub fn begin() -> Result<()> {
    let places = NAMED.get_or_init(Places::of_process);
    places.check()?;
    places::tidy_variables();
    Ok(())
}

/// Whom a process trusts. Cheap to clone.
#[derive(Clone)]
pub struct Trust {
    authorities: Arc<ArcSwap<Authorities>>,
    verifier: Arc<Verifier>,
    files: Arc<Mutex<Files>>,
}

impl Trust {
    /// What all connections of this process go by. The first who asks waits until the files are read, some milliseconds.
    pub fn of_process() -> &'static Self {
        static PROCESS: LazyLock<Trust> = LazyLock::new(|| Trust::read(NAMED.get_or_init(Places::of_process).clone()));
        &PROCESS
    }

    /// Reads what is in these places. What cannot be read is in the log, and nobody is trusted for it. Blocks.
    pub fn read(places: Places) -> Self {
        let mut files = Files::new(places);
        files.look();
        let authorities = Arc::new(ArcSwap::from_pointee(Authorities::with(files.certificates())));
        let verifier = Arc::new(Verifier::new(authorities.clone()));
        Self { authorities, verifier, files: Arc::new(Mutex::new(files)) }
    }

    /// How to connect over TLS: who is trusted is decided at each handshake anew.
    pub fn client_config(&self) -> Result<ClientConfig, rustls::Error> {
        let mut config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(self.verifier.clone())
            .with_no_client_auth();
        // A server that goes on with a former session shows no certificate.
        config.resumption = Resumption::disabled();
        Ok(config)
    }

    /// Who is trusted now. Another one of these when that changes.
    pub fn authorities(&self) -> Arc<Authorities> {
        self.authorities.load_full()
    }

    /// Reads files that have changed since they were read last. Blocks.
    pub fn look_again(&self) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.look() {
            let certificates = files.certificates();
            tracing::info!(certificates = certificates.len(), "the certificates of authorities have changed");
            self.authorities.store(Arc::new(Authorities::with(certificates)));
        }
    }

    /// Looks at the files so often, and when a server comes with an unknown authority, until shutdown.
    pub async fn watch(self, every: Duration, shutdown: CancellationToken) -> Result<()> {
        while shutdown.run_until_cancelled(self.due(every)).await.is_some() {
            let trust = self.clone();
            tokio::task::spawn_blocking(move || trust.look_again()).await.map_err(Error::internal)?;
            shutdown.run_until_cancelled(tokio::time::sleep(LOOK_PAUSE)).await;
        }
        Ok(())
    }

    async fn due(&self, every: Duration) {
        tokio::select! {
            () = self.verifier.unknown_authority() => {}
            () = tokio::time::sleep(every) => {}
        }
    }
}
