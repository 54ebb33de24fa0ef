//! Frames carry any mix of devices. Whoever receives the partition that the server maps `gps.<gateway>.frame` to takes
//! them apart, one after the other, so that the fixes of a device stay in their order; hands the parts to those who
//! receive their partitions; and answers when all are on disk.

use std::time::Duration;

use armada_proto::{gateway::Answer, v1::PositionFrame};
use armada_runtime::{Bus, Error, Result, bus::Publication};
use armada_track::FrameBuilder;
use async_nats::{
    HeaderMap, Message, Request, Subject,
    jetstream::context::{PublishError, PublishErrorKind},
};
use bytes::Bytes;
use futures::future::{BoxFuture, join_all};
use prost::Message as _;
use tokio::sync::oneshot;

use super::{
    answer::{Refusal, to_json},
    backpressure::{Reserved, UnderWay},
    batch::Part,
    check::CheckedFrame,
    context::ReceiverContext,
};

/// Header of parts: the gateway that sent the frame.
const HEADER_GATEWAY: &str = "Armada-Gateway";

/// How long a part that is played back may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long a part may take in another process: longer than that one waits for its write, and less than gateways wait for an answer.
const FORWARD_TIMEOUT: Duration = Duration::from_secs(4);

/// The subject on which whoever receives a partition takes parts of frames in: a `PositionFrame` of devices of that
/// partition, with the gateway in [`HEADER_GATEWAY`]. Only receivers and whoever runs the machine may publish there.
pub(super) fn part_subject(partition: u32) -> String {
    format!("part.{partition}")
}

/// Who sent the frame that a part is of.
pub(super) fn gateway_of(message: &Message) -> &str {
    message.headers.as_ref().and_then(|headers| headers.get(HEADER_GATEWAY)).map_or("", |gateway| gateway.as_str())
}

/// Sends a `PositionFrame` of one partition as if the gateway had sent it now; what whoever receives the partition says.
/// For what is played back, over a connection to the account of gateways.
pub async fn send_part(gateways: &Bus, partition: u32, gateway: &str, body: Bytes) -> Result<Answer> {
    let mut headers = HeaderMap::new();
    headers.insert(HEADER_GATEWAY, gateway);
    let request = Request::new().headers(headers).payload(body).timeout(Some(TIMEOUT));
    let answer = gateways.client.send_request(part_subject(partition), request).await;
    let answer = answer.map_err(|error| {
        Error::unavailable(format!("nobody receives partition {partition} ({error}): is `armada run` running?"))
    })?;
    serde_json::from_slice(&answer.payload).map_err(Error::internal)
}

/// What becomes of one part.
type Outcome = BoxFuture<'static, Result<u64, Refusal>>;

/// Hands the parts of a frame over, in the order of calls, and answers when all are written; `refused` is written where
/// the frame came to.
pub(super) async fn distribute(
    context: &ReceiverContext,
    gateway: &str,
    reply: Option<Subject>,
    checked: CheckedFrame,
    (refused, under_way): (Option<oneshot::Receiver<Result<u64, Refusal>>>, UnderWay),
) {
    let CheckedFrame { rows, mut draft, .. } = checked;
    let mut outcomes: Vec<Outcome> = refused.map(local_outcome).into_iter().collect();
    for (partition, rows) in rows {
        outcomes.push(hand_over(context, partition, gateway, rows).await);
    }
    let (context, metrics) = (context.clone(), context.metrics.clone());
    tokio::spawn(metrics.timed(async move {
        let written: Result<Vec<u64>, Refusal> = join_all(outcomes).await.into_iter().collect();
        drop(under_way);
        match (written, reply) {
            (Ok(sequences), Some(reply)) => {
                let last = sequences.into_iter().max().unwrap_or_default();
                context.resolve_and_answer(reply, draft, last).await;
            }
            (Ok(_), None) => context.resolve(&mut draft).await,
            (Err(refusal), reply) => {
                context.metrics.refused(refusal);
                if let Some(reply) = reply {
                    context.answer(reply, to_json(&refusal.answer())).await;
                }
            }
        }
    }));
}

fn local_outcome(written: oneshot::Receiver<Result<u64, Refusal>>) -> Outcome {
    Box::pin(async move { written.await.unwrap_or(Err(Refusal::NoOwner)) })
}

/// To whoever receives the partition: in this process, or in another one.
async fn hand_over(context: &ReceiverContext, partition: u32, gateway: &str, mut rows: FrameBuilder) -> Outcome {
    let rows = rows.take();
    let bytes = rows.encoded_len();
    let refused = |refusal| -> Outcome { Box::pin(std::future::ready(Err(refusal))) };
    let Some(reserved) = context.memory.reserve(bytes) else { return refused(Refusal::TooMuchWaiting) };
    let Some(local) = context.receiver_of(partition) else {
        return send(context, partition, gateway, rows, reserved).await;
    };
    let (written, outcome) = oneshot::channel();
    match local.try_send(Part { gateway: gateway.to_owned(), rows, bytes, reserved, written }) {
        Ok(()) => local_outcome(outcome),
        Err(_) => refused(Refusal::TooMuchWaiting),
    }
}

/// To another process.
async fn send(
    context: &ReceiverContext,
    partition: u32,
    gateway: &str,
    rows: PositionFrame,
    reserved: Reserved,
) -> Outcome {
    let mut headers = HeaderMap::new();
    headers.insert(HEADER_GATEWAY, gateway);
    let body = Bytes::from(rows.encode_to_vec());
    // It is answered like a publication to JetStream. Returns once it is under way, so that parts stay in their order.
    let written =
        context.to_gateways.begin_publish(Publication { subject: part_subject(partition), headers, body }).await;
    Box::pin(async move {
        let written = tokio::time::timeout(FORWARD_TIMEOUT, written).await;
        let written = written.unwrap_or_else(|_| Err(PublishError::new(PublishErrorKind::TimedOut)));
        drop(reserved);
        written.map_err(|error| {
            tracing::debug!(partition, %error, "nobody takes a part of a frame in");
            Refusal::from_publish_error(&error).unwrap_or(Refusal::NoOwner)
        })
    })
}
