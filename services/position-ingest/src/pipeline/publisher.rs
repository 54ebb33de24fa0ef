//! Puts stored frames into POSITIONS, in order and byte for byte as stored. A frame that may not have arrived is
//! published again together with everything after it: readers drop what they have.

use std::{collections::VecDeque, time::Duration};

use armada_runtime::{
    Bus, Error, Result,
    bus::{Publication, PublishWindow},
    telemetry::propagation::TRACEPARENT,
};
use async_nats::HeaderMap;
use bytes::Bytes;
use tokio::sync::{mpsc, watch};

use crate::{
    metrics::standstill::{Step, Steps},
    streams,
};

/// Frames under way at a time.
const WINDOW: usize = 8;
/// Pause before a frame that was not taken is published again: each time twice as long, up to the longest.
const RETRY_DELAY: Duration = Duration::from_millis(200);
const RETRY_DELAY_MAX: Duration = Duration::from_secs(5);

/// A frame that is stored.
#[derive(Clone)]
pub struct StoredFrame {
    /// Its number in its partition.
    pub seq: i64,
    /// When the receiver wrote the newest of its messages, milliseconds since 1970.
    pub stream_ts: i64,
    /// The stored bytes.
    pub data: Bytes,
    /// Leads to the commit batch that it was. Not stored: what a new owner publishes leads nowhere.
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
        (partition, steps): (u32, Steps),
        published: i64,
        backlog: Vec<StoredFrame>,
    ) -> (Self, impl Future<Output = Result<()>> + Send + 'static) {
        let (frames, waiting) = mpsc::channel(WINDOW);
        let (acknowledged, published) = watch::channel(published);
        let source = FrameSource { backlog: backlog.into_iter(), waiting };
        let work = run(bus, (streams::positions_subject(partition), steps), source, acknowledged);
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

struct FrameSource {
    backlog: std::vec::IntoIter<StoredFrame>,
    waiting: mpsc::Receiver<StoredFrame>,
}

impl FrameSource {
    async fn next(&mut self) -> Option<StoredFrame> {
        match self.backlog.next() {
            Some(frame) => Some(frame),
            None => self.waiting.recv().await,
        }
    }
}

async fn run(
    bus: Bus,
    (subject, steps): (String, Steps),
    mut source: FrameSource,
    published: watch::Sender<i64>,
) -> Result<()> {
    // Those under way, and what becomes of them.
    let mut frames = VecDeque::<StoredFrame>::new();
    let mut window = PublishWindow::new(&bus);
    let mut more = true;
    let mut delay = RETRY_DELAY;
    while more || !frames.is_empty() {
        tokio::select! {
            biased;
            Some(outcome) = window.next() => match outcome {
                Ok(_) => {
                    delay = RETRY_DELAY;
                    if let Some(frame) = frames.pop_front() {
                        published.send_replace(frame.seq);
                    }
                    match frames.is_empty() {
                        true => steps.idle(Step::Publisher),
                        false => steps.moved(Step::Publisher),
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, subject, "POSITIONS does not take a frame; will publish it again");
                    // It is known why it waits, and another owner would wait as well.
                    steps.moved(Step::Publisher);
                    tokio::time::sleep(delay).await;
                    delay = (delay * 2).min(RETRY_DELAY_MAX);
                    window = PublishWindow::new(&bus);
                    frames.iter().for_each(|frame| window.push(publication(&subject, frame)));
                }
            },
            frame = source.next(), if more && frames.len() < WINDOW => match frame {
                Some(frame) => {
                    if frames.is_empty() {
                        steps.moved(Step::Publisher);
                    }
                    steps.pass(Step::Publisher).await;
                    window.push(publication(&subject, &frame));
                    frames.push_back(frame);
                }
                None => more = false,
            },
        }
    }
    Ok(())
}

fn publication(subject: &str, frame: &StoredFrame) -> Publication {
    let mut headers = HeaderMap::new();
    headers.insert(streams::HEADER_SEQ, frame.seq.to_string());
    headers.insert(streams::HEADER_STREAM_TS, frame.stream_ts.to_string());
    if let Some(traceparent) = &frame.traceparent {
        headers.insert(TRACEPARENT, traceparent.as_str());
    }
    Publication { subject: subject.to_owned(), headers, body: frame.data.clone() }
}
