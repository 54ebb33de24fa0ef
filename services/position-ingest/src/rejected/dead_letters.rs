//! What could not be taken in, kept with the reason, so that it can be looked at and, once the cause is mended, be
//! played back (`replay.rs`); and what is held for whoever gets the IMEI.

use std::time::Duration;

use armada_proto::{
    Timestamp,
    v1::{RefusedMessage, RejectedMessage},
};
use armada_runtime::{Bus, Error, Result, bus::Publication, telemetry::propagation::TRACEPARENT};
use armada_track::{Reject, TrackerId};
use async_nats::{
    HeaderMap,
    jetstream::{
        message::StreamMessage,
        stream::{RawMessageErrorKind, Stream},
    },
};
use bytes::Bytes;
use futures::StreamExt;

use super::set_aside::SetAside;
use crate::streams::{self, DLQ, DLQ_SUBJECTS, HELD, HELD_SUBJECTS, raw_message::RawMessage};

pub(super) const HEADER_IMEI: &str = "Armada-Imei";
pub(super) const HEADER_GATEWAY: &str = "Armada-Gateway";
const HEADER_COUNT: &str = "Armada-Count";
const HEADER_OTHERS: &str = "Armada-Other-Reasons";
pub(super) const HEADER_RECEIVED: &str = "Armada-Received";
pub(super) const HEADER_SIZE: &str = "Armada-Size";
/// What stands in place of an IMEI where rows of a frame are meant.
pub const FRAME: &str = "frame";

/// How many messages a page may look at to find those of one reason.
const SCAN_MAX: u64 = 5_000;

/// A message, or those rows of a frame, that were refused for one reason, or are held.
pub struct DeadLetter {
    reason: Reject,
    /// Where it is kept.
    subject: String,
    gateway: String,
    /// The IMEI, what stood in its place, or [`FRAME`].
    device: String,
    /// Why other positions of it were refused.
    others: Vec<String>,
    count: u32,
    size: u32,
    received: i64,
    /// The same message refused again after a crash has the same id, and is kept once.
    id: String,
    /// The trace of who received it.
    traceparent: Option<String>,
    body: Bytes,
}

impl DeadLetter {
    /// What the receiver refused, the refusal of that number in its message; none when it names no known reason.
    pub fn of_refused(message: &RawMessage, number: usize, refused: RefusedMessage) -> Option<Self> {
        let reason: Reject = refused.reason.parse().ok()?;
        let count = refused.reasons().map(|(_, count)| count).sum();
        Some(Self {
            reason,
            subject: format!("dlq.{reason}"),
            gateway: refused.gateway,
            count,
            others: refused.others.into_iter().map(|other| other.reason).collect(),
            device: refused.device,
            size: refused.size,
            received: message.stream_ts,
            id: format!("{}-{}-{number}", message.stream_ts, message.stream_seq),
            traceparent: message.traceparent.clone(),
            body: refused.body.into(),
        })
    }

    /// Rows that were refused later; `body` is a `PositionFrame`.
    pub fn of_rows(message: &RawMessage, gateway: &str, reason: Reject, count: u32, body: Bytes) -> Self {
        Self {
            reason,
            subject: format!("dlq.{reason}"),
            gateway: gateway.to_owned(),
            device: FRAME.to_owned(),
            others: Vec::new(),
            count,
            size: body.len() as u32,
            received: message.stream_ts,
            id: format!("{}-{}-{gateway}-{reason}", message.stream_ts, message.stream_seq),
            traceparent: message.traceparent.clone(),
            body,
        }
    }

    /// Fixes of an IMEI that nobody has; `body` is a `PositionFrame`.
    pub fn held(
        message: &RawMessage,
        gateway: &str,
        imei: TrackerId,
        partitions: u32,
        count: u32,
        body: Bytes,
    ) -> Self {
        Self {
            reason: Reject::UnknownDevice,
            subject: streams::held_subject(imei, partitions),
            gateway: gateway.to_owned(),
            device: imei.to_string(),
            others: Vec::new(),
            count,
            size: body.len() as u32,
            received: message.stream_ts,
            id: format!("{}-{}-{gateway}-{imei}", message.stream_ts, message.stream_seq),
            traceparent: message.traceparent.clone(),
            body,
        }
    }

    /// Why it was not taken in.
    pub fn reason(&self) -> Reject {
        self.reason
    }

