//! Whether what a job did can be taken back, or was.

use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use super::{
    entity::{item, job},
    targets::Own,
};
use crate::error::{Code, Error, Result};

/// What takes back an item that a method of this path did; none when nothing of it can be taken back.
pub(super) type Reverse = fn(&str, &item::Model) -> Option<Own>;

/// Says in a transaction that a job is taken back by another one.
pub(super) async fn mark(tx: &DatabaseTransaction, undone: Uuid, by: Uuid) -> Result<()> {
    let job = job::Entity::find_by_id(undone).lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    may_be_undone(&job)?;
    job::ActiveModel { undo_id: Set(Some(by)), ..job.into_active_model() }.update(tx).await?;
    Ok(())
}

/// An error unless a job has done something that was not taken back.
pub(super) fn may_be_undone(job: &job::Model) -> Result<()> {
    if job.finished_at.is_none() {
        return Err(Error::new(Code::Conflict, "job_not_over", "the job is not over yet"));
    }
    if !job.has_done() {
        return Err(nothing_to_undo());
    }
    match job.undo_id {
        Some(_) => Err(Error::new(Code::Conflict, "already_undone", "what the job did was taken back already")),
        None => Ok(()),
    }
}

pub(super) fn nothing_to_undo() -> Error {
    Error::new(Code::Conflict, "nothing_to_undo", "the job did nothing that can be taken back")
}

/// What a job was to take back can be taken back again when that did nothing; else what that had taken back can be.
pub(super) async fn release(tx: &DatabaseTransaction, job: Uuid, has_done: bool) -> Result<()> {
    let Some(undone) = job::Entity::find().filter(job::Column::UndoId.eq(job)).one(tx).await? else { return Ok(()) };
    let by = if has_done { undone.id } else { job };
    let free = job::Entity::update_many().col_expr(job::Column::UndoId, Expr::val(None::<Uuid>));
    free.filter(job::Column::UndoId.eq(by)).exec(tx).await?;
    Ok(())
}
