//! Who owns which partition. A row per partition holds the owner, its lease by the database's clock, and an epoch that
//! grows with each change; an instance takes at most its share of them and lets go of what is too much.
//!
//! An owner receives what gateways publish as well. It goes on with that when it has released its partition, until the
//! next owner receives it: nothing is refused in between.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    time::Duration,
};

use armada_runtime::{Code, Error, Result, Scope};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Statement,
    sea_query::{Expr, OnConflict},
};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, MissedTickBehavior},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    entity::{instance, partition},
    metrics::standstill::{Step, Steps},
    pipeline::{self, Order, PipelineContext},
    readiness,
    receiver::{self, Receiving, receive},
    streams::{self, tail::Tail},
};

/// For how long a partition is owned without being renewed.
const LEASE_MS: i64 = 2_200;
/// How often leases are renewed and free partitions looked for. Together with the lease less than three seconds: so long
/// nobody takes in what gateways publish when an owner dies.
const INTERVAL: Duration = Duration::from_millis(600);
/// How long other instances may take at the end to receive what this one did.
const HANDOVER: Duration = Duration::from_secs(3);
/// How long the database may take to hear, at the end, that all partitions are free.
const RELEASE_ALL_TIMEOUT: Duration = Duration::from_secs(5);
/// For how long a partition whose stream is refused is left alone: somebody has to do something first.
const COOLING: Duration = Duration::from_secs(5);

struct Owned {
    epoch: i64,
    orders: watch::Sender<Order>,
    task: JoinHandle<Result<()>>,
    steps: Steps,
    /// It stood still, and ends.
    is_given_up: bool,
}

/// Takes, renews and lets go of partitions until shutdown.
pub async fn run(
    context: PipelineContext,
    receiver: receiver::ReceiverContext,
    shutdown: CancellationToken,
) -> Result<()> {
    let mut keeper = LeaseKeeper {
        id: Uuid::now_v7().to_string(),
        context,
        receiver,
        owned: BTreeMap::new(),
        received: Vec::new(),
        cooling: BTreeMap::new(),
        standing: BTreeMap::new(),
        created: None,
        looked: Instant::now(),
        others: 0,
    };
    keeper.context.health.present(&readiness::STANDSTILL);
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => break,
            _ = ticks.tick() => {}
        }
        if let Some(Err(error)) = shutdown.run_until_cancelled(keeper.tick()).await {
            // Without the database nobody else can take over either; the owners go on with their live side.
            tracing::warn!(%error, "cannot renew the leases of partitions; will try again");
            keeper.owned.values().for_each(|owned| owned.steps.begin_anew());
        }
    }
    keeper.release_all().await;
    Ok(())
}

struct LeaseKeeper {
    id: String,
    context: PipelineContext,
    receiver: receiver::ReceiverContext,
    owned: BTreeMap<u32, Owned>,
    /// The partitions that are received here: those that are owned, and those that nobody else receives yet; twice while
    /// one from before hands over.
    received: Vec<(u32, Receiving)>,
    /// Partitions that are not to be taken before.
    cooling: BTreeMap<u32, Instant>,
    /// Those that were given up since they stood still, and how, until somebody has them again.
    standing: BTreeMap<u32, String>,
    /// When RAW was made, as was last heard.
    created: Option<i64>,
    /// When the last tick ended.
    looked: Instant,
    /// How many other instances lived when the database was last asked.
    others: usize,
}

/// What one look at the database decided.
struct Decision {
    /// Partitions that are this instance's, with their epochs.
    mine: BTreeMap<u32, i64>,
    /// How many it may have.
    share: usize,
    /// Those that nobody has.
    orphans: BTreeSet<u32>,
    /// How many other instances live.
    others: usize,
}

