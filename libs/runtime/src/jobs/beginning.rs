//! How a job begins: it and its items are put into the tables, some in a transaction, and nobody sees it before all are there.

use std::vec;

use armada_proto::{
    Timestamp, UserId,
    v1::{self, JobItemStatus, JobStatus},
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QuerySelect, Statement,
    sea_query::{Expr, ExprTrait},
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use uuid::Uuid;

use super::{
    Jobs,
    entity::{Trial, item, job},
    targets::Target,
    undone,
};
use crate::{
    auth::{Caller, Scope},
    error::{Code, Error, Result},
    idempotency::{self, carried},
};

/// Jobs that one user may have which are not over.
pub const UNFINISHED_MAX: u64 = 10;
/// Milliseconds within which the items of a job are put into the tables.
const FILLED_WITHIN: i64 = 120_000;
/// Items that are put into the tables in one transaction.
const CHUNK: usize = 1000;

impl Jobs {
    /// Puts a job into the tables, and wakes whoever runs it.
    pub(super) async fn begin(
        &self,
        caller: &Caller,
        user: UserId,
        spec: JobSpec<'_>,
        items: Vec<Target>,
    ) -> Result<v1::Job> {
        let own = caller.scope().tenant();
        let job = job::Model {
            id: Uuid::now_v7(),
            tenant_id: own,
            lane: own.map_or(Uuid::nil(), |tenant| tenant.0),
            kind: spec.kind.to_owned(),
            resource: spec.resource.to_owned(),
            action: spec.action.to_owned(),
            method: spec.method.to_owned(),
            request: spec.request,
            status: JobStatus::Queued,
            total: items.len() as i32,
            done: 0,
            failed: items.iter().filter(|item| is_over(item, spec.trial)).count() as i32,
            created_by: user,
            address: caller.address().map(|address| address.to_string()),
            created_at: Timestamp::now().millis(),
            started_at: None,
            finished_at: None,
            cancel_requested: false,
            error: None,
            epoch: 0,
            lease_until: 0,
            trial: spec.trial,
            worked_at: 0,
            undo_id: None,
            is_filled: items.len() <= CHUNK,
        };
        // Whoever asked may not wait for all of it.
        let (this, new, scope, undoes) = (self.clone(), job.clone(), caller.scope(), spec.undoes);
        let put = async move { this.put(&scope, new, undoes, items).await };
        tokio::spawn(carried(put).in_current_span()).await.map_err(Error::internal)??;
        self.wake.notify_one();
        Ok(self.message(job))
    }

    /// Puts a job and its items into the tables. Nobody sees it before all of them are there.
    async fn put(&self, scope: &Scope, job: job::Model, undoes: Option<Uuid>, items: Vec<Target>) -> Result<()> {
        let items = items.into_iter().zip(0..);
        let rows: Vec<_> = items.map(|(target, position)| row(&job, target, position)).collect();
        let tx = self.db.write(scope).await?;
        one_more(&tx, job.created_by).await?;
        job::Entity::insert(job.clone().into_active_model()).exec_without_returning(&tx).await?;
        let put = self.put_items(scope, tx, &job, undoes, rows.into_iter()).await;
        if put.is_err() && !job.is_filled && !self.is_filled(job.id).await? {
            self.forget(job.id, &CancellationToken::new()).await?;
        }
        put
    }

    /// Whether all items of a job are there: only the answer to that may have been lost.
    async fn is_filled(&self, id: Uuid) -> Result<bool> {
        // Or it is still on its way, and is waited for.
        let tx = self.db.write(&Scope::Platform).await?;
        Ok(job::Entity::find_by_id(id).lock_exclusive().one(&tx).await?.is_some_and(|job| job.is_filled))
    }

    async fn put_items(
        &self,
        scope: &Scope,
        mut tx: DatabaseTransaction,
        job: &job::Model,
        undoes: Option<Uuid>,
        mut rows: vec::IntoIter<item::ActiveModel>,
    ) -> Result<()> {
        loop {
            let chunk: Vec<_> = rows.by_ref().take(CHUNK).collect();
            if !chunk.is_empty() {
                item::Entity::insert_many(chunk).exec_without_returning(&tx).await?;
            }
            if rows.len() == 0 {
                break;
            }
            tx.commit().await?;
            tx = self.db.write(scope).await?;
        }
        if let Some(undone) = undoes {
            undone::mark(&tx, undone, job.id).await?;
        }
        if !job.is_filled {
            let filled = job::Entity::update_many().col_expr(job::Column::IsFilled, Expr::val(true));
            filled.filter(job::Column::Id.eq(job.id)).exec(&tx).await?;
        }
        idempotency::record(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// What a job does.
pub(super) struct JobSpec<'a> {
    pub(super) kind: &'static str,
    pub(super) resource: &'a str,
    pub(super) action: &'static str,
    /// The path of the method that does an item, unless the item says another.
    pub(super) method: &'static str,
    /// Its request, unless the item has its own.
    pub(super) request: Vec<u8>,
    /// Whether its items are tried before, or tried alone.
    pub(super) trial: Option<Trial>,
    /// The job of which it takes back what that did.
    pub(super) undoes: Option<Uuid>,
}

/// An error when a user has as many jobs already as one may have.
async fn one_more(tx: &DatabaseTransaction, user: UserId) -> Result<()> {
    if tx.get_database_backend() == DbBackend::Postgres {
        // Or several requests at once would each find room.
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended('job of ' || $1, 0))";
        let locked = Statement::from_sql_and_values(DbBackend::Postgres, sql, [user.to_string().into()]);
        tx.execute_raw(locked).await?;
    }
    // One that is not filled after so long never will be.
    let lives = job::Column::IsFilled.eq(true).or(job::Column::CreatedAt.gt(Timestamp::now().millis() - FILLED_WITHIN));
    let unfinished = job::Entity::find()
        .filter(job::Column::CreatedBy.eq(user))
        .filter(lives)
        .filter(job::Column::Status.is_in([JobStatus::Queued, JobStatus::Running]));
    if unfinished.count(tx).await? < UNFINISHED_MAX {
        return Ok(());
    }
    let message = format!("{UNFINISHED_MAX} jobs of this user are not over yet");
    Err(Error::new(Code::TooManyRequests, "too_many_jobs", message))
}

/// Whether nothing is done with a thing, not even tried.
fn is_over(target: &Target, trial: Option<Trial>) -> bool {
    target.wrong.is_some() && (trial.is_none() || target.own.is_none())
}

fn row(job: &job::Model, target: Target, position: i32) -> item::ActiveModel {
    let is_over = is_over(&target, job.trial);
    item::ActiveModel {
        job_id: Set(job.id),
        position: Set(position),
        tenant_id: Set(target.tenant),
        item_id: Set(target.id),
        name: Set(target.name),
        status: Set(if is_over { JobItemStatus::Failed } else { JobItemStatus::Pending }),
        method: Set(target.own.as_ref().map(|own| own.method.to_owned())),
        request: Set(target.own.map(|own| own.request)),
        decided_in: NotSet,
        before: NotSet,
        error: Set(target.wrong),
    }
}
