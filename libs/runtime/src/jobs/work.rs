//! One job, item by item.

use std::{
    collections::{HashMap, VecDeque},
    panic::AssertUnwindSafe,
    time::Duration,
};

use armada_proto::v1::{JobItemStatus, JobStatus};
use bytes::{Buf, BufMut};
use futures::FutureExt;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, DatabaseTransaction, DbBackend, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, sea_query::Expr,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::{
    Request, Response, Status,
    client::Grpc,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};

use super::{
    Jobs, Place,
    entity::{item, job, stored},
    run::{LEASE, lease},
};
use crate::{
    auth::{Caller, Client, Grant, Scope},
    error::{Code, Error, Result},
};

/// Items that are read at a time.
const CHUNK: u64 = 200;
/// How often it is written down what became of items that have not said so themselves, and how far the job is.
const FLUSH_INTERVAL: Duration = Duration::from_millis(250);
/// How often a job says that it is worked on, if no item ends meanwhile.
const HEARTBEAT_INTERVAL: Duration = LEASE.checked_div(3).expect("a part of it");
/// For how long a job is worked on while others wait.
const TURN: Duration = Duration::from_secs(1);
/// How long to wait before an item is tried again for which something was away. Then it has failed.
pub(super) const PAUSES_SECONDS: [u64; 5] = [1, 2, 4, 8, 16];

/// What becomes of a job.
pub(super) enum Next {
    /// Its next item is done.
    Item,
    /// It is over.
    Over(JobStatus, Option<Error>),
    /// It is somebody else's.
    Lost,
    /// The process ends; somebody else goes on.
    Leave,
    /// Others have their turn before it goes on.
    GiveWay,
}

/// Items that are still to be done.
struct RemainingItems {
    items: VecDeque<item::Model>,
    /// So many of them one by one: they could not be done together.
    alone: usize,
}

impl Jobs {
    /// Works on a job until it is over, or the process ends.
    pub(super) async fn work(self, job: job::Model, shutdown: CancellationToken) {
        let worked = async {
            let (mut next, mut job) = (Next::Item, job.clone());
            if let Some(trial) = job.trial {
                (next, job) = self.try_out(job, trial, &shutdown).await?;
            }
            if matches!(next, Next::Item) {
                next = self.items(&job, &shutdown).await?;
            }
            let is_over = matches!(next, Next::Over(..));
            match next {
                Next::Over(status, error) => self.finish(&job, status, error).await?,
                Next::Leave => self.leave(&job).await?,
                Next::GiveWay => self.give_way(&job).await?,
                Next::Item | Next::Lost => {}
            }
            Ok::<_, Error>(is_over)
        };
        let is_over = worked.await.unwrap_or_else(|error| {
            tracing::warn!(%error, job = %job.id, "a job cannot go on; it is taken up again");
            false
        });
        // Its lane is free, and so is its place.
        self.wake.notify_one();
        if is_over && let Err(error) = self.tidy_lane(job.lane, &shutdown).await {
            tracing::warn!(%error, "cannot forget old jobs; will try again");
        }
    }

    async fn items(&self, job: &job::Model, shutdown: &CancellationToken) -> Result<Next> {
        let begun = Instant::now();
        let (mut done, mut failed) = self.counted(job).await?;
        let mut next = self.heartbeat(job, done, failed).await?;
        loop {
            let items = self.pending(job).await?;
            if items.is_empty() && matches!(next, Next::Item) {
                return Ok(Next::Over(JobStatus::Completed, None));
            }
            let mut rest = RemainingItems { items: items.into(), alone: 0 };
            while !rest.items.is_empty() {
                match next {
                    Next::Item if shutdown.is_cancelled() => return Ok(Next::Leave),
                    Next::Item => {}
                    end => return Ok(end),
                }
                let (outcomes, end) = self.process_items(job, &mut rest, shutdown).await?;
                let tx = self.db.write(&Scope::Platform).await?;
                let decided = decided(&tx, job, &outcomes).await?;
                for (item, outcome) in outcomes {
                    let is_done = match decided.get(&item.position) {
                        Some(status) => *status == JobItemStatus::Done,
                        None => settle(&tx, job, &item, outcome).await?,
                    };
                    (done, failed) = if is_done { (done + 1, failed) } else { (done, failed + 1) };
                    self.metrics.item(is_done);
                }
                next = self.progress(&tx, job, done, failed).await?;
                if matches!(next, Next::Lost) {
                    // Whoever has it now decides on its items.
                    return Ok(Next::Lost);
                }
                tx.commit().await?;
                if let Some(end) = end {
                    return Ok(end);
                }
                if matches!(next, Next::Item) && self.is_turn_over(job, begun).await? {
                    return Ok(Next::GiveWay);
                }
            }
            if !matches!(next, Next::Item) {
                return Ok(next);
            }
        }
    }

