//! How a row that others cache reaches their bucket, whatever dies: the transaction that changes the row also marks its
//! key dirty; one relay reads the present state of each dirty key, puts it into the bucket, and removes the mark.

use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use async_nats::jetstream::kv;
use bytes::Bytes;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use sea_orm_migration::{
    SchemaManager,
    prelude::Table,
    schema::{big_pk_auto, string},
};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    auth::Scope,
    db::Database,
    error::{Error, Result},
};

/// Marks read at a time.
const BATCH: u64 = 500;
/// How long a mark may lie when nobody rang.
const POLL: Duration = Duration::from_millis(500);
/// How long somebody who rings waits for the arrival.
const PATIENCE: Duration = Duration::from_secs(1);

mod entity {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "outbox")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        /// Key in the bucket whose state has changed.
        pub key: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Makes the table, in a service's first migration.
pub async fn create_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.create_table(Table::create().table("outbox").col(big_pk_auto("id")).col(string("key")).to_owned()).await
}

/// Removes the table.
pub async fn drop_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.drop_table(Table::drop().table("outbox").to_owned()).await
}

/// Marks keys dirty, in the transaction that changes their rows.
pub async fn mark(tx: &DatabaseTransaction, keys: impl IntoIterator<Item = String>) -> Result<()> {
    let marks = keys.into_iter().map(|key| entity::ActiveModel { id: NotSet, key: Set(key) });
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
            match self.round().await {
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
        let tx = self.db.read(&Scope::Platform).await?;
        let marks = entity::Entity::find().order_by_asc(entity::Column::Id).limit(BATCH).all(&tx).await?;
        tx.commit().await?;
        let full = marks.len() as u64 == BATCH;
        let mut by_key = BTreeMap::<String, Vec<i64>>::new();
        for mark in marks {
            by_key.entry(mark.key).or_default().push(mark.id);
        }
        for (key, ids) in by_key {
            self.put(&key).await?;
            let tx = self.db.write(&Scope::Platform).await?;
            entity::Entity::delete_many().filter(entity::Column::Id.is_in(ids)).exec(&tx).await?;
            tx.commit().await?;
        }
        Ok(full)
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
