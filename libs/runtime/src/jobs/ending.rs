//! How a job ends: its items first, some in a transaction, then the job itself.

use std::ops::Range;

use armada_proto::{
    Timestamp,
    v1::{JobItemStatus, JobStatus},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
    sea_query::{CaseStatement, Expr},
};

use super::{
    Jobs,
    entity::{Trial, item, job, stored},
    undone,
};
use crate::{
    auth::{Caller, Scope},
    error::{Error, Result},
};

/// Items that are written in one transaction.
const CHUNK: i32 = 500;

impl Jobs {
    /// Ends a job that is one's own.
    pub(super) async fn finish(&self, job: &job::Model, status: JobStatus, error: Option<Error>) -> Result<()> {
        let (mut from, error) = (0, error.map(stored));
        loop {
            let tx = self.db.write(&Scope::Platform).await?;
            if !self.is_ours(&tx, job).await? {
                return Ok(());
            }
            let Some(now) = job::Entity::find_by_id(job.id).one(&tx).await? else { return Ok(()) };
            // A process that died on the way here has said why it fails.
            let (status, error) = match &now.error {
                Some(said) => (JobStatus::Failed, Some(said.clone())),
                None => (status, error.clone()),
            };
            match end_items(&tx, &now, from).await? {
                // Whoever goes on with it, should this process die, does nothing of what is left.
                Some(next) => {
                    from = next;
                    if status != JobStatus::Completed {
                        let error = error.filter(|_| status == JobStatus::Failed);
                        let now = now.into_active_model();
                        job::ActiveModel { cancel_requested: Set(true), error: Set(error), ..now }.update(&tx).await?;
                    }
                }
                None => {
                    end(&tx, now, status, error).await?;
                    return Ok(tx.commit().await?);
                }
            }
            tx.commit().await?;
        }
    }

    /// Stops a job. One that waits is over at once; one that runs hears of it before its next item.
    pub(super) async fn stop(&self, caller: &Caller, id: &str) -> Result<job::Model> {
        let mut from = 0;
        loop {
            let tx = self.db.write(&caller.scope()).await?;
            let job = self.find_locked(&tx, caller, id).await?;
            let waits = job.status == JobStatus::Queued;
            if !waits && job.status != JobStatus::Running {
                return Ok(job);
            }
            let rest = match waits {
                true => end_items(&tx, &job, from).await?,
                false => None,
            };
            // Whoever takes it up meanwhile goes on ending it.
            let job = match (waits, rest) {
                (true, None) => end(&tx, job, JobStatus::Cancelled, None).await?,
                _ => job::ActiveModel { cancel_requested: Set(true), ..job.into_active_model() }.update(&tx).await?,
            };
            tx.commit().await?;
            match rest {
                Some(next) => from = next,
                None => return Ok(job),
            }
        }
    }
}

/// The places of the next items of a job for which this holds, from a place on: the first of them, and as many places as are
/// written in one transaction.
pub(super) async fn next_items(
    tx: &DatabaseTransaction,
    job: &job::Model,
    from: i32,
    holds: Condition,
) -> Result<Option<Range<i32>>> {
    let items = item::Entity::find().filter(item::Column::JobId.eq(job.id)).filter(item::Column::Position.gte(from));
    let first = items.filter(holds).select_only().column(item::Column::Position).order_by_asc(item::Column::Position);
    Ok(first.into_tuple::<i32>().one(tx).await?.map(|first| first..first + CHUNK))
}

/// The items of a job at these places.
pub(super) fn among(job: &job::Model, places: Range<i32>) -> Condition {
    Condition::all()
        .add(item::Column::JobId.eq(job.id))
        .add(item::Column::Position.gte(places.start))
        .add(item::Column::Position.lt(places.end))
}

/// Ends the next items of a job whose row is locked; the place behind them, or none when all have ended. What nobody has
/// decided is skipped, and so is what was only tried. What was wanted may tell of people, and is forgotten: what was done
/// is known elsewhere.
async fn end_items(tx: &DatabaseTransaction, job: &job::Model, from: i32) -> Result<Option<i32>> {
    let mut skipped = Condition::any().add(item::Column::Status.eq(JobItemStatus::Pending));
    if job.trial == Some(Trial::First) {
        skipped = skipped.add(item::Column::Status.eq(JobItemStatus::Done));
    }
    let is_left = skipped.clone().add(item::Column::Request.is_not_null());
    let Some(some) = next_items(tx, job, from, is_left.clone()).await? else { return Ok(None) };
    let next = some.end;
    let status = CaseStatement::new().case(skipped, Expr::val("skipped")).finally(Expr::col(item::Column::Status));
    let ended = item::Entity::update_many()
        .col_expr(item::Column::Status, status.into())
        .col_expr(item::Column::Request, Expr::val(None::<Vec<u8>>));
    ended.filter(among(job, some)).filter(is_left).exec(tx).await?;
    Ok(Some(next))
}

/// Ends a job whose row is locked and whose items have ended.
async fn end(
    tx: &DatabaseTransaction,
    job: job::Model,
    status: JobStatus,
    error: Option<Vec<u8>>,
) -> Result<job::Model> {
    let of = |status: JobItemStatus| {
        let items = item::Entity::find().filter(item::Column::JobId.eq(job.id));
        items.filter(item::Column::Status.eq(status)).count(tx)
    };
    let (done, failed) = (of(JobItemStatus::Done).await? as i32, of(JobItemStatus::Failed).await? as i32);
    undone::release(tx, job.id, done > 0).await?;
    let job = job::Model {
        status,
        done,
        failed,
        request: Vec::new(),
        finished_at: Some(Timestamp::now().millis()),
        worked_at: Timestamp::now().millis(),
        error,
        lease_until: 0,
        ..job
    };
    Ok(job.into_active_model().reset_all().update(tx).await?)
}