    /// Does items for [`FLUSH_INTERVAL`], one at least; what became of each, and of the job when it cannot go on. An act that
    /// succeeded has said so in its own transaction: when this process dies now, nothing is done twice, and what has
    /// failed without a trace is tried again.
    async fn process_items(
        &self,
        job: &job::Model,
        rest: &mut RemainingItems,
        shutdown: &CancellationToken,
    ) -> Result<(Vec<(item::Model, Result<()>)>, Option<Next>)> {
        let begun = Instant::now();
        let mut outcomes = Vec::new();
        while !rest.items.is_empty() {
            let batch_len = match rest.alone {
                0 => self.batch_len(job, rest.items.make_contiguous()),
                _ => 0,
            };
            if batch_len > 1 {
                let tried: Vec<_> = rest.items.drain(..batch_len).collect();
                let done = self.run_batch(job, &tried).await?;
                let (done, left): (Vec<_>, Vec<_>) = tried.into_iter().partition(|item| done.contains(&item.position));
                outcomes.extend(done.into_iter().map(|item| (item, Ok(()))));
                rest.alone = left.len();
                left.into_iter().rev().for_each(|item| rest.items.push_front(item));
            } else if let Some(item) = rest.items.pop_front() {
                rest.alone = rest.alone.saturating_sub(1);
                match self.attempt(job, &item, shutdown).await? {
                    Ok(outcome) => outcomes.push((item, outcome)),
                    Err(end) => return Ok((outcomes, Some(end))),
                }
            }
            if begun.elapsed() > FLUSH_INTERVAL || shutdown.is_cancelled() {
                break;
            }
        }
        Ok((outcomes, None))
    }

    /// Items that were done, and those that have failed.
    pub(super) async fn counted(&self, job: &job::Model) -> Result<(i32, i32)> {
        let tx = self.db.read(&Scope::Platform).await?;
        let of = |status: JobItemStatus| {
            let items = item::Entity::find().filter(item::Column::JobId.eq(job.id));
            items.filter(item::Column::Status.eq(status)).count(&tx)
        };
        Ok((of(JobItemStatus::Done).await? as i32, of(JobItemStatus::Failed).await? as i32))
    }

