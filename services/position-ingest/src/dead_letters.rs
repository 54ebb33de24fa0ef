//! What could not be taken in, kept with the reason, so that it can be looked at and, once the cause is mended, be
//! played back.

use std::time::Duration;

use armada_proto::{Timestamp, v1::RejectedMessage};
use armada_runtime::{Bus, Error, Result, telemetry::propagation::TRACEPARENT};
use armada_track::Reject;
use async_nats::{
    HeaderMap,
    jetstream::{
        message::StreamMessage,
        stream::{DirectGetErrorKind, RawMessageErrorKind, Stream},
    },
};
use bytes::Bytes;
use futures::{StreamExt, stream::FuturesUnordered};

use crate::{
    incoming::Incoming,
    streams::{self, RawSubject},
};

const HEADER_SUBJECT: &str = "Armada-Subject";
const HEADER_IMEI: &str = "Armada-Imei";
const HEADER_GATEWAY: &str = "Armada-Gateway";
const HEADER_COUNT: &str = "Armada-Count";
const HEADER_RECEIVED: &str = "Armada-Received";

/// How many messages a page may look at to find those of one reason.
const LOOK_AT_MOST: u64 = 5_000;

/// A message, or those rows of a frame, that were refused for one reason.
pub struct DeadLetter {
    reason: Reject,
    subject: String,
    gateway: String,
    imei: String,
    count: u32,
    received: i64,
    /// The same message refused again after a crash has the same id, and is kept once.
    id: String,
    /// The trace of who published it.
    traceparent: Option<String>,
    body: Bytes,
}

impl DeadLetter {
    /// `body` is what playing back would publish again.
    pub fn new(
        message: &Incoming,
        source: &RawSubject<'_>,
        partition: u32,
        reason: Reject,
        count: u32,
        body: Bytes,
    ) -> Self {
        let imei = match source {
            RawSubject::Device { imei, .. } => (*imei).to_owned(),
            RawSubject::Frame { .. } => String::new(),
        };
        Self {
            reason,
            subject: source.original(partition),
            gateway: source.gateway().to_owned(),
            imei,
            count,
            received: message.stream_ts,
            id: format!("{}-{}-{reason}", message.stream_ts, message.stream_seq),
            traceparent: message.traceparent.clone(),
            body,
        }
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", self.id.as_str());
        headers.insert(HEADER_SUBJECT, self.subject.as_str());
        headers.insert(HEADER_GATEWAY, self.gateway.as_str());
        headers.insert(HEADER_IMEI, self.imei.as_str());
        headers.insert(HEADER_COUNT, self.count.to_string());
        headers.insert(HEADER_RECEIVED, self.received.to_string());
        if let Some(traceparent) = &self.traceparent {
            headers.insert(TRACEPARENT, traceparent.as_str());
        }
        headers
    }
}

/// Stores dead letters; returns when all are on disk. Called before the progress that passes them is committed.
pub async fn store(bus: &Bus, letters: &[DeadLetter]) -> Result<()> {
    let mut acks = FuturesUnordered::new();
    for letter in letters {
        let subject = format!("dlq.{}", letter.reason);
        let ack = bus.jetstream.publish_with_headers(subject, letter.headers(), letter.body.clone()).await;
        acks.push(ack.map_err(Error::unavailable)?.into_future());
    }
    while let Some(ack) = acks.next().await {
        ack.map_err(Error::unavailable)?;
    }
    Ok(())
}

/// A page of dead letters.
pub struct Page {
    /// Newest first.
    pub items: Vec<RejectedMessage>,
    /// All that match.
    pub total: u64,
    /// Where the next page begins; none on the last.
    pub next_before: Option<u64>,
}

/// Messages before sequence `before`, newest first; only of `reason` when it is given.
pub async fn list(bus: &Bus, reason: Option<Reject>, before: Option<u64>, limit: usize) -> Result<Page> {
    let stream = open(bus).await?;
    let info = stream.get_info().await.map_err(Error::unavailable)?;
    let subject = reason.map_or_else(|| "dlq.*".to_owned(), |reason| format!("dlq.{reason}"));
    let mut total = 0;
    let mut subjects = stream.info_with_subjects(&subject).await.map_err(Error::unavailable)?;
    while let Some(count) = subjects.next().await {
        total += count.map_err(Error::unavailable)?.1 as u64;
    }
    let first = info.state.first_sequence;
    let start = before.unwrap_or(info.state.last_sequence + 1).min(info.state.last_sequence + 1);
    let mut items = Vec::new();
    let mut seq = start;
    while items.len() < limit && seq > first && start - seq < LOOK_AT_MOST && total > 0 {
        seq -= 1;
        let Some(message) = get(&stream, seq).await? else { continue };
        if reason.is_none_or(|reason| reason_of(&message) == reason.as_str()) {
            items.push(describe(&message));
        }
    }
    Ok(Page { items, total, next_before: (seq > first && total > 0).then_some(seq) })
}

/// Publishes dead letters again where they came from and removes them here; what is still wrong with them comes back.
/// Returns how many messages were played back.
pub async fn replay(bus: &Bus, reason: Option<Reject>, mut progress: impl FnMut(u64)) -> Result<u64> {
    let stream = open(bus).await?;
    let last = stream.get_info().await.map_err(Error::unavailable)?.state.last_sequence;
    let subject = reason.map_or_else(|| "dlq.*".to_owned(), |reason| format!("dlq.{reason}"));
    let mut seq = 1;
    let mut played = 0;
    while seq <= last {
        let message = match stream.direct_get_next_for_subject(subject.clone(), Some(seq)).await {
            Ok(message) => message,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => break,
            Err(error) => return Err(Error::unavailable(error)),
        };
        if message.sequence > last {
            break;
        }
        seq = message.sequence + 1;
        let original = header(&message, HEADER_SUBJECT).to_owned();
        if !original.starts_with("gps.") || message.payload.is_empty() {
            continue;
        }
        let ack = bus.jetstream.publish(original, message.payload.clone()).await.map_err(Error::unavailable)?;
        ack.await.map_err(Error::unavailable)?;
        stream.delete_message(message.sequence).await.map_err(Error::unavailable)?;
        played += 1;
        progress(played);
    }
    Ok(played)
}

async fn open(bus: &Bus) -> Result<Stream> {
    bus.stream(streams::DLQ, &std::collections::HashMap::new()).await
}

async fn get(stream: &Stream, seq: u64) -> Result<Option<StreamMessage>> {
    let asked = tokio::time::timeout(Duration::from_secs(5), stream.get_raw_message(seq)).await;
    match asked.map_err(Error::unavailable)? {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(Error::unavailable(error)),
    }
}

fn reason_of(message: &StreamMessage) -> &str {
    message.subject.strip_prefix("dlq.").unwrap_or_default()
}

fn header<'a>(message: &'a StreamMessage, name: &str) -> &'a str {
    message.headers.get(name).map_or("", |value| value.as_str())
}

fn describe(message: &StreamMessage) -> RejectedMessage {
    let number = |name| header(message, name).parse::<i64>().unwrap_or_default();
    RejectedMessage {
        seq: u32::try_from(message.sequence).unwrap_or(u32::MAX),
        received_at: Some(Timestamp::from_millis(number(HEADER_RECEIVED))),
        reason: reason_of(message).to_owned(),
        gateway: header(message, HEADER_GATEWAY).to_owned(),
        imei: header(message, HEADER_IMEI).to_owned(),
        count: number(HEADER_COUNT) as u32,
        size: message.payload.len() as u32,
    }
}
