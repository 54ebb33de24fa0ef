//! What could not be taken in, kept with the reason, so that it can be looked at and, once the cause is mended, be
//! played back; and what is held for whoever gets the IMEI.

use std::{collections::BTreeMap, time::Duration};

use armada_proto::{
    Timestamp,
    gateway::Answer,
    v1::{RefusedMessage, RejectedMessage},
};
use armada_runtime::{Bus, Error, Result, bus::Publication, telemetry::propagation::TRACEPARENT};
use armada_track::{FrameBuilder, Reject, TrackerId, decode_message, read_part};
use async_nats::{
    HeaderMap,
    jetstream::{
        message::StreamMessage,
        stream::{DirectGetErrorKind, RawMessageErrorKind, Stream},
    },
};
use bytes::Bytes;
use futures::StreamExt;
use prost::Message as _;

use crate::{
    incoming::Incoming,
    receiver,
    set_aside::SetAside,
    streams::{self, DLQ, DLQ_SUBJECTS, HELD, HELD_SUBJECTS},
};

const HEADER_IMEI: &str = "Armada-Imei";
const HEADER_GATEWAY: &str = "Armada-Gateway";
const HEADER_COUNT: &str = "Armada-Count";
const HEADER_OTHERS: &str = "Armada-Other-Reasons";
const HEADER_RECEIVED: &str = "Armada-Received";
const HEADER_SIZE: &str = "Armada-Size";
/// What stands in place of an IMEI where rows of a frame are meant.
pub const FRAME: &str = "frame";

/// How many messages a page may look at to find those of one reason.
const SCAN_MAX: u64 = 5_000;

/// For what a part is refused whole.
const UNREAD: [Reject; 3] = [Reject::Malformed, Reject::TooLarge, Reject::TooManyPositions];

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
    pub fn of_refused(message: &Incoming, number: usize, refused: RefusedMessage) -> Option<Self> {
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
    pub fn of_rows(message: &Incoming, gateway: &str, reason: Reject, count: u32, body: Bytes) -> Self {
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
    pub fn held(message: &Incoming, gateway: &str, imei: TrackerId, partitions: u32, count: u32, body: Bytes) -> Self {
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

/// Has dead letters taken in again and removes them here; what is still wrong with them comes back, and what cannot be
/// read stays. `gateways` is a connection to the account of gateways. Returns how many messages were played back.
pub async fn replay(bus: &Bus, gateways: &Bus, reason: Option<Reject>, mut progress: impl FnMut(u64)) -> Result<u64> {
    let partitions = streams::partitions(bus).await?;
    let stream = open(bus, DLQ).await?;
    let last = stream.get_info().await.map_err(Error::unavailable)?.state.last_sequence;
    let subject = reason.map_or_else(|| DLQ_SUBJECTS.to_owned(), |reason| format!("dlq.{reason}"));
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
        let Some(parts) = parts_of(&message, partitions) else { continue };
        for (partition, mut rows) in parts {
            let body = rows.take().encode_to_vec().into();
            take_in(gateways, partition, header(&message, HEADER_GATEWAY), body).await?;
        }
        stream.delete_message(message.sequence).await.map_err(Error::unavailable)?;
        played += 1;
        progress(played);
    }
    Ok(played)
}

/// The rows of a dead letter by partition; none when any of it cannot be read.
fn parts_of(message: &StreamMessage, partitions: u32) -> Option<BTreeMap<u32, FrameBuilder>> {
    if header(message, HEADER_SIZE) != message.payload.len().to_string() {
        return None;
    }
    let mut parts = BTreeMap::<u32, FrameBuilder>::new();
    let device = header(message, HEADER_IMEI);
    if device == FRAME {
        for row in read_part(&message.payload).ok()? {
            let (imei, report) = row.ok()?;
            parts.entry(imei.partition(partitions)).or_default().push(imei, &report);
        }
    } else {
        let imei: TrackerId = device.parse().ok()?;
        // As it was sent, so its clock is still to be corrected, by when it came: later nothing tells that it has lost weeks.
        let received = header(message, HEADER_RECEIVED).parse::<i64>().ok();
        for report in decode_message(&message.payload).ok()? {
            let mut report = report.ok()?;
            received.and_then(|received| report.correct_clock(received));
            parts.entry(imei.partition(partitions)).or_default().push(imei, &report);
        }
    }
    (!parts.is_empty()).then_some(parts)
}

/// Has the rows of a `PositionFrame` taken in, as if their gateway had sent them now.
async fn take_in(gateways: &Bus, partition: u32, gateway: &str, body: Bytes) -> Result<Answer> {
    let answer = receiver::send_part(gateways, partition, gateway, body).await?;
    match &answer.error {
        Some(error) if answer.retry_after_ms.is_some() => Err(Error::unavailable(&error.description)),
        // No row of it was looked at: what is kept of it elsewhere may be cut.
        Some(error) if UNREAD.iter().any(|reason| reason.as_str() == error.description) => {
            Err(Error::internal(format!("it is refused as {} and stays", error.description)))
        }
        _ => Ok(answer),
    }
}

/// Has everything taken in that is held for an IMEI, and removes it here. What begins with a gateway from which whoever has it
/// `takes` nothing waits on, with all behind it.
pub async fn release_held(
    gateways: &Bus,
    held: &Stream,
    imei: TrackerId,
    partitions: u32,
    takes: impl Fn(&str) -> bool,
) -> Result<u64> {
    let subject = streams::held_subject(imei, partitions);
    let (mut seq, mut taken) = (1, 0);
    loop {
        let message = match held.direct_get_next_for_subject(subject.clone(), Some(seq)).await {
            Ok(message) => message,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => return Ok(taken),
            Err(error) => return Err(Error::unavailable(error)),
        };
        let gateway = header(&message, HEADER_GATEWAY);
        if !takes(gateway) {
            return Ok(taken);
        }
        let answer = take_in(gateways, imei.partition(partitions), gateway, message.payload.clone()).await?;
        // Nobody has it any more: it is held anew.
        let again = answer.held > 0;
        seq = message.sequence + 1;
        held.purge().filter(subject.as_str()).sequence(seq).await.map_err(Error::unavailable)?;
        taken += 1;
        if again {
            return Ok(taken);
        }
    }
}

async fn open(bus: &Bus, stream: &str) -> Result<Stream> {
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

fn header<'a>(message: &'a StreamMessage, name: &str) -> &'a str {
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
