//! New things that a job makes, many in one transaction.

use super::{
    Resource, Row,
    operations::{checked_new, commit, created, insert},
};
use crate::{
    audit,
    auth::{Caller, Scope},
    error::{Error, Result},
    jobs::current::Place,
};

/// New rows that are written at a time: their values are parameters of one statement, of which SQLite takes 32,766.
pub(crate) const NEW_AT_ONCE: usize = 100;

/// Makes new things of one tenant, each of them an item of one job, in one transaction; none of them when anything is wrong
/// with one. What that is, the error need not say: whoever makes them one by one finds out.
pub(crate) async fn create_many<R: Resource>(
    resource: &R,
    caller: &Caller,
    items: Vec<(Place, R::Input)>,
) -> Result<()> {
    let (mut places, mut new) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
    for (place, input) in items {
        places.push(place);
        new.push(checked_new(resource, caller, input)?);
    }
    let Some(tenant) = new.first().map(|(row, _)| row.tenant()) else { return Ok(()) };
    if new.iter().any(|(row, _)| row.tenant() != tenant) {
        return Err(Error::internal("things of several tenants are not made together"));
    }
    let prepared = resource.prepare_new(caller, &mut new).await?;
    let tx = resource.db().write(&tenant.map_or(Scope::Platform, Scope::Tenant)).await?;
    let (rows, effects) = insert(resource, &tx, caller, new, prepared).await?;
    let made = resource.present(&tx, rows).await?;
    let acts = made.iter().map(|made| created::<R>(tenant, made));
    audit::record_items(&tx, caller, places.into_iter().zip(acts).collect()).await?;
    commit(resource, tx, effects).await
}
