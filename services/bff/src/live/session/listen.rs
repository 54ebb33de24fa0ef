//! What a socket hears.

use std::time::{Duration, Instant};

use armada_runtime::Result;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::{StreamExt, stream::SplitStream};
use tokio::{
    sync::{Mutex, mpsc},
    time::{sleep_until, timeout},
};
use tokio_tungstenite::tungstenite;

use super::shared::{DISCONNECTED, End, SILENT, Shared, TOO_FAST, TOO_LARGE, with_deadline};
use crate::live::{
    commands,
    message::{ClientMessage, ErrorCode, ServerMessage},
    viewer::Viewer,
};

/// A message of a client that is larger than this closes its socket.
const MESSAGE_MAX: usize = 64 * 1024;
/// Messages that a client may send in a second.
const RATE_MAX: u32 = 100;
/// How far apart a client begins anew, which costs as much as everything it sees. What is asked for sooner is done then, once.
const RESYNC_PERIOD: Duration = Duration::from_secs(2);

/// When a client began anew, and when it does next.
#[derive(Default)]
struct Resyncs {
    last: Option<Instant>,
    due: Option<Instant>,
}

impl Shared {
    /// Hears the client, as long as it gives signs of life and keeps to the limits.
    pub(super) async fn listen(
        &self,
        stream: &mut SplitStream<WebSocket>,
        viewer: &Mutex<Viewer>,
        answer: mpsc::Sender<Utf8Bytes>,
    ) -> End {
        let silence = Duration::from_secs(self.sockets.0.config.silence_seconds);
        let (mut second, mut count) = (Instant::now(), 0);
        let mut resyncs = Resyncs::default();
        loop {
            let due = resyncs.due.map(tokio::time::Instant::from_std);
            let heard = tokio::select! {
                biased;
                () = sleep_until(due.unwrap_or_else(tokio::time::Instant::now)), if due.is_some() => {
                    self.resync(&mut resyncs);
                    continue;
                }
                heard = timeout(silence, stream.next()) => heard,
            };
            let message = match heard {
                Err(_) => return SILENT,
                Ok(None) => return DISCONNECTED,
                Ok(Some(Err(error))) => return end_of(error),
                Ok(Some(Ok(message))) => message,
            };
            if second.elapsed() >= Duration::from_secs(1) {
                (second, count) = (Instant::now(), 0);
            }
            count += 1;
            if count > RATE_MAX {
                return TOO_FAST;
            }
            let reply = match message {
                Message::Text(text) if text.len() > MESSAGE_MAX => return TOO_LARGE,
                Message::Binary(bytes) if bytes.len() > MESSAGE_MAX => return TOO_LARGE,
                Message::Text(text) => self.answer(&text, viewer, &mut resyncs).await,
                Message::Binary(_) => Some(ErrorCode::Invalid.text(self.language)),
                Message::Close(_) => return DISCONNECTED,
                Message::Ping(_) | Message::Pong(_) => None,
            };
            if let Some(reply) = reply {
                let _ = answer.send(reply).await;
            }
        }
    }

    async fn answer(&self, text: &str, viewer: &Mutex<Viewer>, resyncs: &mut Resyncs) -> Option<Utf8Bytes> {
        match ClientMessage::read(text) {
            Ok(ClientMessage::Ping) => Some(ServerMessage::Pong.text()),
            Ok(ClientMessage::Pong) => None,
            Ok(ClientMessage::Unsubscribe(ids)) => {
                self.inbox.unsubscribe(ids.iter().filter_map(|id| id.parse().ok()));
                None
            }
            Ok(ClientMessage::SendCommand(command)) => {
                let sent = with_deadline(viewer.lock().await.send_command(&command)).await;
                Some(commands::answer(&command, &sent, self.language))
            }
            Ok(ClientMessage::View(view)) => {
                (!self.inbox.show(&view)).then(|| ErrorCode::UnknownType.text(self.language))
            }
            Ok(ClientMessage::Ack(sequence)) => {
                (!self.inbox.acknowledge(sequence)).then(|| ErrorCode::UnknownType.text(self.language))
            }
            Ok(ClientMessage::Resync) => match resyncs.last.map(|last| last + RESYNC_PERIOD) {
                Some(next) if next > Instant::now() => {
                    resyncs.due = Some(next);
                    None
                }
                _ => (!self.resync(resyncs)).then(|| ErrorCode::UnknownType.text(self.language)),
            },
            Ok(ClientMessage::Subscribe(ids)) => match with_deadline(self.subscribe(ids, viewer)).await {
                Ok(()) => None,
                Err(error) => {
                    tracing::warn!(%error, "a subscription failed");
                    Some(ErrorCode::Unavailable.text(self.language))
                }
            },
            Err(complaint) => Some(complaint.text(self.language)),
        }
    }

    /// Begins anew; false for who is not told in columns.
    fn resync(&self, resyncs: &mut Resyncs) -> bool {
        resyncs.due = None;
        let restarts = self.inbox.restart(&self.subscription.all_newest());
        resyncs.last = restarts.then(Instant::now);
        restarts
    }

    /// Subscribes to those of the devices that the user sees; of all others nothing is heard, whether they exist or not.
    async fn subscribe(&self, ids: Vec<String>, viewer: &Mutex<Viewer>) -> Result<()> {
        let tenant = viewer.lock().await.tenant();
        let _turn = self.sockets.0.subscribing.turn(tenant).await?;
        let viewer = viewer.lock().await;
        let names = viewer.visible_of(&ids).await?;
        if names.is_empty() {
            return Ok(());
        }
        let ids = names.keys().map(ToString::to_string).collect();
        match viewer.positions(ids).await {
            Ok(positions) => self.subscription.broadcast(&positions),
            Err(error) => tracing::warn!(%error, "no positions of subscribed devices"),
        }
        let devices: Vec<_> = names.keys().copied().collect();
        let alarm = |device| self.sockets.0.directory.alarm(device);
        self.inbox.subscribe(names.into_iter().map(|(device, name)| (device, name, alarm(device))).collect());
        // Asked for behind the subscription: nothing that comes in between is missed.
        self.inbox.offer(&self.subscription.newest_of(devices));
        Ok(())
    }
}

fn end_of(error: axum::Error) -> End {
    let error = error.into_inner();
    match error.downcast_ref::<tungstenite::Error>() {
        Some(tungstenite::Error::Capacity(_)) => TOO_LARGE,
        _ => DISCONNECTED,
    }
}
