//! What is done to every resource alike.

use std::slice;

use armada_proto::{ListRequest, ResourceInput, ResourceList, ResourceMessage, TenantId, Timestamp, Validate, v1};
use futures::{StreamExt, stream, stream::BoxStream};
use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IdenStatic, IntoActiveModel,
    Iterable, PrimaryKeyToColumn, QueryFilter, QuerySelect, Select, TryIntoModel, sea_query::OnConflict,
};
use serde_json::Value;
use tonic::Status;
use uuid::Uuid;

use super::{Resource, Row};
use crate::{
    audit::{self, Act, Object},
    auth::{Caller, Scope},
    error::{Error, Result},
    list::{Export, ListQuery},
};

/// How often something that lost a race is tried.
const TRIES: usize = 3;

/// A list as a whole, in pieces.
pub type ListStream<R> = BoxStream<'static, Result<<R as Resource>::List, Status>>;

/// The rows that a request asks for, if nothing is wrong with it, and in which scope: not yet searched and in no order.
pub(crate) async fn requested<R: Resource>(
    resource: &R,
    caller: &Caller,
    request: &mut R::Request,
) -> Result<(Scope, Select<R::Entity>)> {
    request.validate().check()?;
    let scope = caller.narrow(request.tenant_id())?;
    resource.expand(&scope, request).await?;
    Ok((scope, resource.requested(caller, scope, request)?))
}

/// One page.
pub async fn list<R: Resource>(resource: &R, caller: &Caller, mut request: R::Request) -> Result<R::List> {
    let (scope, rows) = requested(resource, caller, &mut request).await?;
    let tx = resource.db().read(&scope).await?;
    let (rows, paging) = R::LIST.fetch(&tx, rows, ListQuery::of(&request)).await?;
    let mut items = resource.present(&tx, rows).await?;
    resource.show_to(caller, &tx, &mut items).await?;
    Ok(R::List::new(items, paging))
}

/// All rows that match a request, in no order, and in which scope: to count them.
pub async fn matching<R: Resource>(
    resource: &R,
    caller: &Caller,
    mut request: R::Request,
) -> Result<(Scope, Select<R::Entity>)> {
    let (scope, rows) = requested(resource, caller, &mut request).await?;
    let tx = resource.db().read(&scope).await?;
    let rows = R::LIST.matching(&tx, rows, ListQuery::of(&request)).await?;
    tx.commit().await?;
    Ok((scope, rows))
}

/// Everything that matches, in order. That it was taken away is entered in the audit before.
pub async fn export<R: Resource>(resource: &R, caller: &Caller, mut request: R::Request) -> Result<ListStream<R>> {
    let (scope, rows) = requested(resource, caller, &mut request).await?;
    let export = R::LIST.export(resource.db(), scope, rows, ListQuery::of(&request)).await?;
    let tx = resource.db().write(&scope).await?;
    let change = audit::taken_away(export.counted());
    let object = Object { kind: R::ACTS.kind, ..Object::default() };
    audit::record(&tx, caller, Act { act: R::ACTS.export, tenant: scope.tenant(), object, change }).await?;
    tx.commit().await?;
    let pieces =
        stream::try_unfold((resource.clone(), export), move |(resource, export)| next_piece(resource, export, scope));
    Ok(pieces.boxed())
}

type Rest<R> = (R, Export<<R as Resource>::Entity>);

async fn next_piece<R: Resource>(
    resource: R,
    mut export: Export<R::Entity>,
    scope: Scope,
) -> Result<Option<(R::List, Rest<R>)>, Status> {
    let Some(rows) = export.next().await? else { return Ok(None) };
    let tx = resource.db().read(&scope).await?;
    let items = resource.present(&tx, rows).await?;
    drop(tx);
    Ok(Some((R::List::new(items, export.counted().clone()), (resource, export))))
}

