//! Storing what comes from a stream. Each batch is one transaction, and is acknowledged after it: what comes again must
//! change nothing.

use std::{collections::HashMap, future, time::Duration};

use async_nats::jetstream::{
    Message,
    consumer::{AckPolicy, pull},
};
use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::Bus;
use crate::{
    error::{Error, Result},
    telemetry::messaging,
};

/// How long JetStream waits before it gives a message to somebody else.
const ACK_WAIT: Duration = Duration::from_secs(10);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(1);

/// A durable consumer of a stream, which all processes of a service share. It begins with the oldest message that there is.
pub trait DurableConsumer: Send + Sync {
    /// The stream.
    const STREAM: &'static str;
    /// The template of its subjects, for the spans.
    const SUBJECT_TEMPLATE: &'static str;
    /// Its own name.
    const NAME: &'static str;
    /// Messages of one transaction.
    const BATCH: usize;
    /// What the log says when something fails.
    const FAILURE: &'static str;

    /// What a message says.
    type Item: Send + Sync;
    /// What came of a batch.
    type Stored: Send;

    /// Reads a message; none when it says nothing that could be stored.
    fn read(&self, message: &Message) -> Option<Self::Item>;

    /// Stores what the messages of a batch say. What fails is tried again until it succeeds: what came later must not be
    /// stored before.
    fn store(&self, batch: &[Self::Item]) -> impl Future<Output = Result<Self::Stored>> + Send;

    /// The batch is acknowledged.
    fn acknowledged(&self, _: Self::Stored) -> impl Future<Output = ()> + Send {
        future::ready(())
    }
}

/// Has a consumer store what comes until shutdown.
pub async fn consume<C: DurableConsumer>(bus: Bus, consumer: C, shutdown: CancellationToken) -> Result<()> {
    let for_ever = async {
        loop {
            if let Err(error) = follow(&bus, &consumer).await {
                tracing::warn!(%error, "{}", C::FAILURE);
            }
            tokio::time::sleep(RETRY).await;
        }
    };
    shutdown.run_until_cancelled(for_ever).await;
    Ok(())
}

/// Until the connection is another one.
async fn follow<C: DurableConsumer>(bus: &Bus, consumer: &C) -> Result<()> {
    let mut connections = bus.connections();
    let stream = bus.stream(C::STREAM, &HashMap::new()).await?;
    let config = pull::Config {
        durable_name: Some(C::NAME.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        ..pull::Config::default()
    };
    let durable = stream.create_consumer(config).await.map_err(Error::unavailable)?;
    let messages = durable.stream().max_messages_per_batch(C::BATCH).messages().await;
    let mut batches = messages.map_err(Error::unavailable)?.ready_chunks(C::BATCH);
    loop {
        let batch = tokio::select! {
            _ = connections.changed() => return Ok(()),
            batch = batches.next() => batch,
        };
        let Some(batch) = batch else { return Ok(()) };
        let batch: Result<Vec<_>, _> = batch.into_iter().collect();
        take(consumer, &batch.map_err(Error::unavailable)?).await?;
    }
}

async fn take<C: DurableConsumer>(consumer: &C, messages: &[Message]) -> Result<()> {
    let Some(first) = messages.first() else { return Ok(()) };
    let batch: Vec<C::Item> = messages.iter().filter_map(|message| consumer.read(message)).collect();
    let stored = loop {
        let span = messaging::following(C::SUBJECT_TEMPLATE, first.headers.as_ref());
        match consumer.store(&batch).instrument(span).await {
            Ok(stored) => break stored,
            Err(error) => tracing::warn!(%error, "{}", C::FAILURE),
        }
        tokio::time::sleep(RETRY).await;
    };
    for message in messages {
        message.ack().await.map_err(Error::unavailable)?;
    }
    consumer.acknowledged(stored).await;
    Ok(())
}
