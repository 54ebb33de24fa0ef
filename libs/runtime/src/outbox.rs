//! How a row that others cache reaches their bucket, whatever dies: the transaction that changes the row also marks its
//! key dirty; one relay reads the present states of dirty keys, puts them into the bucket, and removes the marks.

mod deliver;
mod guard;
mod outcome;
mod reconcile;

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    sync::Arc,
    time::Duration,
};

use armada_proto::Timestamp;
use bytes::Bytes;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
    sea_query::{Expr, ExprTrait, IntoCondition, Query, SelectStatement},
};
use sea_orm_migration::{
    SchemaManager,
    prelude::Table,
    schema::{big_integer, big_integer_null, big_pk_auto, integer, string, string_null},
};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tracing::Span;

pub use self::reconcile::{Rows, next_ids, page, until_done};

use self::outcome::Outcome;
use crate::{
    auth::Scope,
    bus::Bucket,
    db::Database,
    error::{Error, Result},
    jobs::current,
    telemetry::propagation::{self, Links},
};

/// Marks carried at a time.
const BATCH: u64 = 500;
/// The same of those for which nobody waits.
const UNAWAITED_BATCH: u64 = 200;
/// Keys of those that go at a time: whoever waits for others waits for these at most.
const UNAWAITED_AT_ONCE: usize = 50;
/// Keys that are marked together from which on nobody waits for them.
const MANY: usize = 50;
/// How long a mark may lie when nobody woke the relay.
const POLL: Duration = Duration::from_millis(500);
/// How long somebody who flushes waits for the arrival.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);
/// The longest pause before a key that fails is tried again. The first is [`POLL`], and each is twice the one before.
const PAUSE_MAX: Duration = Duration::from_secs(60);

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
        /// How often it has failed.
        pub attempts: i32,
        /// Not to be tried before, in milliseconds since 1970. 0 for those that somebody waits for, which go first.
        pub next_at: i64,
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
        .col(integer("attempts").default(0))
        .col(big_integer("next_at").default(0))
        .to_owned();
    manager.create_table(table).await
}

