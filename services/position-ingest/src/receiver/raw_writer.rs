//! Writes batches to a partition's subject of RAW. Each write names the sequence of the one before it, so that what a
//! former owner still writes is refused, and what may have been written is never written twice.

use std::{
    error::Error as _,
    time::{Duration, Instant},
};

use armada_runtime::{
    Bus, Code, Database, Error, Result, Scope,
    bus::{MessageSigner, Publication, PublishFailure},
    telemetry::propagation::TRACEPARENT,
};
use async_nats::{
    HeaderMap,
    connection::State,
    header::{NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, NATS_EXPECTED_STREAM},
    jetstream::{
        self,
        context::{GetStreamErrorKind, PublishError, PublishErrorKind},
        stream::{LastRawMessageErrorKind, Stream},
    },
};
use bytes::Bytes;
use sea_orm::EntityTrait;
use uuid::Uuid;

use super::answer::Refusal;
use crate::{entity::partition, streams};

/// Header of messages on RAW: tells a write whose acknowledgement was lost from somebody else's.
const HEADER_BATCH: &str = "Armada-Batch";
/// Pause before what is away is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(100);
/// How long nobody may take what is written to RAW: whoever sends had better keep it then. A server that has switched its
/// streams off has none.
const NOBODY: Duration = Duration::from_secs(1);
/// After how long a write is sent again that nobody has acknowledged: what reaches a cluster while it elects who leads the stream
/// is lost without a word. Sent twice it is still written once.
const SENT_AGAIN: Duration = Duration::from_millis(500);
/// After how long it is asked again what is there.
const ASKED_AGAIN: Duration = Duration::from_secs(1);
/// How long a server that is there may leave a write unacknowledged, which is less than gateways wait for an answer. A stream
/// that could not write, as on a full disk, says nothing about it, nor about what comes after, until the server is started anew.
const UNACKNOWLEDGED: Duration = Duration::from_secs(3);

/// What became of a write.
pub(super) enum WriteOutcome {
    /// It is on disk at `sequence`, behind the partition's message of sequence `previous_sequence`.
    At { previous_sequence: u64, sequence: u64 },
    /// RAW does not take it, and why. What was not acknowledged may be there all the same; whoever sends it again has it
    /// dropped as a repeat. What comes next would not be taken either if it `concerns_all`.
    Refused { refusal: Refusal, why: String, concerns_all: bool },
    /// Somebody else owns the partition. It was not written, or only the next owner knows.
    Lost,
}

/// Writes for the owner of one partition.
#[derive(Clone)]
pub(super) struct RawWriter {
    /// The receiver's connection: it may write RAW, and nothing else that is kept.
    pub(super) receiver: Bus,
    /// Signs what it writes.
    pub(super) signer: MessageSigner,
    /// The connection of ingest, which may read RAW.
    pub(super) ingest: Bus,
    pub(super) db: Database,
    pub(super) partition: u32,
    /// Under which the partition is owned.
    pub(super) epoch: i64,
}

impl RawWriter {
    /// Writes a batch behind sequence `last`. Waits while NATS is away, and not for long while it is there.
    pub(super) async fn write(self, last: u64, body: Bytes, traceparent: Option<String>) -> WriteOutcome {
        tokio::select! {
            biased;
            written = self.write_after(last, body, traceparent) => written,
            () = self.unacknowledged() => {
                tracing::warn!(partition = self.partition, "RAW acknowledges nothing");
                let why = format!("nothing was acknowledged for {UNACKNOWLEDGED:?}");
                WriteOutcome::Refused { refusal: Refusal::NotAcknowledged, why, concerns_all: true }
            }
        }
    }

    /// Returns when the server has been there for long enough to acknowledge a write.
    async fn unacknowledged(&self) {
        let mut connections = self.receiver.connections();
        loop {
            tokio::select! {
                Ok(()) = connections.changed() => {}
                () = tokio::time::sleep(UNACKNOWLEDGED) => {
                    if self.receiver.client.connection_state() == State::Connected {
                        return;
                    }
                }
            }
        }
    }

