//! Items that make, change or remove something, many at a time: what a statement costs is mostly that it is one more.

use std::{collections::HashSet, panic::AssertUnwindSafe, sync::Arc};

use armada_proto::{import::ImportRequest, v1::JobItemStatus};
use futures::{FutureExt, future};
use prost::Message;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    Jobs, Place,
    batches::Batch,
    current::as_one_of_many,
    entity::{item, job},
};
use crate::{
    auth::{self, Caller, Scope},
    error::{Error, Result},
    resource::{BATCH, Resource, create_many, delete_many, update_many},
};

impl Jobs {
    /// Has many things of this kind be made, changed and removed together where items do that.
    pub fn batch<R, I>(&self, resource: R)
    where
        R: Resource<Input: Message>,
        I: ImportRequest<Input = R::Input>,
    {
        self.batch_of_new::<R, I>(resource.clone());
        self.batches.add(I::UPDATE, batch(&resource, update_many));
        self.batches.add(I::DELETE, batch(&resource, delete_many));
    }

    /// Has many new things of this kind be made together: where a rule is about those that are left, they are changed and removed
    /// one after the other.
    pub fn batch_of_new<R, I>(&self, resource: R)
    where
        R: Resource<Input: Message>,
        I: ImportRequest<Input = R::Input>,
    {
        self.batches.add(I::CREATE, batch(&resource, create_many));
    }

    /// How many of these items, from the first on, can be done together.
    pub(super) fn batch_len(&self, job: &job::Model, items: &[item::Model]) -> usize {
        let Some(method) = items.first().map(|item| item.method(job)) else { return 0 };
        if self.batches.of(method).is_none() {
            return 0;
        }
        items.iter().take_while(|item| item.method(job) == method).take(BATCH).count()
    }

    /// Does items together, or none; the places of those that are done.
    pub(super) async fn run_batch(&self, job: &job::Model, items: &[item::Model]) -> Result<HashSet<i32>> {
        let done = tokio::select! {
            done = AssertUnwindSafe(self.in_turn(as_one_of_many(self.try_batch(job, items)))).catch_unwind() => done,
            () = self.keep(job) => unreachable!("it is kept for as long as it takes"),
        };
        match done {
            Ok(Ok(())) => return Ok(items.iter().map(|item| item.position).collect()),
            Ok(Err(error)) => tracing::debug!(%error, job = %job.id, "items are done one by one"),
            // Which of them it was, is found out one by one.
            Err(_) => tracing::warn!(job = %job.id, "items panicked together; they are done one by one"),
        }
        // They may have been done, and only the answer to the commit was lost; or it still goes on, and is waited for.
        let tx = self.db.write(&Scope::Platform).await?;
        let items = item::Entity::find()
            .select_only()
            .columns([item::Column::Position, item::Column::Status])
            .filter(item::Column::JobId.eq(job.id))
            .filter(item::Column::Position.is_in(items.iter().map(|item| item.position)))
            .order_by_asc(item::Column::Position)
            .lock_exclusive();
        let items: Vec<(i32, JobItemStatus)> = items.into_tuple().all(&tx).await?;
        let done = items.into_iter().filter(|(_, status)| *status != JobItemStatus::Pending);
        Ok(done.map(|(position, _)| position).collect())
    }

    async fn try_batch(&self, job: &job::Model, items: &[item::Model]) -> Result<()> {
        let method = items.first().map(|item| item.method(job)).unwrap_or_default();
        let batch = self.batches.of(method).ok_or_else(|| Error::internal("these are not done together"))?;
        let caller = auth::with_rights(self.caller(job)?, &self.policies).await?;
        auth::may_call(method, &caller)?;
        batch(caller, items.iter().map(|item| (Place::of(job, item), item.body(job))).collect()).await
    }
}

/// What does items, as they are kept.
fn batch<R, M, F, Done>(resource: &R, all: F) -> Batch
where
    R: Resource,
    M: Message + Default,
    F: Fn(R, Caller, Vec<(Place, M)>) -> Done + Send + Sync + 'static,
    Done: Future<Output = Result<()>> + Send + 'static,
{
    let resource = resource.clone();
    Arc::new(move |caller, items| {
        let decoded = |(place, body): (Place, Vec<u8>)| Ok((place, M::decode(body.as_slice())?));
        match items.into_iter().map(decoded).collect::<Result<_, prost::DecodeError>>() {
            Ok(items) => all(resource.clone(), caller, items).boxed(),
            Err(error) => future::ready(Err(Error::internal(error))).boxed(),
        }
    })
}
