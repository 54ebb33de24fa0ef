//! What was kept is taken in again: dead letters whose cause is mended, and what is held of an IMEI that somebody got.

use std::collections::BTreeMap;

use armada_proto::gateway::Answer;
use armada_runtime::{Bus, Error, Result};
use armada_track::{FrameBuilder, Reject, TrackerId, decode_message, read_part};
use async_nats::jetstream::{
    message::StreamMessage,
    stream::{DirectGetErrorKind, Stream},
};
use bytes::Bytes;
use prost::Message as _;

use super::dead_letters::{FRAME, HEADER_GATEWAY, HEADER_IMEI, HEADER_RECEIVED, HEADER_SIZE, header, open};
use crate::{
    receiver,
    streams::{self, DLQ, DLQ_SUBJECTS},
};

/// For what a part is refused whole.
const UNREAD: [Reject; 3] = [Reject::Malformed, Reject::TooLarge, Reject::TooManyPositions];

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