    /// The next items that nobody has decided.
    pub(super) async fn pending(&self, job: &job::Model) -> Result<Vec<item::Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let items = item::Entity::find().filter(item::Column::JobId.eq(job.id));
        let items = items.filter(item::Column::Status.eq(JobItemStatus::Pending)).order_by_asc(item::Column::Position);
        Ok(items.limit(CHUNK).all(&tx).await?)
    }

    /// Says that the job is worked on, and how far it is; hears whether it shall go on.
    pub(super) async fn heartbeat(&self, job: &job::Model, done: i32, failed: i32) -> Result<Next> {
        let tx = self.db.write(&Scope::Platform).await?;
        let next = self.progress(&tx, job, done, failed).await?;
        tx.commit().await?;
        Ok(next)
    }

    pub(super) async fn progress(
        &self,
        tx: &DatabaseTransaction,
        job: &job::Model,
        done: i32,
        failed: i32,
    ) -> Result<Next> {
        let counts = [(job::Column::Done, done), (job::Column::Failed, failed)];
        let mut update = job::Entity::update_many().col_expr(job::Column::LeaseUntil, lease(&self.db));
        for (column, count) in counts {
            update = update.col_expr(column, Expr::val(count));
        }
        if update.filter(is_leased_by_us(job)).exec(tx).await?.rows_affected == 0 {
            return Ok(Next::Lost);
        }
        Ok(match job::Entity::find_by_id(job.id).one(tx).await? {
            Some(job) if job.cancel_requested => Next::Over(JobStatus::Cancelled, None),
            Some(_) => Next::Item,
            None => Next::Lost,
        })
    }

    /// Says in a transaction that the job is worked on; whether it still is one's own.
    pub(super) async fn is_ours(&self, tx: &DatabaseTransaction, job: &job::Model) -> Result<bool> {
        let update = job::Entity::update_many().col_expr(job::Column::LeaseUntil, lease(&self.db));
        Ok(update.filter(is_leased_by_us(job)).exec(tx).await?.rows_affected > 0)
    }

    /// Says that the job is worked on for as long as it is waited for.
    pub(super) async fn keep(&self, job: &job::Model) {
        loop {
            tokio::time::sleep(HEARTBEAT_INTERVAL).await;
            let kept = async {
                let tx = self.db.write(&Scope::Platform).await?;
                self.is_ours(&tx, job).await?;
                Ok::<_, Error>(tx.commit().await?)
            };
            if let Err(error) = kept.await {
                tracing::warn!(%error, job = %job.id, "cannot say that a job is worked on");
            }
        }
    }

    /// Waits, while the job stays one's own; false when the process ends meanwhile.
    pub(super) async fn pause(&self, job: &job::Model, pause: Duration, shutdown: &CancellationToken) -> bool {
        tokio::select! {
            slept = shutdown.run_until_cancelled(tokio::time::sleep(pause)) => slept.is_some(),
            () = self.keep(job) => unreachable!("it is kept for as long as it takes"),
        }
    }

    /// Does an item, again when something was away meanwhile. What becomes of the job instead when that cannot go on.
    async fn attempt(
        &self,
        job: &job::Model,
        item: &item::Model,
        shutdown: &CancellationToken,
    ) -> Result<Result<Result<()>, Next>> {
        let mut pauses = PAUSES_SECONDS.into_iter().map(Duration::from_secs);
        loop {
            let outcome = tokio::select! {
                outcome = AssertUnwindSafe(self.in_turn(self.call(job, item))).catch_unwind() => outcome,
                () = self.keep(job) => unreachable!("it is kept for as long as it takes"),
            };
            let error = match outcome {
                Ok(Err(error)) if matches!(error.class, Code::Unavailable | Code::Unauthenticated) => error,
                Ok(outcome) => return Ok(Ok(outcome)),
                Err(_) => return Ok(Ok(Err(Error::internal("an item of a job panicked")))),
            };
            if let Some(end) = self.end_without_owner(job, &error).await {
                return Ok(Err(end));
            }
            let Some(pause) = pauses.next() else { return Ok(Ok(Err(error))) };
            if !self.pause(job, pause, shutdown).await {
                return Ok(Err(Next::Leave));
            }
            let (done, failed) = self.counted(job).await?;
            match self.heartbeat(job, done, failed).await? {
                Next::Item => {}
                end => return Ok(Err(end)),
            }
            // The act may have been done, and only its answer was lost; or is still being done, which is waited for.
            let tx = self.db.write(&Scope::Platform).await?;
            let now = item::Entity::find_by_id((item.job_id, item.position)).lock_exclusive().one(&tx).await?;
            if now.is_some_and(|now| now.status == JobItemStatus::Done) {
                return Ok(Ok(Ok(())));
            }
        }
    }

    /// What becomes of a job when an error means that who started it may not be signed in any more.
    pub(super) async fn end_without_owner(&self, job: &job::Model, error: &Error) -> Option<Next> {
        let policy = self.policies.of(job.created_by);
        let is_gone = error.class == Code::Unauthenticated
            && policy.await.is_err_and(|error| error.class == Code::Unauthenticated);
        let gone = || Error::new(Code::Forbidden, "job_user_gone", "who started it may not sign in any more");
        is_gone.then(|| Next::Over(JobStatus::Cancelled, Some(gone())))
    }

    /// Does or tries something while no other job does, on SQLite, where one writes at a time: whoever does something by
    /// themselves waits for one of them at most.
    pub(super) async fn in_turn<T>(&self, work: impl Future<Output = T>) -> T {
        let _turn = match self.db.backend() {
            DbBackend::Sqlite => Some(self.turn.lock().await),
            _ => None,
        };
        work.await
    }

    /// Who started a job. What they may do now, the guard looks up.
    pub(super) fn caller(&self, job: &job::Model) -> Result<Caller> {
        let grant = Grant {
            user_id: job.created_by,
            tenant_id: job.tenant_id,
            is_platform_owner: false,
            is_tenant_admin: false,
            is_subscription_user: false,
            policy_version: 0,
            sid: None,
        };
        let mut caller = self.key.caller(job.tenant_id.map_or(Scope::Platform, Scope::Tenant), Some(grant))?;
        caller.client = Client::new(job.address.as_deref().and_then(|address| address.parse().ok()), "");
        Ok(caller)
    }

    /// Calls the method that does an item, as who started the job.
    async fn call(&self, job: &job::Model, item: &item::Model) -> Result<()> {
        let caller = self.caller(job)?;
        let mut request: Request<Vec<u8>> = caller.sign(item.body(job));
        request.extensions_mut().insert(Place::of(job, item));
        let path = item.method(job).parse().map_err(Error::internal)?;
        let mut service = Grpc::new(self.peers.transport(self.service)?);
        service.ready().await.map_err(Error::from)?;
        let answer: std::result::Result<Response<()>, Status> = service.unary(request, path, Plain).await;
        answer.map(drop).map_err(Error::from)
    }

    /// Whether a job that began so shall give way to others.
    pub(super) async fn is_turn_over(&self, job: &job::Model, begun: Instant) -> Result<bool> {
        Ok(begun.elapsed() > TURN && self.others_wait(job).await?)
    }

    /// Puts a job back among those that wait.
    async fn give_way(&self, job: &job::Model) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let update = job::Entity::update_many()
            .col_expr(job::Column::Status, Expr::val("queued"))
            .col_expr(job::Column::WorkedAt, Expr::cust(self.db.now_millis()))
            .col_expr(job::Column::LeaseUntil, Expr::val(0_i64));
        update.filter(is_leased_by_us(job)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }

    /// Lets go of a job, for whoever comes next.
    async fn leave(&self, job: &job::Model) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let update = job::Entity::update_many().col_expr(job::Column::LeaseUntil, Expr::val(0_i64));
        update.filter(is_leased_by_us(job)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// Of these items, by their places, those of which it is known what became of them.
async fn decided(
    tx: &DatabaseTransaction,
    job: &job::Model,
    items: &[(item::Model, Result<()>)],
) -> Result<HashMap<i32, JobItemStatus>> {
    let rows = item::Entity::find()
        .select_only()
        .columns([item::Column::Position, item::Column::Status])
        .filter(item::Column::JobId.eq(job.id))
        .filter(item::Column::Position.is_in(items.iter().map(|(item, _)| item.position)))
        .filter(item::Column::Status.ne(JobItemStatus::Pending));
    let rows: Vec<(i32, JobItemStatus)> = rows.into_tuple().all(tx).await?;
    Ok(rows.into_iter().collect())
}

/// Says what became of an item, unless its act says it in this moment; whether it is done.
async fn settle(tx: &DatabaseTransaction, job: &job::Model, item: &item::Model, outcome: Result<()>) -> Result<bool> {
    let is_done = outcome.is_ok();
    let undecided = item::Entity::update_many()
        .set(item::ActiveModel {
            status: Set(if is_done { JobItemStatus::Done } else { JobItemStatus::Failed }),
            decided_in: Set(Some(job.epoch)),
            request: Set(None),
            error: Set(outcome.err().map(stored)),
            ..Default::default()
        })
        .filter(item::Column::JobId.eq(item.job_id))
        .filter(item::Column::Position.eq(item.position))
        .filter(item::Column::Status.eq(JobItemStatus::Pending));
    let is_said_before = undecided.exec(tx).await?.rows_affected == 0;
    if !is_said_before {
        return Ok(is_done);
    }
    let now = item::Entity::find_by_id((item.job_id, item.position)).one(tx).await?;
    Ok(now.is_some_and(|now| now.status == JobItemStatus::Done))
}

/// The job, as long as nobody else has taken it up.
pub(super) fn is_leased_by_us(job: &job::Model) -> Condition {
    Condition::all()
        .add(job::Column::Id.eq(job.id))
        .add(job::Column::Epoch.eq(job.epoch))
        .add(job::Column::Status.eq(JobStatus::Running))
}

/// Requests are encoded already, and of answers nothing is wanted but that they are good.
struct Plain;

impl Codec for Plain {
    type Encode = Vec<u8>;
    type Decode = ();
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Plain {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, request: Vec<u8>, to: &mut EncodeBuf<'_>) -> std::result::Result<(), Status> {
        to.put_slice(&request);
        Ok(())
    }
}

impl Decoder for Plain {
    type Item = ();
    type Error = Status;

    fn decode(&mut self, answer: &mut DecodeBuf<'_>) -> std::result::Result<Option<()>, Status> {
        answer.advance(answer.remaining());
        Ok(Some(()))
    }
}