/// One, by its id.
pub async fn get<R: Resource>(resource: &R, caller: &Caller, id: &str) -> Result<R::Message> {
    let tx = resource.db().read(&caller.scope()).await?;
    let row = by_id::<R>(R::readable(caller), id)?.one(&tx).await?.ok_or_else(Error::not_found)?;
    let mut found = message(resource, &tx, row).await?;
    resource.show_to(caller, &tx, slice::from_mut(&mut found)).await?;
    Ok(found)
}

/// Makes a new one.
pub async fn create<R: Resource>(resource: &R, caller: &Caller, input: R::Input) -> Result<R::Message> {
    let (row, input) = checked_new(resource, caller, input)?;
    for _ in 1..TRIES {
        match create_once(resource, caller, row.clone(), input.clone()).await {
            Err(error) if R::is_lost_race(&error) => {}
            made => return made,
        }
    }
    create_once(resource, caller, row, input).await
}

/// A new row, empty yet, and what it will be, if nothing is wrong with that as far as it can be told without the tables.
pub(super) fn checked_new<R: Resource>(
    resource: &R,
    caller: &Caller,
    mut input: R::Input,
) -> Result<(R::Row, R::Input)> {
    let mut violations = input.validate();
    let row = R::new_row(caller, &input, &mut violations);
    resource.check(caller, None, &mut input, &mut violations);
    violations.check().map_err(R::refusal)?;
    Ok((row.ok_or_else(Error::not_found)?, input))
}

async fn create_once<R: Resource>(resource: &R, caller: &Caller, row: R::Row, input: R::Input) -> Result<R::Message> {
    let (scope, tenant) = (scope_of(&row), row.tenant());
    let mut new = vec![(row, input)];
    let prepared = resource.prepare_new(caller, &mut new).await?;
    let tx = resource.db().write(&scope).await?;
    let (rows, effects) = insert(resource, &tx, caller, new, prepared).await?;
    let mut made = resource.present(&tx, rows).await?.pop().ok_or_else(Error::not_found)?;
    audit::record(&tx, caller, created::<R>(tenant, &made)).await?;
    resource.show_to(caller, &tx, slice::from_mut(&mut made)).await?;
    commit(resource, tx, effects).await?;
    Ok(made)
}

/// Writes new rows of one tenant.
pub(super) async fn insert<R: Resource>(
    resource: &R,
    tx: &DatabaseTransaction,
    caller: &Caller,
    new: Vec<(R::Row, R::Input)>,
    prepared: Vec<R::Prepared>,
) -> Result<(Vec<R::Row>, Vec<R::Effects>)> {
    let (mut rows, inputs): (Vec<_>, Vec<_>) = new.into_iter().unzip();
    let mut effects = resource.apply_new(tx, caller, &mut rows, inputs, prepared).await?;
    let mut active = Vec::with_capacity(rows.len());
    for row in rows {
        active.push(row.into_active_model().before_save(tx, true).await?);
    }
    R::Entity::insert_many(active.clone()).exec_without_returning(tx).await.map_err(R::unique)?;
    let rows: Result<Vec<R::Row>, _> = active.into_iter().map(TryIntoModel::try_into_model).collect();
    let mut rows = rows?;
    resource.written_new(tx, caller, &mut rows, &mut effects).await?;
    Ok((rows, effects))
}

/// That something was made, as the audit says it.
pub(super) fn created<R: Resource>(tenant: Option<TenantId>, made: &R::Message) -> Act {
    let object = Object::new(R::ACTS.kind, made.id(), made.name());
    Act { act: R::ACTS.create, tenant, object, change: audit::changes(None, Some(made)) }
}

/// That something was removed, as the audit says it.
pub(super) fn deleted<R: Resource>(tenant: Option<TenantId>, was: &R::Message) -> Act {
    let object = Object::new(R::ACTS.kind, was.id(), was.name());
    Act { act: R::ACTS.delete, tenant, object, change: audit::changes(Some(was), None) }
}

/// Changes what an input names of one.
pub async fn update<R: Resource>(resource: &R, caller: &Caller, input: R::Input) -> Result<R::Message> {
    let (seen, input) = checked_change(resource, caller, input).await?;
    for _ in 1..TRIES {
        match update_once(resource, caller, &seen, input.clone()).await {
            Err(error) if R::is_lost_race(&error) => {}
            changed => return changed,
        }
    }
    update_once(resource, caller, &seen, input).await
}

