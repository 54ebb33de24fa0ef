//! What would be wrong with many changes, one after the other, without any of them being made.

use armada_proto::{ResourceInput, import::Rows};
use sea_orm::DatabaseTransaction;
use uuid::Uuid;

use super::{
    Resource,
    operations::{change, checked_change, checked_new, insert, locked},
};
use crate::{
    auth::Caller,
    db::savepoint,
    error::{Code, Error, Result},
    jobs::current::dry,
};

/// Something that is about to be written: what others had to be asked for is known.
enum Ready<R: Resource> {
    New(R::Row, R::Input, R::Prepared),
    Change(R::Row, R::Input, R::Prepared),
    /// Of this id.
    Removal(String),
}

/// What is wrong with each row, by its place among `rows` and, behind those, `deleted_ids`. Each sees what the ones before
/// it have done, so that one of two equal ones is told; in the end none has done anything.
pub(crate) async fn dry_run<R: Resource>(
    resource: &R,
    caller: &Caller,
    rows: &Rows<R::Input>,
) -> Result<Vec<(usize, Error)>> {
    let (mut errors, mut ready) = (Vec::new(), Vec::new());
    for (place, input) in rows.rows.iter().enumerate() {
        match dry(prepare(resource, caller, input.clone())).await {
            Ok(row) => ready.push((place, row)),
            Err(error) => errors.push((place, of_row(error)?)),
        }
    }
    ready.extend((rows.rows.len()..).zip(rows.deleted_ids.iter().cloned().map(Ready::Removal)));
    let tx = resource.db().write(&caller.scope()).await?;
    for (place, row) in ready {
        let savepoint = savepoint(&tx).await?;
        match write(resource, &savepoint, caller, row).await {
            Ok(()) => savepoint.commit().await?,
            Err(error) => {
                savepoint.rollback().await?;
                errors.push((place, of_row(error)?));
            }
        }
    }
    tx.rollback().await?;
    errors.sort_by_key(|(place, _)| *place);
    Ok(errors)
}

/// An error that is a row's own; one that is not ends everything.
fn of_row(error: Error) -> Result<Error> {
    match error.class {
        Code::Unavailable | Code::Internal | Code::Unauthenticated => Err(error),
        _ => Ok(error),
    }
}

async fn prepare<R: Resource>(resource: &R, caller: &Caller, input: R::Input) -> Result<Ready<R>> {
    if input.id().is_empty() {
        let (row, mut input) = checked_new(resource, caller, input)?;
        let prepared = resource.prepare(caller, &row, &mut input).await?;
        return Ok(Ready::New(row, input, prepared));
    }
    let (seen, mut input) = checked_change(resource, caller, input).await?;
    let prepared = resource.prepare(caller, &seen, &mut input).await?;
    Ok(Ready::Change(seen, input, prepared))
}

async fn write<R: Resource>(resource: &R, tx: &DatabaseTransaction, caller: &Caller, row: Ready<R>) -> Result<()> {
    match row {
        Ready::New(row, input, prepared) => insert(resource, tx, caller, row, input, prepared).await.map(drop),
        Ready::Change(seen, input, prepared) => change(resource, tx, caller, &seen, input, prepared).await.map(drop),
        Ready::Removal(id) => remove(resource, tx, caller, &id).await,
    }
}

async fn remove<R: Resource>(resource: &R, tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<()> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    let row = locked(resource, tx, caller, id, None).await?;
    resource.removing(tx, caller, &row).await?;
    resource.remove(tx, caller, row).await
}
