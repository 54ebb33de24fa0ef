//! A live socket, as the console opens it: it speaks columns, and says what is looked at.

use std::{convert::Infallible, time::Duration};

use anyhow::{Context as _, Result, bail, ensure};
use armada_proto::{Timestamp, v1::LiveColumns};
use futures::{SinkExt, StreamExt};
use prost::Message as _;
use serde_json::{Value, json};
use tokio::{
    io::AsyncReadExt,
    net::{TcpSocket, TcpStream},
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue, protocol::WebSocketConfig},
};

use super::people::Session;
use crate::{delays::Delays, site::Site};

const PROTOCOL: &str = "armada.columns.v1";
/// Vehicles in the part of the list that is on the screen.
const ROWS: usize = 20;
/// What is known at the start must have come by then.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The server tells of a device that is shown at most this often, milliseconds.
const SHOWN_EVERY: i64 = 900;
/// Bytes that a reader takes at a time from the kernel: many at a map, few where little comes.
const MAP_BUFFER: usize = 64 << 10;
const QUIET_BUFFER: usize = 4 << 10;
/// Bytes that the kernel keeps for a reader that is slow.
const SLOW_BUFFER: u32 = 4 << 10;

/// What the page with the socket shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The map with all vehicles, and the list beside it.
    Map,
    /// A screen without vehicles.
    Other,
}

/// An open socket.
pub struct LiveSocket {
    stream: WebSocketStream<TcpStream>,
}

/// What a socket, or several, heard.
#[derive(Default)]
pub struct ReceivedMessages {
    pub bytes: u64,
    /// From publication to the socket.
    pub all: Delays,
    /// Of those alone that were not held back because the socket had been told of the same vehicle within
    /// [`SHOWN_EVERY`].
    pub prompt: Delays,
}

impl ReceivedMessages {
    /// Adds what another one heard.
    pub fn merge(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.all.merge(&other.all);
        self.prompt.merge(&other.prompt);
    }
}

impl LiveSocket {
    /// Opens one, and reads all that is told at first; fails when that is not exactly what its user sees.
    pub async fn open(site: &Site, session: &Session, page: Page) -> Result<Self> {
        let mut socket = Self::begin(TcpStream::connect(&site.http_addr).await?, site, session, page).await?;
        let last_received = timeout(TIMEOUT, socket.catalogue()).await.context("no catalogue in time")??;
        ensure!(
            last_received == session.sees.len(),
            "a socket was told of {last_received} vehicles, its user sees {}",
            session.sees.len()
        );
        Ok(socket)
    }

    async fn begin(stream: TcpStream, site: &Site, session: &Session, page: Page) -> Result<Self> {
        let ticket = session.ticket(site).await?;
        let url = format!("ws://{}/ws?userId=&context=maps&token={ticket}", site.http_addr);
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(PROTOCOL));
        request.headers_mut().insert("x-forwarded-for", session.address.parse()?);
        let buffer = if page == Page::Map { MAP_BUFFER } else { QUIET_BUFFER };
        let config = WebSocketConfig::default().read_buffer_size(buffer);
        let (stream, _) = client_async_with_config(request, stream, Some(config)).await.context("the live socket")?;
        let mut socket = Self { stream };
        let (area, shown) = match page {
            Page::Map => (vec![-180.0, -85.0, 180.0, 85.0], ROWS.min(session.sees.len())),
            Page::Other => (Vec::new(), 0),
        };
        let rows = &session.sees[..shown];
        socket.send_json(&json!({ "type": "view", "payload": { "box": area, "device_ids": rows } })).await?;
        Ok(socket)
    }

    async fn send_json(&mut self, message: &Value) -> Result<()> {
        Ok(self.stream.send(Message::text(message.to_string())).await?)
    }

    /// The next message; a ping has been answered then.
    async fn next(&mut self) -> Result<Message> {
        let message = self.stream.next().await.context("a live socket ended")??;
        match &message {
            Message::Text(text) => match serde_json::from_str::<Value>(text)?["type"].as_str() {
                Some("ping") => self.send_json(&json!({ "type": "pong" })).await?,
                Some("error") => bail!("a live socket was told {text}"),
                _ => {}
            },
            Message::Close(frame) => bail!("a live socket was closed: {frame:?}"),
            _ => {}
        }
        Ok(message)
    }

    /// Of how many vehicles is told at first.
    async fn catalogue(&mut self) -> Result<usize> {
        let (mut vehicles, mut complete) = (0, false);
        loop {
            let Message::Binary(bytes) = self.next().await? else { continue };
            let LiveColumns { catalogue, more, .. } = LiveColumns::decode(&*bytes)?;
            if let Some(catalogue) = catalogue {
                vehicles += catalogue.index.len();
                complete |= catalogue.complete;
            }
            if complete && !more {
                return Ok(vehicles);
            }
        }
    }

    /// Hears what comes until then, and counts the positions that were recorded from `since` on, milliseconds since 1970.
    pub async fn listen(mut self, since: i64, until: Instant) -> Result<ReceivedMessages> {
        let mut received = ReceivedMessages::default();
        // When the socket was told of each vehicle last, by its number.
        let mut last_received: Vec<i64> = Vec::new();
        while let Ok(message) = timeout_at(until, self.next()).await {
            let message = message?;
            let now = Timestamp::now().millis();
            received.bytes += message.len() as u64;
            let Message::Binary(bytes) = message else { continue };
            let Some(positions) = LiveColumns::decode(&*bytes)?.positions else { continue };
            let mut recorded_at = 0;
            for (number, step) in positions.index.iter().zip(&positions.recorded_at) {
                recorded_at += step;
                let number = *number as usize;
                if last_received.len() <= number {
                    last_received.resize(number + 1, 0);
                }
                let before = std::mem::replace(&mut last_received[number], now);
                if recorded_at < since {
                    continue;
                }
                received.all.add(now - recorded_at);
                if recorded_at - before >= SHOWN_EVERY {
                    received.prompt.add(now - recorded_at);
                }
            }
        }
        Ok(received)
    }

    /// Stays open, and answers pings; returns when it was closed.
    pub async fn stay(mut self) -> Result<Infallible> {
        loop {
            self.next().await?;
        }
    }
}

/// Reads a byte a second of a map's socket for as long as this runs, and begins anew when the server has dropped it.
pub async fn read_slowly(site: &Site, session: &Session) -> Result<Infallible> {
    loop {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(SLOW_BUFFER)?;
        let stream = socket.connect(site.http_addr.parse()?).await?;
        let mut stream = LiveSocket::begin(stream, site, session, Page::Map).await?.stream.into_inner();
        let mut byte = [0_u8];
        while matches!(stream.read(&mut byte).await, Ok(1)) {
            sleep(Duration::from_secs(1)).await;
        }
    }
}