/// Adds what a table lacks that was made before marks had a time and a trace, or were tried again one by one.
pub async fn upgrade_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    for (name, column) in [
        ("marked_at", big_integer_null("marked_at")),
        ("traceparent", string_null("traceparent")),
        ("attempts", integer("attempts").default(0).to_owned()),
        ("next_at", big_integer("next_at").default(0).to_owned()),
    ] {
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

/// Marks keys dirty, in the transaction that changes their rows. Those of a job, and many at once, go after others.
pub async fn mark(tx: &DatabaseTransaction, keys: impl IntoIterator<Item = String>) -> Result<()> {
    let keys: Vec<_> = keys.into_iter().collect();
    let is_awaited = !current::is_one_of_many() && keys.len() <= MANY;
    put_marks(tx, keys, if is_awaited { 0 } else { Timestamp::now().millis() }).await
}

async fn put_marks(tx: &DatabaseTransaction, keys: Vec<String>, next_at: i64) -> Result<()> {
    let (now, traceparent) = (Timestamp::now().millis(), propagation::current());
    if keys.is_empty() {
        return Ok(());
    }
    let marks = keys.into_iter().map(|key| entity::ActiveModel {
        id: NotSet,
        key: Set(key),
        marked_at: Set(Some(now)),
        traceparent: Set(traceparent.clone()),
        attempts: Set(0),
        next_at: Set(next_at),
    });
    entity::Entity::insert_many(marks).exec(tx).await?;
    Ok(())
}

/// The same for the keys that a statement selects, its only column: there may be too many of them to be carried here and
/// back, and nobody waits for them. `tells` goes after them.
pub async fn mark_selected(tx: &DatabaseTransaction, mut keys: SelectStatement, tells: Vec<String>) -> Result<()> {
    use entity::Column;
    let now = Timestamp::now().millis();
    keys.expr(Expr::val(now)).expr(Expr::val(propagation::current())).expr(Expr::val(0)).expr(Expr::val(now));
    let mut marks = Query::insert();
    marks
        .into_table(entity::Entity)
        .columns([Column::Key, Column::MarkedAt, Column::Traceparent, Column::Attempts, Column::NextAt])
        .select_from(keys)
        .map_err(Error::internal)?;
    tx.execute(&marks).await?;
    put_marks(tx, tells, now).await
}

/// Wakes the relay right after a commit.
#[derive(Clone, Default)]
pub struct OutboxHandle {
    wake: Arc<Notify>,
    rounds: watch::Sender<Rounds>,
}

#[derive(Clone, Copy, Default)]
struct Rounds {
    /// The last one that somebody waits for.
    wanted: u64,
    begun: u64,
    /// The last round begun that tried every mark it found for which somebody waits.
    done: u64,
}

impl OutboxHandle {
    /// There is something to relay. Waits until it has arrived, for [`FLUSH_TIMEOUT`] at most: whoever is told that a row was
    /// made finds it in the bucket, unless the bus is away, and then it arrives later. What was marked afterwards, together
    /// with many others, by a job, or has failed, holds up nobody. An item of a job wakes nobody: of a thousand that are made
    /// in a row, those of each [`POLL`] go together, instead of each with all that a round costs.
    pub async fn flush(&self) {
        if current::is_one_of_many() {
            return;
        }
        let mut wanted = 0;
        self.rounds.send_modify(|rounds| {
            wanted = rounds.begun + 1;
            rounds.wanted = wanted;
        });
        self.wake.notify_one();
        let mut rounds = self.rounds.subscribe();
        let arrived = rounds.wait_for(|rounds| rounds.done >= wanted);
        let _ = tokio::time::timeout(FLUSH_TIMEOUT, arrived).await;
    }

    /// Whether somebody waits for a round after this one.
    fn is_awaited(&self) -> bool {
        let rounds = self.rounds.borrow();
        rounds.wanted > rounds.begun
    }
}

/// Where a relay reads the present values of keys: rows of a table, or whatever a function reads.
pub trait States: Send + Sync {
    /// The present values of keys; none for a key without a row any more.
    fn states(&self, db: &Database, keys: Vec<String>) -> impl Future<Output = Result<HashMap<String, Bytes>>> + Send;
}

impl<F, Fut> States for F
where
    F: Fn(Vec<String>) -> Fut + Send + Sync,
    Fut: Future<Output = Result<HashMap<String, Bytes>>> + Send,
{
    fn states(&self, _: &Database, keys: Vec<String>) -> impl Future<Output = Result<HashMap<String, Bytes>>> + Send {
        self(keys)
    }
}

/// Carries dirty keys into a bucket. Keys of one kind, which is what stands before their first dot, go together; one
/// kind after the other, in the order of the alphabet.
#[derive(Clone)]
pub struct Relay<S> {
    /// Where the marks are.
    pub db: Database,
    /// Where the states go.
    pub bucket: Bucket,
    /// Flushed after commits.
    pub handle: OutboxHandle,
    /// Where they are read.
    pub states: S,
}

impl<S: States> Relay<S> {
    /// Works until shutdown. What fails is tried again, later each time; a mark goes away only after its state arrived.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        while !shutdown.is_cancelled() {
            self.handle.rounds.send_modify(|rounds| rounds.begun += 1);
            let round = self.round().await;
            self.db.metrics.outbox.ended(round.as_ref().err());
            match round {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "outbox relay: will try again"),
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = self.handle.wake.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
        Ok(())
    }

    /// Tries every mark that was there when it began for which somebody waits, and then some others that are due; whether
    /// more of those may be there. An error when the bucket or the database is away.
    async fn round(&self) -> Result<bool> {
        let Some(last) = self.newest().await? else {
            self.is_tried();
            return Ok(false);
        };
        loop {
            let marks = self.marks(entity::Column::NextAt.eq(0), BATCH).await?;
            let full = marks.len() as u64 == BATCH;
            let newest = marks.last().map_or(last, |mark| mark.id);
            self.deliver_batch(marks, usize::MAX).await?;
            if !full || newest >= last {
                break;
            }
        }
        self.is_tried();
        let due = entity::Column::NextAt.between(1, Timestamp::now().millis());
        let marks = self.marks(due, UNAWAITED_BATCH).await?;
        let full = marks.len() as u64 == UNAWAITED_BATCH;
        let all_tried = self.deliver_batch(marks, UNAWAITED_AT_ONCE).await?;
        Ok(full || !all_tried)
    }

    /// Every mark was tried for which somebody waited when this round began.
    fn is_tried(&self) {
        self.handle.rounds.send_modify(|rounds| rounds.done = rounds.begun);
    }

    /// Carries so many keys at a time. False when it stops in between because somebody waits for the next round.
    async fn deliver_batch(&self, marks: Vec<entity::Model>, at_once: usize) -> Result<bool> {
        let mut kinds = BTreeMap::<String, BTreeMap<String, Vec<entity::Model>>>::new();
        for mark in marks {
            let kind = mark.key.split_once('.').map_or("", |(kind, _)| kind).to_owned();
            kinds.entry(kind).or_default().entry(mark.key.clone()).or_default().push(mark);
        }
        for (_, mut keys) in kinds {
            while !keys.is_empty() {
                let later = keys.keys().nth(at_once).cloned().map(|first| keys.split_off(&first)).unwrap_or_default();
                self.deliver_keys(&keys).await?;
                keys = later;
                if at_once == UNAWAITED_AT_ONCE && self.handle.is_awaited() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    async fn deliver_keys(&self, keys: &BTreeMap<String, Vec<entity::Model>>) -> Result<()> {
        let spans = keys.iter().map(|(key, marks)| (key.clone(), relaying(marks))).collect();
        let outcomes = self.deliver(spans).await;
        self.settle(keys, &outcomes).await?;
        let unanswered = outcomes.into_values().find_map(|outcome| match outcome {
            Outcome::Unanswered(error) => Some(error),
            _ => None,
        });
        unanswered.map_or(Ok(()), Err)
    }

    /// Removes the marks of what arrived, and puts off those of what failed, in one transaction.
    async fn settle(
        &self,
        keys: &BTreeMap<String, Vec<entity::Model>>,
        outcomes: &HashMap<String, Outcome>,
    ) -> Result<()> {
        let now = Timestamp::now();
        let (mut arrived, mut failed) = (Vec::new(), Vec::new());
        for (key, marks) in keys {
            match outcomes.get(key) {
                Some(Outcome::Arrived) => arrived.extend(marks.iter().map(|mark| mark.id)),
                Some(Outcome::Failed(error)) => {
                    tracing::warn!(%error, key, "a change does not reach its bucket: will try again");
                    failed.extend(marks.iter().map(|mark| (mark.id, pause_after(mark.attempts))));
                }
                Some(Outcome::Unanswered(_)) => failed.extend(marks.iter().map(|mark| (mark.id, POLL))),
                Some(Outcome::Untried) | None => {}
            }
        }
        if arrived.is_empty() && failed.is_empty() {
            return Ok(());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        entity::Entity::delete_many().filter(entity::Column::Id.is_in(arrived)).exec(&tx).await?;
        for (id, pause) in failed {
            entity::Entity::update_many()
                .col_expr(entity::Column::Attempts, Expr::col(entity::Column::Attempts).add(1))
                .col_expr(entity::Column::NextAt, Expr::val((now + pause).millis()))
                .filter(entity::Column::Id.eq(id))
                .exec(&tx)
                .await?;
        }
        Ok(tx.commit().await?)
    }

    /// The oldest marks of these.
    async fn marks(&self, of: impl IntoCondition, limit: u64) -> Result<Vec<entity::Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let marks = entity::Entity::find().filter(of).order_by_asc(entity::Column::Id).limit(limit);
        Ok(marks.all(&tx).await?)
    }

    /// The id of the newest mark there is. Says how many wait.
    async fn newest(&self) -> Result<Option<i64>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let newest = entity::Entity::find().order_by_desc(entity::Column::Id).one(&tx).await?;
        let Some(newest) = newest else {
            self.db.metrics.outbox.waits(0, None);
            return Ok(None);
        };
        let oldest = entity::Entity::find().order_by_asc(entity::Column::Id).one(&tx).await?;
        let count = entity::Entity::find().count(&tx).await?;
        self.db.metrics.outbox.waits(count, oldest.and_then(|mark| mark.marked_at));
        Ok(Some(newest.id))
    }
}

/// How long to leave a key alone that has failed so often before.
fn pause_after(attempts: i32) -> Duration {
    POLL.saturating_mul(1 << attempts.clamp(0, 16)).min(PAUSE_MAX)
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
