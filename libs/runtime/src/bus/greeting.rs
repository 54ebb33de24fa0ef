//! Whether a NATS server is there, whomever it lets in: it greets whoever connects, before anything is asked.

use std::{io, time::Duration};

use async_nats::ServerAddr;
use futures::future::join_all;
use tokio::{io::AsyncReadExt, net::TcpStream, time::timeout};

/// How each greeting begins.
const GREETING: &[u8] = b"INFO ";
/// How long it may take. A server that hangs takes connections, and says nothing.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The first of the list that greets; none when none does.
pub(super) async fn first_that_greets(servers: &[ServerAddr]) -> Option<&ServerAddr> {
    let answers = servers.iter().map(|server| timeout(TIMEOUT, greets(server)));
    let answers = join_all(answers).await;
    let there = answers.into_iter().zip(servers).find(|(answer, _)| matches!(answer, Ok(Ok(true))));
    there.map(|(_, server)| server)
}

async fn greets(server: &ServerAddr) -> io::Result<bool> {
    let mut stream = TcpStream::connect((server.host(), server.port())).await?;
    let mut begin = [0; GREETING.len()];
    stream.read_exact(&mut begin).await?;
    Ok(begin == GREETING)
}

#[cfg(test)]
mod tests {
    use tokio::{io::AsyncWriteExt, net::TcpListener};

    use super::*;

    async fn listener() -> (TcpListener, ServerAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("nats://{}", listener.local_addr().expect("an address"));
        (listener, address.parse().expect("an address of NATS"))
    }

    #[tokio::test]
    async fn a_server_is_there_when_it_greets() {
        let ((gone, nobody), (_hangs, hanging), (server, greeting)) =
            (listener().await, listener().await, listener().await);
        drop(gone);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = server.accept().await {
                stream.write_all(b"INFO {}\r\n").await.expect("somebody listens");
            }
        });
        let servers = [nobody, hanging, greeting];
        assert_eq!(first_that_greets(&servers).await, Some(&servers[2]));
        assert_eq!(first_that_greets(&servers[..2]).await, None);
    }
}
