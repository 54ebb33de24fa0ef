//! What a socket sends.

use std::time::{Duration, Instant};

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, timeout},
};

use super::shared::{CLOSING, DISCONNECTED, End, Shared};
use crate::live::{events, message::ServerMessage};

/// Devices sent of in one go; then it is the turn of pings and answers.
const BATCH: usize = 512;
/// A flush takes as long as the client needs; the pause after it is as long, but at most this times the shortest.
const PAUSE_MAX: f64 = 2.5;
/// The pause between two messages that events changed: whoever receives one reads a list.
const EVENTS_PAUSE: Duration = Duration::from_secs(5);

impl Shared {
    /// Sends what waits, at most as fast as the client takes it.
    pub(super) async fn write(
        &self,
        sink: &mut SplitSink<WebSocket, Message>,
        mut answers: mpsc::Receiver<Utf8Bytes>,
    ) -> End {
        let config = &self.sockets.0.config;
        let stuck = Duration::from_secs(config.stuck_seconds);
        let shortest = Duration::from_millis(config.flush_ms);
        let mut pings = interval(Duration::from_secs(config.ping_seconds));
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings.tick().await;
        let (mut due, mut round, mut began) = (Instant::now(), 0, Instant::now());
        let (mut columns_due, mut events_due) = (Instant::now(), Instant::now());
        loop {
            let (texts, flushes) = tokio::select! {
                biased;
                Some(answer) = answers.recv() => (vec![answer], false),
                _ = pings.tick() => (vec![ServerMessage::Ping.text()], false),
                () = self.inbox.commands.filled() => (self.inbox.commands.take(|device| self.inbox.sees(device)), false),
                () = self.events_due(events_due) => {
                    self.inbox.events.take();
                    events_due = Instant::now() + EVENTS_PAUSE;
                    (vec![events::text()], false)
                }
                () = self.columns_due(columns_due) => {
                    columns_due = match self.write_columns(sink, shortest, stuck).await {
                        Ok(due) => due,
                        Err(end) => return end,
                    };
                    continue;
                }
                () = self.due(due) => {
                    if round == 0 {
                        (round, began) = (self.inbox.waiting(), Instant::now());
                    }
                    let (count, texts) = self.inbox.take(round.min(BATCH));
                    // Fewer than asked for: the rest is not visible any more.
                    round = if count < BATCH { 0 } else { round - count };
                    self.sockets.0.metrics.sent.inc_by(texts.len() as u64);
                    (texts, true)
                }
            };
            let texts = texts.into_iter().filter(|text| !text.is_empty());
            let texts = texts.inspect(|text| {
                self.sockets.0.metrics.sent_bytes.inc_by(text.len() as u64);
            });
            if let Err(end) = send(sink, texts.map(Message::Text), stuck).await {
                return end;
            }
            if flushes && round == 0 {
                due = Instant::now() + began.elapsed().clamp(shortest, shortest.mul_f64(PAUSE_MAX));
            }
        }
    }

    async fn events_due(&self, due: Instant) {
        self.inbox.events.filled().await;
        tokio::time::sleep_until(due.into()).await;
    }

    async fn columns_due(&self, due: Instant) {
        self.inbox.columns_filled().await;
        tokio::time::sleep_until(due.into()).await;
    }

    /// Sends one message of columns; returns when the next one is due.
    async fn write_columns(
        &self,
        sink: &mut SplitSink<WebSocket, Message>,
        shortest: Duration,
        stuck: Duration,
    ) -> Result<Instant, End> {
        let began = Instant::now();
        let taken = self.inbox.take_columns();
        let more = taken.as_ref().is_some_and(|(_, _, more)| *more);
        if let Some((bytes, rows, _)) = taken {
            self.sockets.0.metrics.sent.inc_by(rows as u64);
            self.sockets.0.metrics.sent_bytes.inc_by(bytes.len() as u64);
            send(sink, [Message::Binary(bytes)], stuck).await?;
        }
        let pause = if more { Duration::ZERO } else { shortest };
        Ok(Instant::now() + began.elapsed().clamp(pause, pause.mul_f64(PAUSE_MAX)))
    }

    async fn due(&self, due: Instant) {
        self.inbox.filled().await;
        tokio::time::sleep_until(due.into()).await;
    }
}

/// Each message has to make progress within `stuck`.
pub(in crate::live) async fn send(
    sink: &mut SplitSink<WebSocket, Message>,
    messages: impl IntoIterator<Item = Message>,
    stuck: Duration,
) -> Result<(), End> {
    for message in messages {
        timeout(stuck, sink.feed(message)).await.map_err(|_| DISCONNECTED)?.map_err(|_| DISCONNECTED)?;
    }
    timeout(stuck, sink.flush()).await.map_err(|_| DISCONNECTED)?.map_err(|_| DISCONNECTED)
}

/// Says why, and reads what is still on its way, or the connection would be reset before the client has read the reason.
pub(in crate::live) async fn close(
    sink: &mut SplitSink<WebSocket, Message>,
    stream: &mut SplitStream<WebSocket>,
    end: &End,
) {
    let goodbye = async {
        if end.code == DISCONNECTED.code {
            return sink.close().await;
        }
        sink.send(end.message()).await?;
        while stream.next().await.transpose()?.is_some() {}
        Ok(())
    };
    if timeout(CLOSING, goodbye).await.is_err() {
        tracing::debug!("a client did not answer a close");
    }
}
