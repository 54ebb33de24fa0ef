//! Things that a job makes, changes or removes, many in one transaction. If anything is wrong with one of them, nothing is done to
//! any; what that is, an error here need not say: whoever does them one by one finds out.

use std::collections::HashMap;

use armada_proto::{ResourceInput, v1::DeleteRequest};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{LockBehavior, LockType},
};
use uuid::Uuid;

use super::{
    Resource, Row,
    operations::{change_locked, check_change, checked_new, commit, created, deleted, insert, updated},
};
use crate::{
    audit,
    auth::{Caller, Scope},
    error::{Error, Result},
    jobs::current::Place,
};

/// Rows that are written at a time: their values are parameters of one statement, of which SQLite takes 32,766.
pub(crate) const BATCH: usize = 100;

/// Makes new things of one tenant, each of them an item of one job.
pub(crate) async fn create_many<R: Resource>(resource: R, caller: Caller, items: Vec<(Place, R::Input)>) -> Result<()> {
    let (mut places, mut new) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
    for (place, input) in items {
        places.push(place);
        new.push(checked_new(&resource, &caller, input)?);
    }
    let Some(tenant) = new.first().map(|(row, _)| row.tenant()) else { return Ok(()) };
    if new.iter().any(|(row, _)| row.tenant() != tenant) {
        return Err(Error::internal("things of several tenants are not made together"));
    }
    let prepared = resource.prepare_new(&caller, &mut new).await?;
    let tx = resource.db().write(&tenant.map_or(Scope::Platform, Scope::Tenant)).await?;
    let (rows, effects) = insert(&resource, &tx, &caller, new, prepared).await?;
    let made = resource.present(&tx, rows).await?;
    let acts = made.iter().map(|made| created::<R>(tenant, made));
    audit::record_items(&tx, &caller, places.into_iter().zip(acts).collect()).await?;
    commit(&resource, tx, effects).await
}

/// Changes things, each of them an item of one job.
pub(crate) async fn update_many<R: Resource>(resource: R, caller: Caller, items: Vec<(Place, R::Input)>) -> Result<()> {
    let inputs = by_id(items, |input| input.id().to_owned())?;
    let ids: Vec<_> = inputs.keys().copied().collect();
    let tx = resource.db().read(&caller.scope()).await?;
    let seen = R::changeable(&caller).filter(R::LIST.id.is_in(ids.iter().copied())).all(&tx).await?;
    drop(tx);
    let mut seen: HashMap<_, _> = seen.into_iter().map(|row| (row.id(), row)).collect();
    let mut changes = HashMap::with_capacity(ids.len());
    for (id, (place, mut input)) in inputs {
        let row = seen.remove(&id).ok_or_else(Error::not_found)?;
        check_change(&resource, &caller, &row, &mut input)?;
        let prepared = resource.prepare(&caller, &row, &mut input).await?;
        changes.insert(id, (place, input, prepared));
    }
    let tx = resource.db().write(&caller.scope()).await?;
    let before = lock_all(&resource, &tx, &caller, ids).await?;
    let was = resource.present(&tx, before.clone()).await?;
    let (mut places, mut locked) = (Vec::with_capacity(before.len()), Vec::with_capacity(before.len()));
    for row in &before {
        let (place, input, prepared) = changes.remove(&row.id()).ok_or_else(Error::not_found)?;
        if input.row_version().is_some_and(|version| version != row.row_version()) {
            return Err(Error::version_mismatch());
        }
        places.push(place);
        locked.push((input, prepared));
    }
    let (rows, effects) = change_locked(&resource, &tx, &caller, &before, locked).await?;
    let tenants: Vec<_> = rows.iter().map(Row::tenant).collect();
    let is = resource.present(&tx, rows).await?;
    let acts = was.iter().zip(&is).zip(&effects).zip(tenants);
    let acts = acts.map(|(((was, is), effects), tenant)| updated::<R>(tenant, was, is, effects));
    audit::record_items(&tx, &caller, places.into_iter().zip(acts).collect()).await?;
    commit(&resource, tx, effects).await
}

/// Removes things, each of them an item of one job.
pub(crate) async fn delete_many<R: Resource>(
    resource: R,
    caller: Caller,
    items: Vec<(Place, DeleteRequest)>,
) -> Result<()> {
    let requests = by_id(items, |request| request.id.clone())?;
    let tx = resource.db().write(&caller.scope()).await?;
    let rows = lock_all(&resource, &tx, &caller, requests.keys().copied().collect()).await?;
    let mut effects = Vec::with_capacity(rows.len());
    let mut places = Vec::with_capacity(rows.len());
    for row in &rows {
        let (place, request) = requests.get(&row.id()).ok_or_else(Error::not_found)?;
        if request.row_version.is_some_and(|version| version != row.row_version()) {
            return Err(Error::version_mismatch());
        }
        places.push(place.clone());
        effects.push(resource.removing(&tx, &caller, row).await?);
    }
    let was = resource.present(&tx, rows.clone()).await?;
    let acts = rows.iter().zip(&was).map(|(row, was)| deleted::<R>(row.tenant(), was));
    audit::record_items(&tx, &caller, places.into_iter().zip(acts).collect()).await?;
    resource.remove_all(&tx, &caller, rows).await?;
    commit(&resource, tx, effects).await
}

/// What is asked for each of several things; an error when one is named twice.
fn by_id<T>(items: Vec<(Place, T)>, id: impl Fn(&T) -> String) -> Result<HashMap<Uuid, (Place, T)>> {
    let mut named = HashMap::with_capacity(items.len());
    for (place, request) in items {
        let id = Uuid::try_parse(&id(&request)).map_err(|_| Error::not_found())?;
        if named.insert(id, (place, request)).is_some() {
            return Err(Error::field("id", "named_twice"));
        }
    }
    Ok(named)
}

/// All of these, which the caller may change, until the transaction ends. Nobody is waited for: whoever holds one of them
/// may wait for another one.
async fn lock_all<R: Resource>(
    resource: &R,
    tx: &DatabaseTransaction,
    caller: &Caller,
    ids: Vec<Uuid>,
) -> Result<Vec<R::Row>> {
    let count = ids.len();
    let rows = R::changeable(caller).filter(R::LIST.id.is_in(ids)).order_by_asc(R::LIST.id);
    for seen in rows.clone().all(tx).await? {
        resource.before_lock(tx, &seen).await?;
    }
    let rows = rows.lock_with_behavior(LockType::Update, LockBehavior::Nowait).all(tx).await?;
    if rows.len() == count { Ok(rows) } else { Err(Error::not_found()) }
}
