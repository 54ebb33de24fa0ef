//! TLS in front of a server that speaks plainly.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

use crate::authority::ServerCertificate;

/// The front, on a port of 127.0.0.1. It goes when it is dropped.
pub struct TlsFront {
    port: u16,
    shown: Arc<Mutex<TlsAcceptor>>,
    task: JoinHandle<()>,
}

impl TlsFront {
    /// Shows this certificate, and passes on to `behind` what clients say.
    pub async fn start(certificate: &ServerCertificate, behind: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shown = Arc::new(Mutex::new(TlsAcceptor::from(certificate.server_config())));
        let current = shown.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tokio::spawn(pass_on(acceptor, stream, behind));
            }
        });
        Self { port, shown, task }
    }

    /// Shows another certificate to whoever comes from now on.
    pub fn show(&self, certificate: &ServerCertificate) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = TlsAcceptor::from(certificate.server_config());
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Whoever does not like the certificate goes away again.
async fn pass_on(acceptor: TlsAcceptor, stream: TcpStream, behind: SocketAddr) {
    let Ok(mut outside) = acceptor.accept(stream).await else { return };
    let Ok(mut inside) = TcpStream::connect(behind).await else { return };
    let _ = copy_bidirectional(&mut outside, &mut inside).await;
}
