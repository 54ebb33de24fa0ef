//! Items that are tried: what would become of each, without anything being done. Whoever takes the job up goes on behind
//! those that were tried, of which it reads what they would have done.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use armada_proto::{
    import::ImportRequest,
    v1::{DeleteRequest, ErrorDetail, JobItemStatus, JobStatus},
};
use futures::FutureExt;
use prost::Message;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Expr,
};
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Jobs,
    ending::{among, next_items},
    entity::{Trial, item, job},
    trials::{Kept, Outcomes, Read, Recall, Requests, TrialOf, TryItems},
    work::{Next, PAUSES_SECONDS},
};
use crate::{
    auth::{self, Caller, Scope},
    error::{Code, Error, Result},
    resource::{BATCH, Resource, TrialRow, Tried, recall_rows, try_rows},
};

/// Characters that are kept of a value with which something is wrong.
const VALUE_MAX: usize = 100;
/// Items that are read at a time which were tried.
const RECALLED: u64 = 500;

/// An item, and what is wrong with it.
type Outcome = (item::Model, Option<ErrorDetail>);

impl Jobs {
    /// Has files of this kind be tried.
    pub fn tries<R, I>(&self, resource: R)
    where
        R: Resource<Input: Message + Default + Serialize>,
        I: ImportRequest<Input = R::Input>,
    {
        let trying = resource.clone();
        let try_items: TryItems = Arc::new(move |caller, items, mut tried| {
            let resource = trying.clone();
            async move { (try_items::<R, I>(&resource, &caller, items, &mut tried).await, tried) }.boxed()
        });
        let recall: Recall = Arc::new(move |caller, items, mut tried| {
            let resource = resource.clone();
            async move {
                let rows = rows::<R, I>(items)?;
                recall_rows(&resource, &caller, rows, &mut tried).await?;
                Ok(tried)
            }
            .boxed()
        });
        let read: Read = Arc::new(|request| {
            let input = R::Input::decode(request).ok().and_then(|input| serde_json::to_value(input).ok());
            input.and_then(|input| input.as_object().cloned()).unwrap_or_default()
        });
        self.trials.add(R::ACTS.kind, TrialOf { try_items, recall, read });
    }

    /// Tries the items of a job; what becomes of it, and it as it is now.
    pub(super) async fn try_out(
        &self,
        mut job: job::Model,
        trial: Trial,
        shutdown: &CancellationToken,
    ) -> Result<(Next, job::Model)> {
        let begun = Instant::now();
        let (mut done, mut failed) = self.counted(&job).await?;
        let mut next = self.heartbeat(&job, done, failed).await?;
        let (mut tried, mut pauses) = (None, PAUSES_SECONDS.into_iter());
        loop {
            match next {
                Next::Item if shutdown.is_cancelled() => return Ok((Next::Leave, job)),
                Next::Item => {}
                end => return Ok((end, job)),
            }
            let step = tokio::select! {
                step = AssertUnwindSafe(self.try_some(&job, &mut tried)).catch_unwind() => step,
                () = self.keep(&job) => unreachable!("it is kept for as long as it takes"),
            };
            let outcomes = match step.unwrap_or_else(|_| Err(Error::internal("items of a job panicked"))) {
                Ok(outcomes) if outcomes.is_empty() => break,
                Ok(outcomes) => outcomes,
                Err(error) => {
                    next = self.after_failure(&job, error, &mut pauses, (done, failed), shutdown).await?;
                    continue;
                }
            };
            pauses = PAUSES_SECONDS.into_iter();
            let wrong = outcomes.iter().filter(|(_, outcome)| outcome.is_some()).count() as i32;
            (done, failed) = (done + outcomes.len() as i32 - wrong, failed + wrong);
            let tx = self.db.write(&Scope::Platform).await?;
            settle_all(&tx, &job, outcomes).await?;
            next = self.progress(&tx, &job, done, failed).await?;
            if matches!(next, Next::Lost) {
                // Whoever has it now says what becomes of its items.
                return Ok((Next::Lost, job));
            }
            tx.commit().await?;
            if matches!(next, Next::Item) && self.is_turn_over(&job, begun).await? {
                return Ok((Next::GiveWay, job));
            }
        }
        if trial == Trial::Alone {
            return Ok((Next::Over(JobStatus::Completed, None), job));
        }
        if failed > 0 {
            let message = "something is wrong with rows of the file; none was taken in";
            let refused = Error::new(Code::Invalid, "import_refused", message);
            return Ok((Next::Over(JobStatus::Failed, Some(refused)), job));
        }
        job.trial = None;
        Ok((self.begin_doing(&job).await?, job))
    }