    /// The IMEI that it is held for, if it is.
    pub fn held_for(&self) -> Option<TrackerId> {
        self.device.parse().ok().filter(|_| self.reason == Reject::UnknownDevice)
    }

    fn to_publication(&self) -> Publication {
        Publication { subject: self.subject.clone(), headers: self.headers(), body: self.body.clone() }
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", self.id.as_str());
        headers.insert(HEADER_GATEWAY, self.gateway.as_str());
        headers.insert(HEADER_IMEI, self.device.as_str());
        headers.insert(HEADER_COUNT, self.count.to_string());
        if !self.others.is_empty() {
            headers.insert(HEADER_OTHERS, self.others.join(","));
        }
        headers.insert(HEADER_SIZE, self.size.to_string());
        headers.insert(HEADER_RECEIVED, self.received.to_string());
        if let Some(traceparent) = &self.traceparent {
            headers.insert(TRACEPARENT, traceparent.as_str());
        }
        headers
    }
}

/// Stores dead letters; returns when all are on disk, or set aside. Called before the progress that passes them is committed.
pub async fn store(aside: &SetAside, letters: &[DeadLetter]) {
    let (held, others): (Vec<_>, Vec<_>) = letters.iter().partition(|letter| letter.held_for().is_some());
    for (stream, letters) in [(HELD, held), (DLQ, others)] {
        aside.publish(stream, letters.into_iter().map(DeadLetter::to_publication).collect()).await;
    }
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

/// Messages before sequence `before`, newest first; only of `reason` when it is given. What is held for whoever gets the
/// IMEI is listed as [`Reject::UnknownDevice`], and by itself.
pub async fn list(bus: &Bus, reason: Option<Reject>, before: Option<u64>, limit: usize) -> Result<Page> {
    let held = reason == Some(Reject::UnknownDevice);
    let stream = open(bus, if held { HELD } else { DLQ }).await?;
    let info = stream.get_info().await.map_err(Error::unavailable)?;
    let subject = match reason {
        None => DLQ_SUBJECTS.to_owned(),
        Some(_) if held => HELD_SUBJECTS.to_owned(),
        Some(reason) => format!("dlq.{reason}"),
    };
    let mut total = 0;
    let mut subjects = stream.info_with_subjects(&subject).await.map_err(Error::unavailable)?;
    while let Some(count) = subjects.next().await {
        total += count.map_err(Error::unavailable)?.1 as u64;
    }
    let first = info.state.first_sequence;
    let start = before.unwrap_or(info.state.last_sequence + 1).min(info.state.last_sequence + 1);
    let mut items = Vec::new();
    let mut seq = start;
    while items.len() < limit && seq > first && start - seq < SCAN_MAX && total > 0 {
        seq -= 1;
        let Some(message) = get(&stream, seq).await? else { continue };
        if reason.is_none_or(|reason| reason_of(&message) == reason.as_str()) {
            items.push(describe(&message));
        }
    }
    Ok(Page { items, total, next_before: (seq > first && total > 0).then_some(seq) })
}

pub(super) async fn open(bus: &Bus, stream: &str) -> Result<Stream> {
    bus.stream(stream, &std::collections::HashMap::new()).await
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
    // What is held stands under its IMEI.
    message.subject.strip_prefix("dlq.").unwrap_or(Reject::UnknownDevice.as_str())
}

pub(super) fn header<'a>(message: &'a StreamMessage, name: &str) -> &'a str {
    message.headers.get(name).map_or("", |value| value.as_str())
}

fn describe(message: &StreamMessage) -> RejectedMessage {
    let number = |name| header(message, name).parse::<i64>().unwrap_or_default();
    RejectedMessage {
        seq: u32::try_from(message.sequence).unwrap_or(u32::MAX),
        received_at: Some(Timestamp::from_millis(number(HEADER_RECEIVED))),
        reason: reason_of(message).to_owned(),
        other_reasons: header(message, HEADER_OTHERS)
            .split(',')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        gateway: header(message, HEADER_GATEWAY).to_owned(),
        imei: Some(header(message, HEADER_IMEI)).filter(|device| *device != FRAME).unwrap_or_default().to_owned(),
        count: number(HEADER_COUNT) as u32,
        size: number(HEADER_SIZE) as u32,
    }
}
