//! A WebSocket client that speaks JSON and hears bytes.

use std::time::Duration;

use anyhow::{Context as _, bail};
use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// How the server closed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The close code; 1006 when the connection just ended.
    pub code: u16,
    /// The server's words.
    pub reason: String,
}

impl Socket {
    /// Opens a socket at an `http://` or `ws://` URL.
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        Self::open_with(url, &[]).await
    }

    /// Opens a socket with request headers.
    pub async fn open_with(url: &str, headers: &[(&str, &str)]) -> anyhow::Result<Self> {
        let mut request = url.replacen("http", "ws", usize::from(url.starts_with("http"))).into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(http::HeaderName::try_from(*name)?, value.parse()?);
        }
        let (stream, _) = connect_async(request).await?;
        Ok(Self { stream })
    }

    /// Sends a message.
    pub async fn send(&mut self, message: Value) -> anyhow::Result<()> {
        Ok(self.stream.send(Message::text(message.to_string())).await?)
    }

    /// Sends any frame.
    pub async fn send_raw(&mut self, message: Message) -> anyhow::Result<()> {
        Ok(self.stream.send(message).await?)
    }

    /// The next message; an error when the socket closes or nothing comes in time.
    pub async fn next(&mut self, deadline: Duration) -> anyhow::Result<Value> {
        let receive = async {
            loop {
                match self.stream.next().await.context("the socket ended")?? {
                    Message::Text(text) => return Ok(serde_json::from_str(&text)?),
                    Message::Close(frame) => bail!("the socket was closed: {frame:?}"),
                    _ => {}
                }
            }
        };
        tokio::time::timeout(deadline, receive).await.context("no message in time")?
    }

    /// The next binary message; texts are passed over.
    pub async fn next_binary(&mut self, deadline: Duration) -> anyhow::Result<Vec<u8>> {
        let receive = async {
            loop {
                match self.stream.next().await.context("the socket ended")?? {
                    Message::Binary(bytes) => return Ok(bytes.to_vec()),
                    Message::Close(frame) => bail!("the socket was closed: {frame:?}"),
                    _ => {}
                }
            }
        };
        tokio::time::timeout(deadline, receive).await.context("no binary message in time")?
    }

    /// The first message that `wanted` accepts; others are passed over.
    pub async fn wait_for(&mut self, deadline: Duration, wanted: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
        let until = tokio::time::Instant::now() + deadline;
        loop {
            let left = until.saturating_duration_since(tokio::time::Instant::now());
            let message = self.next(left).await?;
            if wanted(&message) {
                return Ok(message);
            }
        }
    }

    /// Waits until the server closes the socket.
    pub async fn closed(&mut self, deadline: Duration) -> anyhow::Result<Closed> {
        let receive = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Close(Some(frame)))) => {
                        return Closed { code: frame.code.into(), reason: frame.reason.to_string() };
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Closed { code: 1006, reason: String::new() },
                }
            }
        };
        tokio::time::timeout(deadline, receive).await.context("the socket stays open")
    }

    /// Closes it from this side.
    pub async fn close(mut self) -> anyhow::Result<()> {
        Ok(self.stream.close(None).await?)
    }
}
