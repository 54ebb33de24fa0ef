//! How a row that others cache reaches their bucket, whatever dies: the transaction that changes the row also marks its
//! key dirty; one relay reads the present state of each dirty key, puts it into the bucket, and removes the mark.

use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use armada_proto::Timestamp;
use async_nats::jetstream::kv;
use bytes::Bytes;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use sea_orm_migration::{
    SchemaManager,
    prelude::Table,
    schema::{big_integer_null, big_pk_auto, string, string_null},
};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use crate::{
    auth::Scope,
    db::Database,
    error::{Error, Result},
    telemetry::propagation::{self, Links},
};

/// Marks read at a time.
const BATCH: u64 = 500;
/// How long a mark may lie when nobody rang.
const POLL: Duration = Duration::from_millis(500);
/// How long somebody who rings waits for the arrival.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long one key may take. What was asked of a server that then died is never answered; the next one is asked anew.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

mod entity {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "outbox")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        /// Key in the bucket whose state has changed.
        pub key: String,
        /// When, in milliseconds since 1970.
        pub marked_at: Option<i64>,
        /// The trace of the request that changed it, if somebody collects it.
        pub traceparent: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Makes the table, in a service's first migration.
pub async fn create_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    let table = Table::create()
        .table("outbox")
        .col(big_pk_auto("id"))
        .col(string("key"))
        .col(big_integer_null("marked_at"))
        .col(string_null("traceparent"))
        .to_owned();
    manager.create_table(table).await
}

/// Adds what a table lacks that was made before marks had a time and a trace.
pub async fn upgrade_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    for (name, column) in [("marked_at", big_integer_null("marked_at")), ("traceparent", string_null("traceparent"))] {
        if !manager.has_column("outbox", name).await? {
            manager.alter_table(Table::alter().table("outbox").add_column(column).to_owned()).await?;
        }
    }
    Ok(())
}

/// Removes the table.
pub async fn drop_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.drop_table(Table::drop().table("outbox").to_owned()).await
}

/// Marks keys dirty, in the transaction that changes their rows.
pub async fn mark(tx: &DatabaseTransaction, keys: impl IntoIterator<Item = String>) -> Result<()> {
    let (now, traceparent) = (Timestamp::now().millis(), propagation::current());
    let marks = keys.into_iter().map(|key| entity::ActiveModel {
        id: NotSet,
        key: Set(key),
        marked_at: Set(Some(now)),
        traceparent: Set(traceparent.clone()),
    });
    entity::Entity::insert_many(marks).exec(tx).await?;
    Ok(())
}

/// Wakes the relay right after a commit.
#[derive(Clone, Default)]
pub struct Bell {
    rung: Arc<Notify>,
    rounds: watch::Sender<Rounds>,
}

#[derive(Clone, Copy, Default)]
struct Rounds {
    begun: u64,
    /// The last round begun that left nothing undone.
    done: u64,
}

impl Bell {
    /// There is something to relay. Waits until it has arrived, for [`PATIENCE`] at most: whoever is told that a row was
    /// made finds it in the bucket, unless the bus is away, and then it arrives later.
    pub async fn ring(&self) {
        let wanted = self.rounds.borrow().begun + 1;
        self.rung.notify_one();
        let mut rounds = self.rounds.subscribe();
        let arrived = rounds.wait_for(|rounds| rounds.done >= wanted);
        let _ = tokio::time::timeout(PATIENCE, arrived).await;
    }
}

/// Carries dirty keys into a bucket.
pub struct Relay<F> {
    /// Where the marks are.
    pub db: Database,
    /// Where the states go.
    pub bucket: kv::Store,
    /// Rung after commits.
    pub bell: Bell,
    /// The present value of a key; none when there is no such row any more.
    pub state: F,
}

impl<F, Fut> Relay<F>
where
    F: Fn(String) -> Fut + Send + Sync,
    Fut: Future<Output = Result<Option<Bytes>>> + Send,
{
    /// Works until shutdown. What fails is tried again; a mark goes away only after its state arrived.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        while !shutdown.is_cancelled() {
            self.bell.rounds.send_modify(|rounds| rounds.begun += 1);
            let round = self.round().await;
            self.db.metrics.outbox.ended(round.as_ref().err());
            match round {
                Ok(full) if full => continue,
                Ok(_) => self.bell.rounds.send_modify(|rounds| rounds.done = rounds.begun),
                Err(error) => tracing::warn!(%error, "outbox relay: will try again"),
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = self.bell.rung.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
        Ok(())
    }

    /// One batch; true when there may be more.
    async fn round(&self) -> Result<bool> {
        let marks = self.marks().await?;
        let full = marks.len() as u64 == BATCH;
        let mut by_key = BTreeMap::<String, Vec<entity::Model>>::new();
        for mark in marks {
            by_key.entry(mark.key.clone()).or_default().push(mark);
        }
        for (key, marks) in by_key {
            let put = tokio::time::timeout(ANSWER_WITHIN, self.put(&key).instrument(relaying(&marks)));
            put.await.map_err(|_| Error::unavailable("the bucket does not answer"))??;
            let tx = self.db.write(&Scope::Platform).await?;
            let ids = marks.iter().map(|mark| mark.id);
            entity::Entity::delete_many().filter(entity::Column::Id.is_in(ids)).exec(&tx).await?;
            tx.commit().await?;
        }
        if !full {
            self.db.metrics.outbox.waits(0, None);
        }
        Ok(full)
    }

    /// The oldest marks.
    async fn marks(&self) -> Result<Vec<entity::Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let marks = entity::Entity::find().order_by_asc(entity::Column::Id).limit(BATCH).all(&tx).await?;
        let count = match marks.len() as u64 {
            BATCH => entity::Entity::find().count(&tx).await?,
            count => count,
        };
        tx.commit().await?;
        self.db.metrics.outbox.waits(count, marks.first().and_then(|mark| mark.marked_at));
        Ok(marks)
    }

    /// Brings one key of the bucket to the present state. The bucket's revision is read before the row: if anybody
    /// writes the key in between, the conditional write fails and the row is read again.
    pub async fn put(&self, key: &str) -> Result<()> {
        loop {
            let entry = self.bucket.entry(key).await.map_err(Error::unavailable)?;
            let revision = entry.as_ref().map_or(0, |entry| entry.revision);
            let there = entry.filter(|entry| entry.operation == kv::Operation::Put).map(|entry| entry.value);
            let written = match (self.state)(key.to_owned()).await? {
                state if state == there => return Ok(()),
                Some(state) => self.bucket.update(key, state, revision).await.map(drop).map_err(|e| e.to_string()),
                None => self.bucket.delete_expect_revision(key, Some(revision)).await.map_err(|e| e.to_string()),
            };
            match written {
                Ok(()) => return Ok(()),
                Err(error) if error.contains("wrong last sequence") => {}
                Err(error) => return Err(Error::unavailable(error)),
            }
        }
    }
}

/// The span of a key on its way: part of the request that changed it first, linked to the others. None when nobody
/// collects any of them.
fn relaying(marks: &[entity::Model]) -> Span {
    let mut traces = marks.iter().filter_map(|mark| mark.traceparent.as_deref());
    let Some(first) = traces.next() else { return Span::none() };
    let span = tracing::info_span!(parent: None, "relay change", otel.kind = "producer", messaging.system = "nats");
    propagation::continue_from_text(&span, first);
    let mut links = Links::default();
    traces.filter(|other| *other != first).for_each(|other| links.add(&span, Some(other)));
    span
}