/// A row as it is, and how it shall be changed, if nothing is wrong with that as far as it can be told by themselves.
pub(super) async fn checked_change<R: Resource>(
    resource: &R,
    caller: &Caller,
    mut input: R::Input,
) -> Result<(R::Row, R::Input)> {
    let tx = resource.db().read(&caller.scope()).await?;
    let seen = by_id::<R>(R::changeable(caller), input.id())?.one(&tx).await?.ok_or_else(Error::not_found)?;
    drop(tx);
    check_change(resource, caller, &seen, &mut input)?;
    Ok((seen, input))
}

/// An error when something is wrong with how a row shall be changed, as far as it can be told by themselves.
pub(super) fn check_change<R: Resource>(
    resource: &R,
    caller: &Caller,
    seen: &R::Row,
    input: &mut R::Input,
) -> Result<()> {
    let mut violations = input.validate();
    let place = seen.tenant().map(|id| id.to_string()).unwrap_or_default();
    if input.tenant_id().is_some_and(|asked| asked != place) {
        violations.add("tenant_id", "not_changeable");
    }
    resource.check(caller, Some(seen), input, &mut violations);
    violations.check().map_err(R::refusal)
}

async fn update_once<R: Resource>(
    resource: &R,
    caller: &Caller,
    seen: &R::Row,
    mut input: R::Input,
) -> Result<R::Message> {
    let prepared = resource.prepare(caller, seen, &mut input).await?;
    let tx = resource.db().write(&scope_of(seen)).await?;
    let Changed { was, row, effects } = change(resource, &tx, caller, seen, input, prepared).await?;
    let tenant = row.tenant();
    let mut is = message(resource, &tx, row).await?;
    audit::record(&tx, caller, updated::<R>(tenant, &was, &is, &effects)).await?;
    resource.show_to(caller, &tx, slice::from_mut(&mut is)).await?;
    commit(resource, tx, vec![effects]).await?;
    Ok(is)
}

/// A row that was changed.
pub(super) struct Changed<R: Resource> {
    was: R::Message,
    row: R::Row,
    effects: R::Effects,
}

/// Writes a row that is there.
pub(super) async fn change<R: Resource>(
    resource: &R,
    tx: &DatabaseTransaction,
    caller: &Caller,
    seen: &R::Row,
    input: R::Input,
    prepared: R::Prepared,
) -> Result<Changed<R>> {
    let before = locked(resource, tx, caller, seen.id(), input.row_version()).await?;
    let was = message(resource, tx, before.clone()).await?;
    let change = vec![(input, prepared)];
    let (mut rows, mut effects) = change_locked(resource, tx, caller, slice::from_ref(&before), change).await?;
    let (Some(row), Some(effects)) = (rows.pop(), effects.pop()) else { return Err(Error::not_found()) };
    Ok(Changed { was, row, effects })
}

/// Writes rows that are locked, each with what shall become of it.
pub(super) async fn change_locked<R: Resource>(
    resource: &R,
    tx: &DatabaseTransaction,
    caller: &Caller,
    before: &[R::Row],
    changes: Vec<(R::Input, R::Prepared)>,
) -> Result<(Vec<R::Row>, Vec<R::Effects>)> {
    let (mut rows, mut effects) = (Vec::with_capacity(before.len()), Vec::with_capacity(before.len()));
    for (before, (input, prepared)) in before.iter().zip(changes) {
        let mut row = before.clone();
        effects.push(resource.apply(tx, caller, Some(before), &mut row, input, prepared).await?);
        row.touch(Timestamp::now());
        rows.push(row);
    }
    let mut rows = overwrite::<R>(tx, rows).await?;
    resource.written_changes(tx, caller, before, &mut rows, &mut effects).await?;
    Ok((rows, effects))
}