    /// The next items with what is wrong with each, after what was tried; none when all were tried.
    async fn try_some(&self, job: &job::Model, tried: &mut Option<Tried>) -> Result<Vec<Outcome>> {
        let TrialOf { try_items, recall, read } =
            self.trials.of(&job.resource).ok_or_else(|| Error::internal("these are not tried"))?;
        let mut items = self.pending(job).await?;
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let caller = auth::with_rights(self.caller(job)?, &self.policies).await?;
        let before = match tried.take() {
            Some(before) => before,
            None => self.recalled(job, &caller, &recall).await?,
        };
        items.truncate(BATCH);
        let requests = items.iter().map(|item| kept(item, job)).collect();
        let (outcomes, now) = self.in_turn(try_items(caller, requests, before)).await;
        *tried = Some(now);
        let outcome = |(item, outcome): (item::Model, Result<()>)| {
            let wrong = wrong_with(&item, outcome.err(), &read);
            (item, wrong)
        };
        Ok(items.into_iter().zip(outcomes?).map(outcome).collect())
    }

    /// What becomes of a job after an error that is not an item's own: it goes on after a pause, until there is none left.
    async fn after_failure(
        &self,
        job: &job::Model,
        error: Error,
        pauses: &mut impl Iterator<Item = u64>,
        (done, failed): (i32, i32),
        shutdown: &CancellationToken,
    ) -> Result<Next> {
        if let Some(end) = self.end_without_owner(job, &error).await {
            return Ok(end);
        }
        let Some(pause) = pauses.next().filter(|_| error.class != Code::Internal) else {
            return Ok(Next::Over(JobStatus::Failed, Some(error)));
        };
        match self.pause(job, Duration::from_secs(pause), shutdown).await {
            true => self.heartbeat(job, done, failed).await,
            false => Ok(Next::Leave),
        }
    }

    /// What the items would have done that were tried in an earlier turn.
    async fn recalled(&self, job: &job::Model, caller: &Caller, recall: &Recall) -> Result<Tried> {
        let (mut tried, mut last) = (Tried::default(), -1);
        loop {
            let tx = self.db.read(&Scope::Platform).await?;
            let items = item::Entity::find().filter(item::Column::JobId.eq(job.id));
            let items =
                items.filter(item::Column::Status.eq(JobItemStatus::Done)).filter(item::Column::Position.gt(last));
            let items = items.order_by_asc(item::Column::Position).limit(RECALLED).all(&tx).await?;
            drop(tx);
            let Some(item) = items.last() else { return Ok(tried) };
            last = item.position;
            let requests = items.iter().map(|item| kept(item, job)).collect();
            tried = recall(caller.clone(), requests, tried).await?;
        }
    }

    /// From now on the items of a job are done. What becomes of it.
    async fn begin_doing(&self, job: &job::Model) -> Result<Next> {
        let mut from = 0;
        loop {
            let tx = self.db.write(&Scope::Platform).await?;
            if !self.is_ours(&tx, job).await? {
                return Ok(Next::Lost);
            }
            let tried = item::Column::Status.eq(JobItemStatus::Done);
            let Some(some) = next_items(&tx, job, from, tried.clone().into()).await? else {
                let untried = job::Entity::update_many().col_expr(job::Column::Trial, Expr::val(None::<String>));
                untried.filter(job::Column::Id.eq(job.id)).exec(&tx).await?;
                let next = self.progress(&tx, job, 0, 0).await?;
                tx.commit().await?;
                return Ok(next);
            };
            from = some.end;
            let pending = item::Entity::update_many()
                .col_expr(item::Column::Status, Expr::val("pending"))
                .col_expr(item::Column::DecidedIn, Expr::val(None::<i32>))
                .filter(among(job, some))
                .filter(tried);
            pending.exec(&tx).await?;
            tx.commit().await?;
        }
    }
}

