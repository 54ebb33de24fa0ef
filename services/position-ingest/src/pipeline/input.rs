//! Reading: what RAW holds of the partition is taken in, in its order: as it is written in this process, or from the stream.

use std::{collections::HashMap, time::Duration};

use armada_proto::DeviceId;
use armada_runtime::{Code, Error, Result, telemetry::propagation};
use async_nats::jetstream::{
    self,
    consumer::{DeliverPolicy, pull},
};
use futures::FutureExt;
use tokio::time::Instant;

use super::{device_transfer::inherit, owner::PartitionOwner, source::Source};
use crate::{
    enrich::device::TrackedDevice,
    streams::{
        self,
        batch_span::BatchSpan,
        raw_message::RawMessage,
        tail::{Missed, WrittenMessage},
    },
};

/// Messages processed before live positions are sent.
const MESSAGES_AT_ONCE: usize = 256;
/// Messages that are read ahead. One is a megabyte at most, and each partition reads by itself: what the client asks for by
/// itself would be hundreds of megabytes of a flood.
const READ_AHEAD: i64 = 64;
/// Pause before the bucket of bindings is asked again.
const RETRY_DELAY: Duration = Duration::from_millis(200);

impl PartitionOwner {
    /// Opens the reader behind what was taken in; waits while NATS is away.
    pub(super) async fn open_consumer(&self) -> Option<Box<pull::Ordered>> {
        match self.try_open_consumer().await {
            Ok(messages) => Some(Box::new(messages)),
            Err(error) => {
                tracing::warn!(partition = self.partition, %error, "cannot read RAW; will try again");
                tokio::time::sleep(Duration::from_millis(200)).await;
                None
            }
        }
    }

    async fn try_open_consumer(&self) -> Result<pull::Ordered> {
        let stream = streams::raw(&self.context.bus, &self.context.config).await?;
        let config = pull::OrderedConfig {
            filter_subject: streams::raw_subject(self.partition),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.taken_seq as u64 + 1 },
            max_batch: READ_AHEAD,
            ..pull::OrderedConfig::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(Error::unavailable)?;
        consumer.messages().await.map_err(Error::unavailable)
    }

    /// Takes in a message and those that have arrived with it, then shows the newest of each device live.
    pub(super) async fn process_available(&mut self, first: jetstream::Message, source: &mut Source) -> Result<()> {
        let mut next = Some(first);
        for place in 1..=MESSAGES_AT_ONCE {
            let Some(message) = next.take() else { break };
            self.process(message).await?;
            if self.batch_is_full() || self.pending.is_some() {
                break;
            }
            // What is read is taken in: the last one is followed by none.
            if place < MESSAGES_AT_ONCE {
                next = source.next().now_or_never().flatten().and_then(Result::ok);
            }
        }
        self.show_live().await;
        Ok(())
    }

    async fn process(&mut self, message: jetstream::Message) -> Result<()> {
        let info = message.info().map_err(Error::internal)?;
        if info.stream_sequence as i64 <= self.taken_seq {
            return Ok(());
        }
        let published = (info.published.unix_timestamp_nanos() / 1_000_000) as i64;
        let traceparent = propagation::traceparent(message.headers.as_ref()).map(str::to_owned);
        let is_sound = self.context.proof.is_sound_message(&message);
        let place = (info.stream_sequence, published);
        let message = RawMessage::read(place, message.payload.clone(), traceparent, is_sound);
        self.gather(message).await
    }

    /// Takes in what was written in this process, and what came with it. When something is missing in between, that is
    /// read from the stream, and so is what comes until the owner has caught up.
    pub(super) async fn process_written(
        &mut self,
        first: Result<WrittenMessage, Missed>,
        source: &mut Source,
    ) -> Result<()> {
        let mut next = Some(first);
        for place in 1..=MESSAGES_AT_ONCE {
            match next.take() {
                None => break,
                Some(Ok(written)) if written.message.stream_seq as i64 <= self.taken_seq => {}
                Some(Ok(written)) if written.previous_sequence as i64 <= self.taken_seq => {
                    *source = Source::Tail;
                    self.gather(written.message).await?;
                }
                Some(Ok(_) | Err(Missed)) => {
                    if let Source::Tail = source {
                        *source = Source::Raw(self.open_consumer().await);
                    }
                }
            }
            if self.batch_is_full() || self.pending.is_some() {
                break;
            }
            if place < MESSAGES_AT_ONCE {
                next = self.tail.try_next();
            }
        }
        self.show_live().await;
        Ok(())
    }

    async fn gather(&mut self, message: RawMessage) -> Result<()> {
        let gathered = self.gathered.get_or_insert_with(|| BatchSpan::begin(self.partition));
        gathered.message(message.traceparent.as_deref());
        self.process_message(message).await
    }

    /// Taking a message in again is harmless: what was taken in before counts as a repeat.
    async fn process_message(&mut self, mut message: RawMessage) -> Result<()> {
        match self.intake.process(&mut message).await {
            Ok(()) if self.intake.inheriting().is_empty() => self.processed(&message),
            Ok(()) => self.pending = Some(message),
            Err(error) if error.class == Code::Unavailable => {
                tracing::warn!(partition = self.partition, %error, "cannot ask for bindings; will try again");
                (self.pending, self.ask_again) = (Some(message), Some(Instant::now() + RETRY_DELAY));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn processed(&mut self, message: &RawMessage) {
        self.taken_seq = message.stream_seq as i64;
        self.stream_ts = message.stream_ts;
        self.taken_at = Instant::now();
    }

    /// Another try for the message whose bindings could not be asked for.
    pub(super) async fn retry_pending(&mut self) -> Result<()> {
        self.ask_again = None;
        if let Some(message) = self.pending.take() {
            self.gathered.get_or_insert_with(|| BatchSpan::begin(self.partition));
            self.process_message(message).await?;
            self.show_live().await;
        }
        Ok(())
    }

    /// Asks what other partitions know of the devices that come from there. Everything before them is stored by now.
    pub(super) fn inherit(&mut self) {
        if let Some(message) = &self.pending {
            let work = inherit(self.context.clone(), self.partition, self.intake.inheriting(), message.stream_seq);
            self.inheriting.spawn(work);
        }
    }

    /// Takes in what waited for other partitions.
    pub(super) async fn process_inherited(&mut self, states: HashMap<DeviceId, TrackedDevice>) -> Result<()> {
        let Some(message) = self.pending.take() else { return Ok(()) };
        self.gathered.get_or_insert_with(|| BatchSpan::begin(self.partition));
        self.intake.process_inherited(&message, states);
        self.processed(&message);
        self.show_live().await;
        Ok(())
    }
}