/// Writes rows over what they were, all in one statement: with one for each, a hundred take twenty times as long.
async fn overwrite<R: Resource>(tx: &DatabaseTransaction, rows: Vec<R::Row>) -> Result<Vec<R::Row>> {
    let mut active = Vec::with_capacity(rows.len());
    for row in rows {
        active.push(row.into_active_model().reset_all().before_save(tx, false).await?);
    }
    let is_key = |column: &<R::Entity as EntityTrait>::Column| {
        <R::Entity as EntityTrait>::PrimaryKey::iter().any(|key| key.into_column().as_str() == column.as_str())
    };
    let (key, values): (Vec<_>, Vec<_>) = <R::Entity as EntityTrait>::Column::iter().partition(is_key);
    // They are there, and locked.
    let there = OnConflict::columns(key).update_columns(values).to_owned();
    R::Entity::insert_many(active.clone()).on_conflict(there).exec_without_returning(tx).await.map_err(R::unique)?;
    Ok(active.into_iter().map(TryIntoModel::try_into_model).collect::<Result<_, _>>()?)
}

/// That something was changed, as the audit says it.
pub(super) fn updated<R: Resource>(
    tenant: Option<TenantId>,
    was: &R::Message,
    is: &R::Message,
    effects: &R::Effects,
) -> Act {
    let mut change = audit::changes(Some(was), Some(is));
    if let (Some(name), Some(Value::Object(after))) = (R::unseen_change(effects), &mut change.after) {
        after.insert(name.to_owned(), true.into());
    }
    let object = Object::new(R::ACTS.kind, is.id(), is.name());
    Act { act: R::ACTS.update, tenant, object, change }
}

/// Removes one.
pub async fn delete<R: Resource>(resource: &R, caller: &Caller, request: v1::DeleteRequest) -> Result<()> {
    let tx = resource.db().read(&caller.scope()).await?;
    let seen = by_id::<R>(R::changeable(caller), &request.id)?.one(&tx).await?.ok_or_else(Error::not_found)?;
    drop(tx);
    let tx = resource.db().write(&scope_of(&seen)).await?;
    let row = locked(resource, &tx, caller, seen.id(), request.row_version).await?;
    let effects = resource.removing(&tx, caller, &row).await?;
    let was = message(resource, &tx, row.clone()).await?;
    audit::record(&tx, caller, deleted::<R>(row.tenant(), &was)).await?;
    resource.remove(&tx, caller, row).await?;
    commit(resource, tx, vec![effects]).await
}

/// One that a caller may change, until the transaction ends; refused when it is no longer at the version that they know.
pub async fn locked<R: Resource>(
    resource: &R,
    tx: &DatabaseTransaction,
    caller: &Caller,
    id: Uuid,
    row_version: Option<i32>,
) -> Result<R::Row> {
    let rows = R::changeable(caller).filter(R::LIST.id.eq(id));
    let seen = rows.clone().one(tx).await?.ok_or_else(Error::not_found)?;
    resource.before_lock(tx, &seen).await?;
    let row = rows.lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    if row_version.is_some_and(|version| version != row.row_version()) {
        return Err(Error::version_mismatch());
    }
    Ok(row)
}

fn by_id<R: Resource>(rows: Select<R::Entity>, id: &str) -> Result<Select<R::Entity>> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    Ok(rows.filter(R::LIST.id.eq(id)))
}

/// Where a row is written: among those of its tenant, or of the platform.
pub(super) fn scope_of(row: &impl Row) -> Scope {
    row.tenant().map_or(Scope::Platform, Scope::Tenant)
}

/// One as it is read.
pub async fn message<R: Resource>(resource: &R, tx: &DatabaseTransaction, row: R::Row) -> Result<R::Message> {
    resource.present(tx, vec![row]).await?.pop().ok_or_else(Error::not_found)
}

pub(super) async fn commit<R: Resource>(resource: &R, tx: DatabaseTransaction, effects: Vec<R::Effects>) -> Result<()> {
    tx.commit().await?;
    if let Some(outbox) = resource.outbox() {
        outbox.flush().await;
    }
    for effects in effects {
        resource.committed(effects).await;
    }
    Ok(())
}
