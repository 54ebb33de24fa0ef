//! From the stream EVENTS into the table, with the alarms that they raise. Each batch is one transaction, and is acknowledged
//! after it; an event that comes again is known by its id, enters once and raises nothing again.

use std::collections::HashMap;

use armada_runtime::{Bus, Database, Error, Result, Scope, bus::DurableConsumer, events, outbox::OutboxHandle};
use async_nats::jetstream::Message;
use sea_orm::{ActiveModelTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, sea_query::OnConflict};

use crate::{
    change_notifications,
    config::NAME,
    entity::event::{Column, Entity, Model},
    erase::Erased,
    raising, received, unknown_names,
};

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

impl DurableConsumer for Intake {
    const STREAM: &str = events::STREAM;
    const SUBJECT_TEMPLATE: &str = events::SUBJECT_TEMPLATE;
    const NAME: &str = NAME;
    const BATCH: usize = 200;
    const FAILURE: &str = "events are not taken in; will try again";

    type Item = Model;
    type Stored = Stored;

    /// One that says nothing is told of once, and is in nobody's way.
    fn read(&self, message: &Message) -> Option<Model> {
        let event = received::read(&message.subject, &message.payload);
        if event.is_none() {
            tracing::warn!(subject = %message.subject, "what came as an event is none");
        }
        event
    }

    /// Stores what is new, but for what is of somebody erased.
    async fn store(&self, events: &[Model]) -> Result<Stored> {
        if events.is_empty() {
            return Ok(Stored::default());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let erased = Erased::of(&tx, events).await?;
        let told: Vec<_> = events.iter().filter(|event| !erased.has(event)).cloned().collect();
        let kept = unknown_names::resolve(&tx, &told).await?;
        let new = insert(&tx, &kept).await?;
        // Those that are no event are not stored, and so are heard again when they are sent again.
        let is_heard =
            |event: &&Model| new.iter().any(|new| new.id == event.id) || !kept.iter().any(|kept| kept.id == event.id);
        unknown_names::count(&tx, told.iter().filter(is_heard)).await?;
        let raised = raising::raise(&tx, &new).await?;
        tx.commit().await?;
        // Whoever erases notes it and then removes what it sees, which these rows were not if that was a moment ago.
        let tx = self.db.read(&Scope::Platform).await?;
        let erased = Erased::of(&tx, events).await?;
        tx.commit().await?;
        erased.remove(&self.db).await?;
        Ok(Stored { events: kept, raised })
    }

    async fn acknowledged(&self, stored: Stored) {
        if stored.raised {
            self.outbox.flush().await;
        }
        change_notifications::publish(&self.bus, stored.events.iter().map(|event| (event.tenant_id, event.device_id)))
            .await;
    }
}

/// What came of a batch.
#[derive(Default)]
pub struct Stored {
    /// What is there now.
    events: Vec<Model>,
    /// Whether alarms have changed.
    raised: bool,
}

/// Stores events; returns those that were not there.
async fn insert(tx: &DatabaseTransaction, events: &[Model]) -> Result<Vec<Model>> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    let rows = events.iter().cloned().map(|event| event.into_active_model().reset_all());
    let once = OnConflict::column(Column::Id).do_nothing().to_owned();
    Ok(Entity::insert_many(rows).on_conflict(once).exec_with_returning(tx).await?)
}
