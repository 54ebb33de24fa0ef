//! Reading: what RAW holds of the partition is taken in, in its order.

use std::{collections::HashMap, time::Duration};

use armada_proto::DeviceId;
use armada_runtime::{Code, Error, Result, telemetry::propagation};
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures::FutureExt;
use tokio::time::Instant;

use super::{
    inherit::inherit,
    owner::{Owner, next_message},
    round::ROUND_POSITIONS,
};
use crate::{incoming::Incoming, intake::Known, round_trace::RoundTrace, streams};

/// Messages processed before live positions are sent.
const MESSAGES_AT_ONCE: usize = 256;
/// Pause before the bucket of bindings is asked again.
const AGAIN: Duration = Duration::from_millis(200);

impl Owner {
    /// Opens the reader behind what was taken in; waits while NATS is away.
    pub(super) async fn open_consumer(&self) -> Option<pull::Ordered> {
        match self.try_open_consumer().await {
            Ok(messages) => Some(messages),
            Err(error) => {
                tracing::warn!(partition = self.partition, %error, "cannot read RAW; will try again");
                tokio::time::sleep(Duration::from_millis(200)).await;
                None
            }
        }
    }

    async fn try_open_consumer(&self) -> Result<pull::Ordered> {
        let stream = streams::raw(&self.shared.bus, &self.shared.config).await?;
        let config = pull::OrderedConfig {
            filter_subject: streams::raw_subject(self.partition),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.taken_seq as u64 + 1 },
            ..pull::OrderedConfig::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(Error::unavailable)?;
        consumer.messages().await.map_err(Error::unavailable)
    }

    /// Takes in a message and those that have arrived with it, then shows the newest of each device live.
    pub(super) async fn process_available(
        &mut self,
        first: async_nats::jetstream::Message,
        messages: &mut Option<pull::Ordered>,
    ) -> Result<()> {
        let mut next = Some(first);
        for _ in 0..MESSAGES_AT_ONCE {
            let Some(message) = next.take() else { break };
            self.process(message).await?;
            if self.intake.hot.len() >= ROUND_POSITIONS || self.pending.is_some() {
                break;
            }
            next = next_message(messages).now_or_never().flatten().and_then(Result::ok);
        }
        if let Some(message) = next {
            self.process(message).await?;
        }
        self.show_live().await;
        Ok(())
    }

    async fn process(&mut self, message: async_nats::jetstream::Message) -> Result<()> {
        let info = message.info().map_err(Error::internal)?;
        let stream_seq = info.stream_sequence;
        if stream_seq as i64 <= self.taken_seq {
            return Ok(());
        }
        let stream_ts = (info.published.unix_timestamp_nanos() / 1_000_000) as i64;
        let gathered = self.gathered.get_or_insert_with(|| RoundTrace::begin(self.partition));
        gathered.message(message.headers.as_ref());
        let incoming = Incoming {
            stream_seq,
            stream_ts,
            payload: message.payload.clone(),
            traceparent: propagation::traceparent(message.headers.as_ref()).map(str::to_owned),
        };
        self.process_message(incoming).await
    }

    /// Taking a message in again is harmless: what was taken in before counts as a repeat.
    async fn process_message(&mut self, message: Incoming) -> Result<()> {
        match self.intake.process(&message).await {
            Ok(()) if self.intake.inheriting().is_empty() => self.processed(&message),
            Ok(()) => self.pending = Some(message),
            Err(error) if error.class == Code::Unavailable => {
                tracing::warn!(partition = self.partition, %error, "cannot ask for bindings; will try again");
                (self.pending, self.ask_again) = (Some(message), Some(Instant::now() + AGAIN));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn processed(&mut self, message: &Incoming) {
        self.taken_seq = message.stream_seq as i64;
        self.stream_ts = message.stream_ts;
    }

    /// Another try for the message whose bindings could not be asked for.
    pub(super) async fn retry_pending(&mut self) -> Result<()> {
        self.ask_again = None;
        if let Some(message) = self.pending.take() {
            self.gathered.get_or_insert_with(|| RoundTrace::begin(self.partition));
            self.process_message(message).await?;
            self.show_live().await;
        }
        Ok(())
    }

    /// Asks what other partitions know of the devices that come from there. Everything before them is stored by now.
    pub(super) fn inherit(&mut self) {
        if let Some(message) = &self.pending {
            let work = inherit(self.shared.clone(), self.partition, self.intake.inheriting(), message.stream_seq);
            self.inheriting.spawn(work);
        }
    }

    /// Takes in what waited for other partitions.
    pub(super) async fn process_inherited(&mut self, states: HashMap<DeviceId, Known>) -> Result<()> {
        let Some(message) = self.pending.take() else { return Ok(()) };
        self.gathered.get_or_insert_with(|| RoundTrace::begin(self.partition));
        self.intake.process_inherited(&message, states);
        self.processed(&message);
        self.show_live().await;
        Ok(())
    }
}