impl LeaseKeeper {
    async fn tick(&mut self) -> Result<()> {
        let begun = Instant::now();
        if begun.duration_since(self.looked) > INTERVAL * 4 {
            // This process slept, and all its partitions with it.
            self.owned.values().for_each(|owned| owned.steps.begin_anew());
        }
        self.reap().await;
        let keep: BTreeMap<u32, i64> = self
            .owned
            .iter()
            .filter(|(_, owned)| *owned.orders.borrow() == Order::Own && !owned.is_given_up)
            .map(|(partition, owned)| (*partition, owned.epoch))
            .collect();
        // NATS is asked before the turn to write: it may take its time. While a cluster elects it answers nothing, and leases are
        // renewed all the same.
        let asked = tokio::time::timeout(INTERVAL, streams::raw(&self.context.bus, &self.context.config)).await;
        let answered = asked.unwrap_or_else(|_| Err(Error::unavailable("NATS does not answer")));
        let created = match (&answered, self.created) {
            (Ok(stream), _) => streams::created(stream),
            (Err(_), Some(created)) => created,
            (Err(error), None) => return Err(error.clone()),
        };
        self.created = Some(created);
        let decision = {
            let _turn = self.context.gate.enter().await;
            self.decide(&keep, created).await?
        };
        for (partition, owned) in &self.owned {
            // Somebody else took it while this process slept: what it still holds is void.
            if keep.contains_key(partition) && decision.mine.get(partition) != Some(&owned.epoch) {
                tracing::warn!(partition, "was taken over");
                owned.task.abort();
                // What it has not written is refused, unless the new owner has nothing yet.
                let stale = self.received.iter().filter(|(received, _)| received == partition);
                stale.for_each(|(_, receiving)| receiving.stop());
            }
        }
        for (&partition, &epoch) in &decision.mine {
            if !self.owned.contains_key(&partition) {
                self.start(partition, epoch);
            }
        }
        let surplus = decision.mine.len().saturating_sub(decision.share);
        for partition in decision.mine.keys().rev().take(surplus) {
            if let Some(owned) = self.owned.get(partition) {
                owned.orders.send_replace(Order::Release);
            }
        }
        self.context.metrics.owned(self.owned.len());
        self.received.retain(|(_, receiving)| !receiving.is_over());
        self.others = decision.others;
        match decision.orphans.len() {
            0 => self.context.health.present(&readiness::PARTITIONS),
            orphans => {
                self.context.health.missing(&readiness::PARTITIONS, format!("{orphans} partitions have no owner yet"))
            }
        }
        match answered {
            Ok(_) => self.give_up_standing(&decision),
            Err(_) => self.owned.values().for_each(|owned| owned.steps.begin_anew()),
        }
        self.looked = Instant::now();
        Ok(())
    }

    /// Gives partitions up that stand still although NATS and the database have just answered: another instance takes them, or
    /// this one anew.
    fn give_up_standing(&mut self, Decision { mine, orphans, .. }: &Decision) {
        let owned = &self.owned;
        let is_back =
            |partition: &u32| owned.get(partition).map_or(!orphans.contains(partition), |owned| !owned.is_given_up);
        self.standing.retain(|partition, _| !is_back(partition));
        // Of what somebody else has taken over it is no wonder.
        let is_mine = |partition: &u32, owned: &Owned| {
            *owned.orders.borrow() == Order::Own && mine.get(partition) == Some(&owned.epoch)
        };
        for (&partition, owned) in self.owned.iter_mut().filter(|(partition, owned)| is_mine(partition, owned)) {
            let is_received = self.received.iter().any(|(received, _)| *received == partition);
            let (step, how) = match owned.steps.standing() {
                _ if owned.is_given_up => continue,
                Some((step, since)) => (step, format!("has not moved for {} s", since.as_secs())),
                None if !is_received => (Step::Receiver, "has ended".to_owned()),
                None => continue,
            };
            tracing::error!(partition, step = step.as_str(), "{how}: the partition is given up");
            self.context.metrics.stood_still(step);
            self.standing.insert(partition, format!("the {} of partition {partition} {how}", step.as_str()));
            owned.is_given_up = true;
            owned.task.abort();
            self.received.retain(|(received, _)| *received != partition);
            self.cooling.insert(partition, Instant::now() + COOLING);
        }
        let standing: Vec<_> = self.standing.values().cloned().collect();
        match standing.is_empty() {
            true => self.context.health.present(&readiness::STANDSTILL),
            false => self.context.health.missing(&readiness::STANDSTILL, standing.join("; ")),
        }
    }

    fn start(&mut self, partition: u32, epoch: i64) {
        // First, since whoever publishes waits for it; the owner reads the database meanwhile.
        let tail = Tail::default();
        let steps = Steps::new(partition, self.context.config.held_steps.clone());
        let of = (partition, epoch);
        self.received.push((partition, receive(self.receiver.clone(), of, tail.clone(), steps.clone())));
        let (orders, heard) = watch::channel(Order::Own);
        let task = tokio::spawn(pipeline::own(self.context.clone(), of, (tail, steps.clone()), heard));
        self.owned.insert(partition, Owned { epoch, orders, task, steps, is_given_up: false });
    }

