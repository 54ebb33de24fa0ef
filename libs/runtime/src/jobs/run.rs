//! The task of a service that runs its jobs: takes up what waits and what was abandoned, and forgets what is long over.

use std::time::Duration;

use armada_proto::{Timestamp, v1::JobStatus};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, IntoCondition, LockBehavior, LockType},
};
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Jobs,
    entity::{Trial, item, job},
};
use crate::{
    auth::Scope,
    db::{Database, is_unique_violation},
    error::{Error, Result},
};

/// Jobs that one instance runs at a time.
const AT_ONCE: usize = 4;
/// How often to look for jobs that nobody told of: those of other instances.
const POLL: Duration = Duration::from_secs(1);
/// For how long a job is taken up. Whoever works on it says so again and again.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// For how long what is over is kept.
const RETENTION: Duration = Duration::from_secs(30 * 24 * 3600);
/// When something of a lane was worked on last.
const TURN_OF_LANE: &str = "(SELECT max(worked_at) FROM job AS of_lane WHERE of_lane.lane = job.lane)";
/// When one was worked on last, or came.
const TURN: &str = "CASE WHEN worked_at = 0 THEN created_at ELSE worked_at END";
/// Jobs of a lane that are kept when they are over, and items of all of them.
const KEPT_JOBS: u32 = 200;
const KEPT_ITEMS: i64 = 300_000;
/// The same of those that were only tried.
const KEPT_TRIALS: u32 = 20;
/// Items that are forgotten in one transaction.
const FORGOTTEN: u64 = 1_000;
/// How often to look for what is over for so long.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(3600);