async fn try_items<R, I>(resource: &R, caller: &Caller, items: Requests, tried: &mut Tried) -> Outcomes
where
    R: Resource<Input: Message + Default>,
    I: ImportRequest<Input = R::Input>,
{
    // What was allowed when it began may not be any more; those before it are tried first.
    let allowed = items.iter().take_while(|kept| auth::may_call(&kept.method, caller).is_ok()).count();
    match items.get(allowed) {
        Some(kept) if allowed == 0 => Ok(vec![auth::may_call(&kept.method, caller)]),
        _ => {
            let wrong = items.iter().take(allowed).map(|kept| kept.is_wrong).collect();
            let rows = rows::<R, I>(items.into_iter().take(allowed).collect())?;
            try_rows(resource, caller, rows, wrong, tried).await
        }
    }
}

fn kept(item: &item::Model, job: &job::Model) -> Kept {
    Kept { method: item.method(job).to_owned(), body: item.body(job), is_wrong: item.error.is_some() }
}

fn rows<R, I>(items: Requests) -> Result<Vec<TrialRow<R::Input>>>
where
    R: Resource<Input: Message + Default>,
    I: ImportRequest<Input = R::Input>,
{
    let row = |Kept { method, body, .. }| match method == I::DELETE {
        true => DeleteRequest::decode(body.as_slice()).map(|request| TrialRow::Removed(request.id)),
        false => R::Input::decode(body.as_slice()).map(TrialRow::Written),
    };
    items.into_iter().map(row).collect::<std::result::Result<_, _>>().map_err(Error::internal)
}

/// Says what would become of items.
async fn settle_all(tx: &DatabaseTransaction, job: &job::Model, outcomes: Vec<Outcome>) -> Result<()> {
    let (good, wrong): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|(_, wrong)| wrong.is_none());
    let of = |positions: Vec<i32>, status: JobItemStatus, error: Option<Vec<u8>>| {
        let decided = item::ActiveModel {
            status: Set(status),
            decided_in: Set(Some(job.epoch)),
            error: Set(error),
            ..Default::default()
        };
        let items = item::Entity::update_many().set(decided).filter(item::Column::JobId.eq(job.id));
        items.filter(item::Column::Position.is_in(positions)).filter(item::Column::Status.eq(JobItemStatus::Pending))
    };
    let positions = good.iter().map(|(item, _)| item.position).collect();
    of(positions, JobItemStatus::Done, None).exec(tx).await?;
    for (item, wrong) in wrong {
        let wrong = wrong.map(|wrong| wrong.encode_to_vec());
        of(vec![item.position], JobItemStatus::Failed, wrong).exec(tx).await?;
    }
    Ok(())
}

/// All that is wrong with an item: what was found when the file was read, and what the trial found besides, with what stands
/// in those cells.
fn wrong_with(item: &item::Model, found: Option<Error>, read: &Read) -> Option<ErrorDetail> {
    let found = found.map(|error| {
        let mut detail = ErrorDetail::from(error);
        let request = item.request.as_deref().map(|request| read(request)).unwrap_or_default();
        let shown = |name: &String| Some((name.clone(), shown(request.get(name)?)?));
        detail.values = detail.fields.keys().filter_map(shown).collect();
        detail
    });
    let Some(mut before) = item.detail() else { return found };
    let Some(found) = found else { return Some(before) };
    for (field, code) in found.fields {
        // A cell that could not be read is no cell that is missing.
        before.fields.entry(field).or_insert(code);
    }
    before.values.extend(found.values);
    before.conflicting = before.conflicting.or(found.conflicting);
    Some(before)
}

/// A value as a cell has it; nothing of what people do not write.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) if Uuid::try_parse(text).is_err() => text.as_str().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(text.chars().take(VALUE_MAX).collect()).filter(|text: &String| !text.is_empty())
}
