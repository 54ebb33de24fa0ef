//! TLS in front of a server that speaks plainly.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

use crate::authority::ServerCertificate;

/// When TLS begins.
#[derive(Clone, Copy, PartialEq)]
enum Begins {
    AtOnce,
    WhenAsked,
}

/// The front, on a port of 127.0.0.1. It goes when it is dropped.
pub struct TlsFront {
    port: u16,
    shown: Arc<Mutex<TlsAcceptor>>,
    task: JoinHandle<()>,
}

impl TlsFront {
    /// Shows this certificate, and passes on to `behind` what clients say.
    pub async fn start(certificate: &ServerCertificate, behind: SocketAddr) -> Self {
        Self::start_with(certificate, behind, Begins::AtOnce).await
    }

    /// The same before a mail server, when a client asks for it with STARTTLS (RFC 3207).
    pub async fn start_when_asked(certificate: &ServerCertificate, behind: SocketAddr) -> Self {
        Self::start_with(certificate, behind, Begins::WhenAsked).await
    }

    async fn start_with(certificate: &ServerCertificate, behind: SocketAddr, begins: Begins) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shown = Arc::new(Mutex::new(TlsAcceptor::from(certificate.server_config())));
        let current = shown.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tokio::spawn(pass_on(acceptor, stream, behind, begins));
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
async fn pass_on(acceptor: TlsAcceptor, mut stream: TcpStream, behind: SocketAddr, begins: Begins) {
    let Ok(mut inside) = TcpStream::connect(behind).await else { return };
    if begins == Begins::WhenAsked && start_tls(&mut stream, &mut inside).await.is_err() {
        return;
    }
    let Ok(mut outside) = acceptor.accept(stream).await else { return };
    let _ = copy_bidirectional(&mut outside, &mut inside).await;
}

/// Greets in the place of the server behind, whose greeting comes once and in the clear, until the client asks for TLS.
async fn start_tls(outside: &mut TcpStream, inside: &mut TcpStream) -> io::Result<()> {
    outside.write_all(line(inside).await?.as_bytes()).await?;
    loop {
        let asked = line(outside).await?;
        match asked.trim_end() {
            "STARTTLS" => return outside.write_all(b"220 go on\r\n").await,
            _ => outside.write_all(b"250-front\r\n250 STARTTLS\r\n").await?,
        }
    }
}

/// Byte by byte: what follows it is not for us.
async fn line(stream: &mut TcpStream) -> io::Result<String> {
    let mut line = String::new();
    while !line.ends_with('\n') {
        line.push(stream.read_u8().await?.into());
    }
    Ok(line)
}
