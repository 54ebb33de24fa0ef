//! Reading: what RAW holds of the partition is taken in, in its order.

use std::time::Duration;

use armada_runtime::{Code, Error, Result, telemetry::propagation};
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures::{FutureExt, StreamExt};

use super::{Owner, ROUND_POSITIONS};
use crate::{intake::Incoming, round_trace::RoundTrace, streams};

/// Messages taken in before live positions are sent.
const TAKE_AT_ONCE: usize = 256;

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
            filter_subjects: streams::filters(self.partition),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.taken_seq as u64 + 1 },
            ..pull::OrderedConfig::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(Error::unavailable)?;
        consumer.messages().await.map_err(Error::unavailable)
    }

    /// Takes in a message and those that have arrived with it, then shows the newest of each device live.
    pub(super) async fn take_available(
        &mut self,
        first: async_nats::jetstream::Message,
        messages: &mut Option<pull::Ordered>,
    ) -> Result<()> {
        let mut next = Some(first);
        for _ in 0..TAKE_AT_ONCE {
            let Some(message) = next.take() else { break };
            self.take(message).await?;
            if self.intake.hot.len() >= ROUND_POSITIONS {
                break;
            }
            next = next_message(messages).now_or_never().flatten().and_then(Result::ok);
        }
        if let Some(message) = next {
            self.take(message).await?;
        }
        self.show_live().await;
        Ok(())
    }

    async fn take(&mut self, message: async_nats::jetstream::Message) -> Result<()> {
        let info = message.info().map_err(Error::internal)?;
        let stream_seq = info.stream_sequence;
        if stream_seq as i64 <= self.taken_seq {
            return Ok(());
        }
        let stream_ts = (info.published.unix_timestamp_nanos() / 1_000_000) as i64;
        let gathered = self.gathered.get_or_insert_with(|| RoundTrace::begin(self.partition));
        gathered.message(message.headers.as_ref());
        let message = Incoming {
            stream_seq,
            stream_ts,
            subject: message.subject.clone(),
            payload: message.payload.clone(),
            traceparent: propagation::traceparent(message.headers.as_ref()).map(str::to_owned),
        };
        // Taking a message in again is harmless: what was taken in before counts as a repeat.
        while let Err(error) = self.intake.take(&message).await {
            if error.class != Code::Unavailable {
                return Err(error);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        self.taken_seq = stream_seq as i64;
        self.stream_ts = stream_ts;
        Ok(())
    }
}

pub(super) async fn next_message(
    messages: &mut Option<pull::Ordered>,
) -> Option<Result<async_nats::jetstream::Message, pull::OrderedError>> {
    match messages {
        Some(messages) => messages.next().await,
        None => None,
    }
}
