//! Items that make something, many at a time: what each statement costs is mostly that it is one more.

use std::{panic::AssertUnwindSafe, sync::Arc};

use armada_proto::import::ImportRequest;
use futures::FutureExt;
use prost::Message;

use super::{
    Jobs, Place,
    current::as_one_of_many,
    entity::{item, job},
};
use crate::{
    auth::{self, Caller},
    error::{Error, Result},
    resource::{NEW_AT_ONCE, Resource, create_many},
};

impl Jobs {
    /// Has the rows of a file that make something of this kind be made together.
    pub fn creates<R, I>(&self, resource: R)
    where
        R: Resource<Input: Message>,
        I: ImportRequest<Input = R::Input>,
    {
        let create = move |caller: Caller, items: Vec<(Place, Vec<u8>)>| {
            let resource = resource.clone();
            let created = async move {
                let decoded = |(place, body): (Place, Vec<u8>)| Ok((place, R::Input::decode(body.as_slice())?));
                let items: Result<_, prost::DecodeError> = items.into_iter().map(decoded).collect();
                create_many(&resource, &caller, items.map_err(Error::internal)?).await
            };
            created.boxed()
        };
        self.creators.add(I::CREATE, Arc::new(create));
    }

    /// How many of these items, from the first on, can be done together.
    pub(super) fn together(&self, items: &[item::Model]) -> usize {
        let Some(method) = items.first().and_then(|item| item.method.as_deref()) else { return 0 };
        if self.creators.of(method).is_none() {
            return 0;
        }
        let alike = items.iter().take_while(|item| item.method.as_deref() == Some(method) && item.request.is_some());
        alike.take(NEW_AT_ONCE).count()
    }

    /// Does items together; whether it was possible. If it was not, none is done.
    pub(super) async fn create(&self, job: &job::Model, items: &[item::Model]) -> bool {
        let done = tokio::select! {
            done = AssertUnwindSafe(as_one_of_many(self.try_create(job, items))).catch_unwind() => done,
            () = self.keep(job) => unreachable!("it is kept for as long as it takes"),
        };
        match done {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::debug!(%error, job = %job.id, "items are done one by one");
                false
            }
            // Whose fault it was, is found out one by one.
            Err(_) => false,
        }
    }

    async fn try_create(&self, job: &job::Model, items: &[item::Model]) -> Result<()> {
        let method = items.first().and_then(|item| item.method.as_deref()).unwrap_or_default();
        let create = self.creators.of(method).ok_or_else(|| Error::internal("these are not done together"))?;
        let caller = auth::with_rights(self.caller(job)?, &self.policies).await?;
        auth::may_call(method, &caller)?;
        let place = |item: &item::Model| Place { job: job.id, position: item.position, epoch: job.epoch };
        let items = items.iter().map(|item| (place(item), item.request.clone().unwrap_or_default()));
        create(caller, items.collect()).await
    }
}
