//! Puts stored frames into POSITIONS, in order and byte for byte as stored. A frame that may not have arrived is
//! published again together with everything after it: readers drop what they have.

use std::{collections::VecDeque, time::Duration};

use armada_runtime::{Bus, Error, Result, telemetry::propagation::TRACEPARENT};
use async_nats::HeaderMap;
use bytes::Bytes;
use futures::{FutureExt, future::BoxFuture};
use tokio::sync::{mpsc, watch};

use crate::streams;

/// Frames under way at a time.
const WINDOW: usize = 8;

/// A frame that is stored.
#[derive(Clone)]
pub struct StoredFrame {
    /// Its number in its partition.
    pub seq: i64,
    /// When the receiver wrote the newest of its messages, milliseconds since 1970.
    pub stream_ts: i64,
    /// The stored bytes.
    pub data: Bytes,
    /// Leads to the round that it was. Not stored: what a new owner publishes leads nowhere.
    pub traceparent: Option<String>,
}

/// The publishing side of one partition.
pub struct Publisher {
    frames: mpsc::Sender<StoredFrame>,
    published: watch::Receiver<i64>,
}

impl Publisher {
    /// A publisher whose last published frame is `published`, and the work that publishes: first the `backlog`, what
    /// was stored after that frame, then what is handed over.
    pub fn new(
        bus: Bus,
        partition: u32,
        published: i64,
        backlog: Vec<StoredFrame>,
    ) -> (Self, impl Future<Output = Result<()>> + Send + 'static) {
        let (frames, waiting) = mpsc::channel(WINDOW);
        let (acknowledged, published) = watch::channel(published);
        let source = Source { backlog: backlog.into_iter(), waiting };
        let work = run(bus, streams::positions_subject(partition), source, acknowledged);
        (Self { frames, published }, work)
    }

    /// Hands a frame over; waits while POSITIONS does not keep up.
    pub async fn publish(&self, frame: StoredFrame) -> Result<()> {
        self.frames.send(frame).await.map_err(|_| Error::unavailable("the publisher has stopped"))
    }

    /// The last frame that POSITIONS has acknowledged.
    pub fn published(&self) -> i64 {
        *self.published.borrow()
    }

    /// The same for others to watch.
    pub fn watch(&self) -> watch::Receiver<i64> {
        self.published.clone()
    }
}

struct Source {
    backlog: std::vec::IntoIter<StoredFrame>,
    waiting: mpsc::Receiver<StoredFrame>,
}

impl Source {
    async fn next(&mut self) -> Option<StoredFrame> {
        match self.backlog.next() {
            Some(frame) => Some(frame),
            None => self.waiting.recv().await,
        }
    }
}

type Ack = BoxFuture<'static, Result<()>>;

async fn run(bus: Bus, subject: String, mut source: Source, published: watch::Sender<i64>) -> Result<()> {
    let mut window = VecDeque::<(StoredFrame, Ack)>::new();
    let mut more = true;
    while more || !window.is_empty() {
        tokio::select! {
            biased;
            acknowledged = oldest(&mut window) => match acknowledged {
                Ok(()) => {
                    if let Some((frame, _)) = window.pop_front() {
                        published.send_replace(frame.seq);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, subject, "POSITIONS does not take a frame; will publish it again");
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    for (frame, ack) in &mut window {
                        *ack = send(&bus, &subject, frame).await;
                    }
                }
            },
            frame = source.next(), if more && window.len() < WINDOW => match frame {
                Some(frame) => {
                    let ack = send(&bus, &subject, &frame).await;
                    window.push_back((frame, ack));
                }
                None => more = false,
            },
        }
    }
    Ok(())
}

async fn send(bus: &Bus, subject: &str, frame: &StoredFrame) -> Ack {
    let mut headers = HeaderMap::new();
    headers.insert(streams::HEADER_SEQ, frame.seq.to_string());
    headers.insert(streams::HEADER_STREAM_TS, frame.stream_ts.to_string());
    if let Some(traceparent) = &frame.traceparent {
        headers.insert(TRACEPARENT, traceparent.as_str());
    }
    match bus.jetstream.publish_with_headers(subject.to_owned(), headers, frame.data.clone()).await {
        Ok(ack) => ack.into_future().map(|ack| ack.map(drop).map_err(Error::unavailable)).boxed(),
        Err(error) => std::future::ready(Err(Error::unavailable(error))).boxed(),
    }
}

/// The acknowledgement of the oldest frame; waits for ever when there is none.
async fn oldest(window: &mut VecDeque<(StoredFrame, Ack)>) -> Result<()> {
    match window.front_mut() {
        Some((_, ack)) => ack.await,
        None => std::future::pending().await,
    }
}