    /// Forgets owners that ended. One that let go, or failed, frees its row, so that the next takes over at once.
    async fn reap(&mut self) {
        let ended: Vec<u32> =
            self.owned.iter().filter(|(_, owned)| owned.task.is_finished()).map(|(partition, _)| *partition).collect();
        for partition in ended {
            let Some(owned) = self.owned.remove(&partition) else { continue };
            match owned.task.await {
                Ok(Ok(())) => {}
                Ok(Err(error)) if error.class == Code::Unavailable && error.code != pipeline::STREAM_RECREATED => {
                    tracing::warn!(partition, "{}", error.message);
                }
                Ok(Err(error)) => {
                    tracing::error!(partition, "{}", error.message);
                    if error.code == pipeline::STREAM_RECREATED {
                        self.context.health.missing(&readiness::RAW, error.message);
                        self.cooling.insert(partition, Instant::now() + COOLING);
                    }
                }
                Err(error) if error.is_cancelled() => {}
                Err(error) => tracing::error!(partition, %error, "the owner of a partition failed"),
            }
            if let Err(error) = self.free(partition, owned.epoch).await {
                tracing::warn!(partition, %error, "cannot free a partition; its lease will run out");
            }
        }
    }

    async fn free(&self, partition: u32, epoch: i64) -> Result<()> {
        let _turn = self.context.gate.enter().await;
        let tx = self.context.db.write(&Scope::Platform).await?;
        self.free_in(&tx, partition, epoch).await?;
        Ok(tx.commit().await?)
    }

    async fn free_in(&self, tx: &DatabaseTransaction, partition: u32, epoch: i64) -> Result<()> {
        partition::Entity::update_many()
            .col_expr(partition::Column::Owner, Expr::value(""))
            .col_expr(partition::Column::LeaseUntil, Expr::value(0_i64))
            .filter(partition::Column::Partition.eq(partition as i32))
            .filter(partition::Column::Epoch.eq(epoch))
            .filter(partition::Column::Owner.eq(&*self.id))
            .exec(tx)
            .await?;
        Ok(())
    }

    /// `created` is when the stream RAW was made.
    async fn decide(&self, keep: &BTreeMap<u32, i64>, created: i64) -> Result<Decision> {
        let tx = self.context.db.write(&Scope::Platform).await?;
        let now = self.now(&tx).await?;
        let alive = self.count_alive(&tx, now).await?;
        let share = (self.context.config.partitions as usize).div_ceil(alive);
        let rows = partition::Entity::find().order_by_asc(partition::Column::Partition).all(&tx).await?;
        let mut mine = BTreeMap::new();
        for row in &rows {
            let number = row.partition as u32;
            if row.owner == self.id && keep.get(&number) == Some(&row.epoch) {
                mine.insert(number, row.epoch);
            }
        }
        if !mine.is_empty() {
            self.renew(&tx, mine.keys().copied(), now).await?;
        }
        let cooling = self.cooling.iter().filter(|(_, until)| **until > Instant::now());
        let busy: HashSet<u32> = self.owned.keys().chain(cooling.map(|(partition, _)| partition)).copied().collect();
        for row in rows.iter().filter(|row| row.lease_until < now && !busy.contains(&(row.partition as u32))) {
            if mine.len() >= share {
                break;
            }
            if let Some(epoch) = self.take(&tx, row, now, created).await? {
                mine.insert(row.partition as u32, epoch);
            }
        }
        tx.commit().await?;
        let is_owned = |row: &&partition::Model| row.lease_until >= now || mine.contains_key(&(row.partition as u32));
        let orphans = rows.iter().filter(|row| !is_owned(row)).map(|row| row.partition as u32).collect();
        Ok(Decision { mine, share, orphans, others: alive - 1 })
    }

    async fn now(&self, tx: &DatabaseTransaction) -> Result<i64> {
        let sql = format!("SELECT {} AS now", self.context.db.now_millis());
        let row = tx.query_one_raw(Statement::from_string(self.context.db.backend(), sql)).await?;
        Ok(row.ok_or_else(|| Error::internal("the database has no clock"))?.try_get("", "now")?)
    }