impl Jobs {
    /// Runs jobs until shutdown; then each of them stops behind its present item, and whoever comes next goes on there.
    pub(crate) async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let mut running = JoinSet::new();
        let mut tidied = None::<Instant>;
        while !shutdown.is_cancelled() {
            let looked = async {
                while running.len() < AT_ONCE
                    && let Some(job) = self.take_up().await?
                {
                    running.spawn(self.clone().work(job, shutdown.clone()));
                }
                self.metrics.queued(self.queued().await?);
                if tidied.is_none_or(|at| at.elapsed() > CLEANUP_INTERVAL) {
                    self.tidy(&shutdown).await?;
                    tidied = Some(Instant::now());
                }
                Ok::<_, Error>(())
            };
            if let Err(error) = looked.await {
                tracing::warn!(%error, "cannot look for jobs; will try again");
            }
            self.metrics.running(running.len());
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = self.wake.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                Some(ended) = running.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "a job panicked; it is taken up again");
                    }
                }
            }
        }
        while running.join_next().await.is_some() {}
        Ok(())
    }

    /// Takes up a job that nobody works on and whose lane is free: of the lane whose turn was the longest ago, and of its
    /// jobs the one whose turn was.
    async fn take_up(&self) -> Result<Option<job::Model>> {
        use job::Column;
        let now = self.db.now_millis();
        let tx = self.db.write(&Scope::Platform).await?;
        let busy = job::Entity::find().select_only().column(Column::Lane).filter(Column::Status.eq(JobStatus::Running));
        let waits = Condition::all()
            .add(Column::Status.eq(JobStatus::Queued))
            .add(Column::IsFilled.eq(true))
            .add(Column::Lane.not_in_subquery(busy.into_query()));
        let abandoned = Condition::all()
            .add(Column::Status.eq(JobStatus::Running))
            .add(Expr::col(Column::LeaseUntil).lt(Expr::cust(now)));
        let found = job::Entity::find()
            .filter(Condition::any().add(waits).add(abandoned))
            .order_by(Expr::cust(TURN_OF_LANE), Order::Asc)
            .order_by(Expr::cust(TURN), Order::Asc)
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id)
            .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        let Some(job) = found.one(&tx).await? else { return Ok(None) };
        let taken = job::Entity::update_many()
            .col_expr(Column::Status, Expr::val("running"))
            .col_expr(Column::Epoch, Expr::col(Column::Epoch).add(1))
            .col_expr(Column::LeaseUntil, lease(&self.db))
            .col_expr(Column::StartedAt, Expr::val(job.started_at.unwrap_or(Timestamp::now().millis())))
            .filter(Column::Id.eq(job.id))
            .exec(&tx)
            .await;
        match taken {
            // Another instance has begun another job of the same lane meanwhile.
            Err(error) if is_unique_violation(&error) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(_) => {
                let job = job::Entity::find_by_id(job.id).one(&tx).await?;
                tx.commit().await?;
                Ok(job)
            }
        }
    }

    /// Whether one that waits could be taken up if this one gave way.
    pub(super) async fn others_wait(&self, job: &job::Model) -> Result<bool> {
        use job::Column;
        let tx = self.db.read(&Scope::Platform).await?;
        let busy = job::Entity::find().select_only().column(Column::Lane).filter(Column::Status.eq(JobStatus::Running));
        let lane = Condition::any().add(Column::Lane.eq(job.lane)).add(Column::Lane.not_in_subquery(busy.into_query()));
        let waits = job::Entity::find().filter(Column::Status.eq(JobStatus::Queued)).filter(Column::IsFilled.eq(true));
        let waits = waits.filter(lane);
        Ok(waits.select_only().column(Column::Id).into_tuple::<Uuid>().one(&tx).await?.is_some())
    }

    /// Jobs that wait for their turn.
    async fn queued(&self) -> Result<u64> {
        let tx = self.db.read(&Scope::Platform).await?;
        Ok(job::Entity::find().filter(job::Column::Status.eq(JobStatus::Queued)).count(&tx).await?)
    }

    /// Forgets what is over for long, and what was never filled: whoever did that is gone.
    async fn tidy(&self, shutdown: &CancellationToken) -> Result<()> {
        use job::Column;
        let before = |age: Duration| Timestamp::now().millis() - age.as_millis() as i64;
        let unfilled = Condition::all()
            .add(Column::Status.eq(JobStatus::Queued))
            .add(Column::IsFilled.eq(false))
            .add(Column::CreatedAt.lt(before(CLEANUP_INTERVAL)));
        for old in [Column::FinishedAt.lt(before(RETENTION)).into_condition(), unfilled] {
            while !shutdown.is_cancelled() {
                let tx = self.db.read(&Scope::Platform).await?;
                let found = job::Entity::find().filter(old.clone()).select_only().column(Column::Id);
                let found = found.into_tuple::<Uuid>().one(&tx).await?;
                drop(tx);
                let Some(id) = found else { break };
                self.forget(id, shutdown).await?;
            }
        }
        Ok(())
    }

    /// Forgets the oldest jobs of a lane that are over, beyond as many as are kept. Of those that were only tried there is
    /// nothing to take back: they are counted apart.
    pub(super) async fn tidy_lane(&self, lane: Uuid, shutdown: &CancellationToken) -> Result<()> {
        use job::Column;
        let tx = self.db.read(&Scope::Platform).await?;
        let over = job::Entity::find().filter(Column::Lane.eq(lane)).filter(Column::FinishedAt.is_not_null());
        let over = over.order_by_desc(Column::FinishedAt).order_by_desc(Column::Id);
        let over = over.select_only().columns([Column::Id, Column::Total, Column::Trial]);
        let over: Vec<(Uuid, i32, Option<Trial>)> = over.into_tuple().all(&tx).await?;
        drop(tx);
        let (mut jobs, mut items, mut trials) = (0, 0, 0);
        for (id, total, trial) in over {
            let is_kept = match trial {
                Some(_) => {
                    trials += 1;
                    trials <= KEPT_TRIALS
                }
                // What was done last can be looked at and taken back, however large it was.
                None => {
                    (jobs, items) = (jobs + 1, items + i64::from(total));
                    jobs == 1 || jobs <= KEPT_JOBS && items <= KEPT_ITEMS
                }
            };
            if shutdown.is_cancelled() {
                return Ok(());
            }
            if !is_kept {
                self.forget(id, shutdown).await?;
            }
        }
        Ok(())
    }

    /// Forgets a job that is over, and its items, some at a time: there may be many.
    pub(super) async fn forget(&self, id: Uuid, shutdown: &CancellationToken) -> Result<()> {
        while !shutdown.is_cancelled() {
            let tx = self.db.write(&Scope::Platform).await?;
            let some = item::Entity::find().filter(item::Column::JobId.eq(id)).select_only();
            let some = some.column(item::Column::Position).order_by_asc(item::Column::Position).limit(FORGOTTEN);
            let positions: Vec<i32> = some.into_tuple().all(&tx).await?;
            let rest = item::Entity::delete_many().filter(item::Column::JobId.eq(id));
            match positions.last() {
                Some(last) => rest.filter(item::Column::Position.lte(*last)).exec(&tx).await?,
                None => job::Entity::delete_by_id(id).exec(&tx).await?,
            };
            tx.commit().await?;
            if positions.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

/// The end of a lease that begins now, by the database's clock.
pub(super) fn lease(db: &Database) -> Expr {
    Expr::cust(db.now_millis()).add(LEASE.as_millis() as i64)
}