    async fn write_after(&self, mut last: u64, body: Bytes, traceparent: Option<String>) -> WriteOutcome {
        let batch = Uuid::now_v7().to_string();
        let mut nobody_since = None;
        loop {
            // Before the message leaves, so that no break after it goes unnoticed.
            let mut connections = self.receiver.connections();
            let attempt = self.attempt(last, &batch, body.clone(), traceparent.as_deref());
            let outcome = tokio::select! {
                outcome = attempt => outcome,
                _ = connections.changed() => {
                    nobody_since = None;
                    continue;
                }
                () = tokio::time::sleep(SENT_AGAIN) => continue,
            };
            match outcome {
                Ok(sequence) => return WriteOutcome::At { previous_sequence: last, sequence },
                Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                    match self.subject_end(&batch).await {
                        SubjectEnd::Written(sequence) => return WriteOutcome::At { previous_sequence: last, sequence },
                        SubjectEnd::Other(sequence) => last = sequence,
                        SubjectEnd::Lost => return WriteOutcome::Lost,
                    }
                }
                Err(error) => {
                    if let Some(refused) = self.refused(&error, &mut nobody_since).await {
                        tracing::warn!(partition = self.partition, %error, "RAW does not take what is written");
                        return refused;
                    }
                    tracing::debug!(partition = self.partition, %error, "cannot write RAW; will try again");
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    async fn attempt(
        &self,
        last: u64,
        batch: &str,
        body: Bytes,
        traceparent: Option<&str>,
    ) -> Result<u64, PublishError> {
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, last.to_string());
        headers.insert(NATS_EXPECTED_STREAM, streams::RAW);
        headers.insert(HEADER_BATCH, batch);
        if let Some(traceparent) = traceparent {
            headers.insert(TRACEPARENT, traceparent);
        }
        let subject = streams::raw_subject(self.partition);
        let signed = self.signer.sign(&subject, &body, &mut headers);
        signed.map_err(|error| PublishError::with_source(PublishErrorKind::Other, error))?;
        self.receiver.publish(Publication { subject, headers, body }).await
    }

    /// What is there instead of what was expected. Waits for NATS and the database.
    async fn subject_end(&self, batch: &str) -> SubjectEnd {
        loop {
            let found = async {
                let (sequence, found) = self.last().await?;
                if found.as_deref() == Some(batch) {
                    return Ok(SubjectEnd::Written(sequence));
                }
                Ok(if self.is_owner().await? { SubjectEnd::Other(sequence) } else { SubjectEnd::Lost })
            };
            // What reaches a cluster while it elects is lost without a word.
            match tokio::time::timeout(ASKED_AGAIN, found).await {
                Ok(Ok(end)) => return end,
                Ok(Err(error)) => log_failure(self.partition, &error),
                Err(_) => {}
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    /// The sequence of the partition's last message on RAW, 0 when there is none, and the batch that it is.
    pub(super) async fn last(&self) -> Result<(u64, Option<String>)> {
        let stream = self.raw().await?;
        match stream.get_last_raw_message_by_subject(&streams::raw_subject(self.partition)).await {
            Ok(message) => {
                let batch = message.headers.get(HEADER_BATCH).map(|batch| batch.as_str().to_owned());
                Ok((message.sequence, batch))
            }
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok((0, None)),
            Err(error) => Err(Error::unavailable(error)),
        }
    }

    /// What is not taken, and would not be a moment later: JetStream says so, or nobody has taken anything for some time.
    async fn refused(&self, error: &PublishError, nobody_since: &mut Option<Instant>) -> Option<WriteOutcome> {
        let is_answer = error.source().is_some_and(|source| source.is::<jetstream::Error>());
        let (refusal, concerns_all) = match PublishFailure::of(error) {
            PublishFailure::Passing if is_answer => (Refusal::StorageFull, true),
            PublishFailure::Passing => return None,
            PublishFailure::NoStream if nobody_since.get_or_insert_with(Instant::now).elapsed() < NOBODY => {
                return None;
            }
            // Nobody leads it, or a server whose disk is full has switched all its streams off, and answers nothing about them.
            PublishFailure::NoStream if !self.is_raw_gone().await => (Refusal::NotAcknowledged, true),
            PublishFailure::NoStream => (Refusal::NotWritable, true),
            PublishFailure::Permanent => (Refusal::NotWritable, false),
        };
        Some(WriteOutcome::Refused { refusal, why: error.to_string(), concerns_all })
    }

    /// Whether JetStream says that there is no such stream.
    async fn is_raw_gone(&self) -> bool {
        let asked = self.ingest.jetstream.get_stream(streams::RAW);
        let Ok(Err(error)) = tokio::time::timeout(NOBODY, asked).await else { return false };
        matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.code() == 404)
    }

    async fn raw(&self) -> Result<Stream> {
        self.ingest.stream(streams::RAW, &std::collections::HashMap::new()).await
    }

    /// Whether nobody has taken the partition over.
    async fn is_owner(&self) -> Result<bool> {
        let tx = self.db.read(&Scope::Platform).await?;
        let row = partition::Entity::find_by_id(self.partition as i32).one(&tx).await?;
        tx.commit().await?;
        Ok(row.is_some_and(|row| row.epoch == self.epoch))
    }
}

/// What is at the end of the subject.
enum SubjectEnd {
    /// The batch itself.
    Written(u64),
    /// Something else, and the partition is still this owner's.
    Other(u64),
    /// The partition is somebody else's.
    Lost,
}

fn log_failure(partition: u32, error: &Error) {
    if error.class == Code::Unavailable {
        tracing::debug!(partition, %error, "cannot see who owns a partition; will try again");
    } else {
        tracing::warn!(partition, %error, "cannot see who owns a partition; will try again");
    }
}