    /// Says that this instance lives and counts those that do.
    async fn count_alive(&self, tx: &DatabaseTransaction, now: i64) -> Result<usize> {
        let alive = instance::ActiveModel { id: Set(self.id.clone()), alive_until: Set(now + LEASE_MS) };
        let update = OnConflict::column(instance::Column::Id).update_column(instance::Column::AliveUntil).to_owned();
        instance::Entity::insert(alive).on_conflict(update).exec_without_returning(tx).await?;
        // Two instances that find several of the dead would each wait for the other.
        let dead = instance::Entity::find().select_only().column(instance::Column::Id);
        let dead = dead.filter(instance::Column::AliveUntil.lt(now)).order_by_asc(instance::Column::Id);
        let dead: Vec<String> = dead.lock_exclusive().into_tuple().all(tx).await?;
        instance::Entity::delete_many().filter(instance::Column::Id.is_in(dead)).exec(tx).await?;
        Ok(instance::Entity::find().count(tx).await? as usize)
    }

    async fn renew(&self, tx: &DatabaseTransaction, partitions: impl Iterator<Item = u32>, now: i64) -> Result<()> {
        use partition::Column;
        let partitions: Vec<i32> = partitions.map(|partition| partition as i32).collect();
        let own = |column: Column| column.is_in(partitions.iter().copied());
        // One statement locks rows as it finds them, and the writer, which moves them forward, in their order: each would
        // wait for the other.
        let locked = partition::Entity::find().select_only().column(Column::Partition).filter(own(Column::Partition));
        locked.order_by_asc(Column::Partition).lock_exclusive().into_tuple::<i32>().all(tx).await?;
        partition::Entity::update_many()
            .col_expr(Column::LeaseUntil, Expr::value(now + LEASE_MS))
            .filter(own(Column::Partition))
            .filter(Column::Owner.eq(&*self.id))
            .exec(tx)
            .await?;
        Ok(())
    }

    /// Takes a free partition, unless somebody was faster.
    async fn take(
        &self,
        tx: &DatabaseTransaction,
        row: &partition::Model,
        now: i64,
        created: i64,
    ) -> Result<Option<i64>> {
        let epoch = row.epoch + 1;
        let mut update = partition::Entity::update_many()
            .col_expr(partition::Column::Owner, Expr::value(&*self.id))
            .col_expr(partition::Column::Epoch, Expr::value(epoch))
            .col_expr(partition::Column::LeaseUntil, Expr::value(now + LEASE_MS));
        if row.stream_created == 0 {
            update = update.col_expr(partition::Column::StreamCreated, Expr::value(created));
        }
        let taken = update
            .filter(partition::Column::Partition.eq(row.partition))
            .filter(partition::Column::Epoch.eq(row.epoch))
            .filter(partition::Column::LeaseUntil.eq(row.lease_until))
            .exec(tx)
            .await?;
        Ok((taken.rows_affected == 1).then_some(epoch))
    }

    /// Each owner ends within its own deadline, all of them at a time. Receiving ends before when nobody else can take it
    /// up, so that whoever publishes hears at once that there is nobody; else once others receive.
    async fn release_all(&mut self) {
        if self.others == 0 {
            self.stop_receiving().await;
        }
        for owned in self.owned.values() {
            owned.orders.send_replace(Order::Release);
        }
        let mut epochs = Vec::new();
        for (partition, owned) in std::mem::take(&mut self.owned) {
            if let Ok(Err(error)) = owned.task.await {
                tracing::warn!(partition, "{}", error.message);
            }
            epochs.push((partition, owned.epoch));
        }
        let signed_off = tokio::time::timeout(RELEASE_ALL_TIMEOUT, self.unregister(&epochs)).await;
        if let Err(error) = signed_off.unwrap_or_else(|_| Err(Error::unavailable("the database does not answer"))) {
            tracing::warn!(%error, "cannot free partitions and sign off; their leases will run out");
        }
        if tokio::time::timeout(HANDOVER, self.all_over()).await.is_err() {
            self.stop_receiving().await;
        }
    }

    async fn stop_receiving(&mut self) {
        self.received.iter().for_each(|(_, receiving)| receiving.stop());
        if tokio::time::timeout(HANDOVER, self.all_over()).await.is_err() {
            tracing::warn!("what was received could not be written: its senders will send it again");
        }
        self.received.clear();
    }

    /// Waits until nothing is received here any more.
    async fn all_over(&self) {
        for (_, receiving) in &self.received {
            receiving.over().await;
        }
    }

    async fn unregister(&self, epochs: &[(u32, i64)]) -> Result<()> {
        let _turn = self.context.gate.enter().await;
        let tx = self.context.db.write(&Scope::Platform).await?;
        for &(partition, epoch) in epochs {
            self.free_in(&tx, partition, epoch).await?;
        }
        instance::Entity::delete_by_id(self.id.clone()).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}
