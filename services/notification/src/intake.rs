//! From the stream EVENTS into the table, with the alarms that they raise. Each batch is one transaction, and is acknowledged
//! after it; an event that comes again is known by its id, enters once and raises nothing again.

use std::{collections::HashMap, time::Duration};

use armada_runtime::{Bus, Database, Error, Result, Scope, events, outbox::OutboxHandle, telemetry::messaging};
use async_nats::jetstream::{
    Message,
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
};
use futures::StreamExt;
use sea_orm::{ActiveModelTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, sea_query::OnConflict};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    config::NAME,
    entity::event::{Column, Entity, Model},
    erase::Erased,
    news, raising, received,
};

/// Events of one transaction.
const BATCH: usize = 200;
/// How long JetStream waits before it gives an event to somebody else.
const ACK_WAIT: Duration = Duration::from_secs(10);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(1);

/// Has the stream tell all its events once more: those that a restored database has lost enter again, the others are known
/// by their ids. No process of the service may run.
pub async fn take_in_again(bus: &Bus) -> Result<()> {
    let stream = bus.stream(events::STREAM, &HashMap::new()).await?;
    if stream.consumer_info(NAME).await.is_ok() {
        stream.delete_consumer(NAME).await.map_err(Error::unavailable)?;
    }
    Ok(())
}

/// Stores what services tell.
pub struct Intake {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    /// Woken when alarms have changed.
    pub(crate) outbox: OutboxHandle,
}

impl Intake {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        shutdown.run_until_cancelled(self.run_for_ever()).await;
        Ok(())
    }

    async fn run_for_ever(&self) {
        loop {
            if let Err(error) = self.follow().await {
                tracing::warn!(%error, "events are not taken in; will try again");
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Takes in until the connection is another one.
    async fn follow(&self) -> Result<()> {
        let mut connections = self.bus.connections();
        let messages = self.consumer().await?.stream().max_messages_per_batch(BATCH).messages().await;
        let mut batches = messages.map_err(Error::unavailable)?.ready_chunks(BATCH);
        loop {
            let batch = tokio::select! {
                _ = connections.changed() => return Ok(()),
                batch = batches.next() => batch,
            };
            let Some(batch) = batch else { return Ok(()) };
            let batch: Result<Vec<_>, _> = batch.into_iter().collect();
            self.take(&batch.map_err(Error::unavailable)?).await?;
        }
    }

    /// The durable consumer, which all processes of this service share. It begins with the oldest event that there is, so
    /// that what was told before the first start is kept too.
    async fn consumer(&self) -> Result<PullConsumer> {
        let stream = self.bus.stream(events::STREAM, &HashMap::new()).await?;
        let config = pull::Config {
            durable_name: Some(NAME.to_owned()),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            ..pull::Config::default()
        };
        stream.create_consumer(config).await.map_err(Error::unavailable)
    }

    async fn take(&self, messages: &[Message]) -> Result<()> {
        let Some(first) = messages.first() else { return Ok(()) };
        let events: Vec<_> = messages.iter().filter_map(read).collect();
        let stored = loop {
            let span = messaging::following(events::SUBJECT_TEMPLATE, first.headers.as_ref());
            match self.store(&events).instrument(span).await {
                Ok(stored) => break stored,
                Err(error) => tracing::warn!(%error, "events are not taken in; will try again"),
            }
            tokio::time::sleep(RETRY).await;
        };
        for message in messages {
            message.ack().await.map_err(Error::unavailable)?;
        }
        if stored.raised {
            self.outbox.flush().await;
        }
        news::tell(&self.bus, stored.events.iter().map(|event| (event.tenant_id, event.device_id))).await;
        Ok(())
    }

    /// Stores what is new, but for what is of somebody erased.
    async fn store(&self, events: &[Model]) -> Result<Stored> {
        if events.is_empty() {
            return Ok(Stored::default());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let erased = Erased::of(&tx, events).await?;
        let kept: Vec<_> = events.iter().filter(|event| !erased.has(event)).cloned().collect();
        let raised = raising::raise(&tx, &insert(&tx, &kept).await?).await?;
        tx.commit().await?;
        // Whoever erases notes it and then removes what it sees, which these rows were not if that was a moment ago.
        let tx = self.db.read(&Scope::Platform).await?;
        let erased = Erased::of(&tx, events).await?;
        tx.commit().await?;
        erased.remove(&self.db).await?;
        Ok(Stored { events: kept, raised })
    }
}

/// What came of a batch.
#[derive(Default)]
struct Stored {
    /// What is there now.
    events: Vec<Model>,
    /// Whether alarms have changed.
    raised: bool,
}

/// Stores events; returns those that were not there.
async fn insert(tx: &DatabaseTransaction, events: &[Model]) -> Result<Vec<Model>> {
    let rows = events.iter().cloned().map(|event| event.into_active_model().reset_all());
    let once = OnConflict::column(Column::Id).do_nothing().to_owned();
    Ok(Entity::insert_many(rows).on_conflict(once).exec_with_returning(tx).await?)
}

/// What a message says. One that says nothing is told of once, and is in nobody's way.
fn read(message: &Message) -> Option<Model> {
    let event = received::read(&message.subject, &message.payload);
    if event.is_none() {
        tracing::warn!(subject = %message.subject, "what came as an event is none");
    }
    event
}
