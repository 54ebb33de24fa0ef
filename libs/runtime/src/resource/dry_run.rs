//! What would be wrong with many changes, one after the other, without any of them being made.

use std::mem;

use armada_proto::{ResourceInput, import::Rows};
use sea_orm::DatabaseTransaction;
use uuid::Uuid;

use super::{
    BATCH, Resource, Row,
    operations::{change, checked_change, checked_new, insert, locked},
};
use crate::{
    auth::Caller,
    db::savepoint,
    error::{Code, Error, Result},
    jobs::current::as_one_of_many,
};

/// What is wrong with each row, by its place among `rows` and, behind those, `deleted_ids`. Each sees what the ones before
/// it have done, so that one of two equal ones is told; in the end none has done anything.
pub(crate) async fn dry_run<R: Resource>(
    resource: &R,
    caller: &Caller,
    rows: &Rows<R::Input>,
) -> Result<Vec<(usize, Error)>> {
    let mut run = DryRun { resource, caller, errors: Vec::new() };
    let ready = as_one_of_many(run.prepare(&rows.rows)).await?;
    let tx = resource.db().write(&caller.scope()).await?;
    for rows in ready {
        run.write(&tx, rows).await?;
    }
    for (place, id) in (rows.rows.len()..).zip(&rows.deleted_ids) {
        let savepoint = savepoint(&tx).await?;
        let removed = remove(resource, &savepoint, caller, id).await;
        run.settle(place, savepoint, removed).await?;
    }
    tx.rollback().await?;
    run.errors.sort_by_key(|(place, _)| *place);
    Ok(run.errors)
}

/// Something new, which is checked, with its place.
type New<R> = (usize, (<R as Resource>::Row, <R as Resource>::Input));

/// Rows that are about to be written: what others had to be asked for is known.
enum Ready<R: Resource> {
    /// New ones of one tenant.
    New(Vec<(New<R>, R::Prepared)>),
    Change(usize, Box<(R::Row, R::Input)>, R::Prepared),
}

struct DryRun<'a, R: Resource> {
    resource: &'a R,
    caller: &'a Caller,
    errors: Vec<(usize, Error)>,
}

impl<R: Resource> DryRun<'_, R> {
    /// Those that can be written as far as it can be told before, in their order.
    async fn prepare(&mut self, inputs: &[R::Input]) -> Result<Vec<Ready<R>>> {
        let (mut ready, mut new) = (Vec::new(), Vec::<New<R>>::new());
        for (place, input) in inputs.iter().cloned().enumerate() {
            if !input.id().is_empty() {
                ready.push(self.prepare_new(mem::take(&mut new)).await?);
                match prepare_change(self.resource, self.caller, input).await {
                    Ok((row, prepared)) => ready.push(Ready::Change(place, Box::new(row), prepared)),
                    Err(error) => self.errors.push((place, of_row(error)?)),
                }
                continue;
            }
            match checked_new(self.resource, self.caller, input) {
                Ok(row) => {
                    let is_apart = new.first().is_some_and(|(_, (first, _))| first.tenant() != row.0.tenant());
                    if is_apart || new.len() == BATCH {
                        ready.push(self.prepare_new(mem::take(&mut new)).await?);
                    }
                    new.push((place, row));
                }
                Err(error) => self.errors.push((place, of_row(error)?)),
            }
        }
        ready.push(self.prepare_new(new).await?);
        Ok(ready)
    }

    /// Of new ones of one tenant those that can be written.
    async fn prepare_new(&mut self, new: Vec<New<R>>) -> Result<Ready<R>> {
        let (places, mut rows): (Vec<_>, Vec<_>) = new.iter().cloned().unzip();
        if let Ok(prepared) = self.resource.prepare_new(self.caller, &mut rows).await {
            return Ok(Ready::New(places.into_iter().zip(rows).zip(prepared).collect()));
        }
        let mut ready = Vec::new();
        for (place, row) in new {
            let mut alone = [row];
            match self.resource.prepare_new(self.caller, &mut alone).await {
                Ok(prepared) => {
                    ready.extend(alone.into_iter().zip(prepared).map(|(row, prepared)| ((place, row), prepared)));
                }
                Err(error) => self.errors.push((place, of_row(error)?)),
            }
        }
        Ok(Ready::New(ready))
    }

    async fn write(&mut self, tx: &DatabaseTransaction, ready: Ready<R>) -> Result<()> {
        let (resource, caller) = (self.resource, self.caller);
        match ready {
            Ready::New(new) if new.is_empty() || self.write_together(tx, &new).await? => Ok(()),
            Ready::New(new) => {
                for ((place, row), prepared) in new {
                    let savepoint = savepoint(tx).await?;
                    let made = insert(resource, &savepoint, caller, vec![row], vec![prepared]).await;
                    self.settle(place, savepoint, made.map(drop)).await?;
                }
                Ok(())
            }
            Ready::Change(place, row, prepared) => {
                let (seen, input) = *row;
                let savepoint = savepoint(tx).await?;
                let changed = change(resource, &savepoint, caller, &seen, input, prepared).await;
                self.settle(place, savepoint, changed.map(drop)).await
            }
        }
    }

    /// Writes new ones of one tenant, or none when anything is wrong with one; whether they are written.
    async fn write_together(&self, tx: &DatabaseTransaction, new: &[(New<R>, R::Prepared)]) -> Result<bool> {
        let (rows, prepared) = new.iter().cloned().map(|((_, row), prepared)| (row, prepared)).unzip();
        let savepoint = savepoint(tx).await?;
        let made = insert(self.resource, &savepoint, self.caller, rows, prepared).await;
        match made {
            Ok(_) => savepoint.commit().await?,
            Err(_) => savepoint.rollback().await?,
        }
        Ok(made.is_ok())
    }

    /// Keeps what a row did, if nothing was wrong with it.
    async fn settle(&mut self, place: usize, savepoint: DatabaseTransaction, written: Result<()>) -> Result<()> {
        match written {
            Ok(()) => savepoint.commit().await?,
            Err(error) => {
                savepoint.rollback().await?;
                self.errors.push((place, of_row(error)?));
            }
        }
        Ok(())
    }
}

/// An error that is a row's own; one that is not ends everything.
fn of_row(error: Error) -> Result<Error> {
    match error.class {
        Code::Unavailable | Code::Internal | Code::Unauthenticated => Err(error),
        _ => Ok(error),
    }
}

async fn prepare_change<R: Resource>(
    resource: &R,
    caller: &Caller,
    input: R::Input,
) -> Result<((R::Row, R::Input), R::Prepared)> {
    let (seen, mut input) = checked_change(resource, caller, input).await?;
    let prepared = resource.prepare(caller, &seen, &mut input).await?;
    Ok(((seen, input), prepared))
}

async fn remove<R: Resource>(resource: &R, tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<()> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    let row = locked(resource, tx, caller, id, None).await?;
    resource.removing(tx, caller, &row).await?;
    resource.remove(tx, caller, row).await
}
