//! What is gathered while the last write is on its way to the disk.

use armada_proto::v1::{PositionFrame, ReceivedFrame, RefusedMessage, SentRows};
use armada_track::{FrameBuilder, MAX_POSITIONS_PER_MESSAGE, Report, TrackerId};
use async_nats::Subject;
use bytes::Bytes;
use prost::Message;
use tokio::sync::oneshot;

use super::{answer::Refusal, backpressure::Reserved, draft::Draft, traffic::WrittenCounts};
use crate::streams::limits::{BATCH_BYTES, OVERHEAD_BYTES};

/// Who waits until a batch is on disk.
pub(super) enum Waiter {
    /// A gateway, for its answer; or a service, or whoever plays something back.
    Sender { reply: Subject, draft: Draft },
    /// Who has split a frame, for the sequence of this part of it.
    Part(oneshot::Sender<Result<u64, Refusal>>),
}

/// The rows of a frame that belong to one partition.
pub(super) struct Part {
    pub(super) gateway: String,
    pub(super) rows: PositionFrame,
    pub(super) bytes: usize,
    pub(super) reserved: Reserved,
    pub(super) written: oneshot::Sender<Result<u64, Refusal>>,
}

/// What one write takes.
#[derive(Default)]
pub(super) struct Batch {
    rows: FrameBuilder,
    senders: Vec<SentRows>,
    refused: Vec<RefusedMessage>,
    pub(super) waiters: Vec<Waiter>,
    bytes: usize,
    reserved: Vec<Reserved>,
}

impl Batch {
    /// Whether so many rows more, of a message of so many bytes, do not fit into it.
    pub(super) fn is_too_small_for(&self, rows: usize, bytes: usize) -> bool {
        self.bytes > 0 && (self.rows.len() + rows > MAX_POSITIONS_PER_MESSAGE || self.bytes + bytes > BATCH_BYTES)
    }

    /// Whether there is nothing to write and nobody waits.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.refused.is_empty() && self.waiters.is_empty()
    }

    /// Adds the rows of a frame.
    pub(super) fn add_frame(&mut self, gateway: &str, rows: PositionFrame) {
        self.sent(gateway, rows.imei.len() as u32);
        self.rows.append(rows);
    }

    /// Adds what a device sent.
    pub(super) fn add_rows(&mut self, gateway: &str, rows: &[(TrackerId, Report)]) {
        self.sent(gateway, rows.len() as u32);
        for (imei, report) in rows {
            self.rows.push(*imei, report);
        }
    }

    fn sent(&mut self, gateway: &str, rows: u32) {
        match self.senders.last_mut().filter(|last| last.gateway == gateway) {
            Some(last) => last.rows += rows,
            None => self.senders.push(SentRows { gateway: gateway.to_owned(), rows }),
        }
    }

    /// Adds what was refused.
    pub(super) fn add_refused(&mut self, refused: Vec<RefusedMessage>) {
        self.bytes += bytes_of(&refused);
        self.refused.extend(refused);
    }

    /// Holds what a message takes in memory until the batch is written.
    pub(super) fn hold(&mut self, reserved: Reserved) {
        self.bytes += reserved.bytes;
        self.reserved.push(reserved);
    }

    /// The body of the write at `now`, milliseconds since 1970, and who waits for it.
    pub(super) fn close(mut self, now: i64) -> Closed {
        let fixes = Some(self.rows.take());
        let written = WrittenCounts::of(&self.senders, &self.refused);
        let frame = ReceivedFrame { fixes, senders: self.senders, refused: self.refused, received_at: now };
        let body = frame.encode_to_vec().into();
        Closed { frame, body, waiters: self.waiters, reserved: self.reserved, written }
    }
}

/// What refused messages take in a batch.
pub(super) fn bytes_of(refused: &[RefusedMessage]) -> usize {
    refused.iter().map(|refused| refused.body.len() + OVERHEAD_BYTES).sum()
}

/// A batch that is being written.
pub(super) struct Closed {
    pub(super) frame: ReceivedFrame,
    /// The frame, encoded.
    pub(super) body: Bytes,
    pub(super) waiters: Vec<Waiter>,
    pub(super) reserved: Vec<Reserved>,
    pub(super) written: WrittenCounts,
}
